// The channels of a leg: one, or one for each device that rings for it, of which the first to answer is the leg from then on.
import type { Leg } from "./Legs.ts"

/** How a channel ended, by what Asterisk says. */
export interface Over {
  readonly cause: number
  readonly tech_cause?: number | undefined
}

export interface Branch {
  /** Asterisk's name of it. */
  readonly channel: string
  /** Asterisk is being asked to set it up. */
  placing: boolean
  rang: boolean
  /** Whether the other side ended it; whether the engine had it ended, this one or one before it. */
  remote: boolean
  dropped: boolean
  /** Whether Asterisk itself ended it, because no sound came in. */
  silent: boolean
  over: Over | undefined
}

export const branchOn = (channel: string): Branch => ({
  channel,
  placing: false,
  rang: false,
  remote: false,
  dropped: false,
  silent: false,
  over: undefined
})

const letters = "abcdefghijklmnopqrstuvwxyz"

/**
 * The session's own id, or that and a letter each: no name is the beginning of another, for Asterisk takes such for the same
 * channel. There are not as many devices as letters.
 */
export const channelNames = (session_id: string, count: number): ReadonlyArray<string> =>
  count === 1 ? [session_id] : Array.from(letters.slice(0, count), (letter) => `${session_id}~${letter}`)

/** Somebody refused the call for all of their devices (RFC 3261, section 21.6). */
export const isRefusedForAll = ({ over }: Branch): boolean => over?.tech_cause !== undefined && over.tech_cause >= 600

const isBusy = ({ over }: Branch): boolean => over?.cause === 17

/** What its own time to ring ended, or what nobody took up though it rang. */
const isUnanswered = ({ over, rang }: Branch): boolean => rang && over !== undefined && [0, 18, 19].includes(over.cause)

const rank = (branch: Branch): number =>
  isRefusedForAll(branch) ? 0 : isUnanswered(branch) ? 1 : isBusy(branch) ? 2 : branch.remote ? 3 : 4

/** The branch whose end is the end of the leg: undefined while one of them may still be answered. */
export const deciding = ({ branches }: Pick<Leg, "branches">): Branch | undefined => {
  const all = [...branches.values()]
  if (all.some(({ over }) => over === undefined)) return undefined
  return all.sort((one, other) => rank(one) - rank(other))[0]
}

/** Those that are to be ended because this one was answered or refuses for all. */
export const others = ({ branches }: Pick<Leg, "branches">, branch: Branch): ReadonlyArray<Branch> =>
  [...branches.values()].filter((other) => other !== branch && other.over === undefined)
