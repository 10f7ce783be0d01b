import type { SessionId } from "../../../../domain/BrandedIds.ts"
// The channels of a leg: one, or one for each ringing device. The first to be answered becomes the leg's only channel.

/** Why a channel ended: the Q.850 cause, and the SIP code of its final response if there was one. */
export interface ChannelEnd {
  readonly cause: number
  readonly tech_cause?: number | undefined
}

/** The trunk, or Asterisk itself, is unavailable. */
export const unavailable: ChannelEnd = { cause: 38, tech_cause: 503 }

export interface Branch {
  /** Asterisk's id of the channel. */
  readonly channel: string
  /** The request to create the channel is under way. */
  creating: boolean
  /** How long it is to ring, until it is dialled; undefined for channels that are not to be dialled. */
  ring_seconds: number | undefined
  /** It was dialled: by this process or the one before it. */
  dialled: boolean
  rang: boolean
  /** When Asterisk reported the answer, whose media are to be confirmed. Epoch milliseconds. */
  up_at: number | undefined
  /** The other side hung up. */
  remote_hangup: boolean
  /** The engine hung up: this process or the one before it. */
  local_hangup: boolean
  /** Asterisk itself hung up because no audio came in. */
  no_audio: boolean
  end: ChannelEnd | undefined
}

/** The part of a leg that has its channels. */
interface Branched {
  readonly branches: ReadonlyMap<string, Branch>
}

export const newBranch = (channel: string): Branch => ({
  channel,
  creating: false,
  ring_seconds: undefined,
  dialled: false,
  rang: false,
  up_at: undefined,
  remote_hangup: false,
  local_hangup: false,
  no_audio: false,
  end: undefined
})

const letters = "abcdefghijklmnopqrstuvwxyz"

/**
 * The channel ids of a session: its own id, or that and a letter for each. No id is a prefix of another, because
 * Asterisk takes such ids for the same channel. A user has fewer devices than there are letters.
 */
export const channelNames = (session_id: SessionId, count: number): ReadonlyArray<string> =>
  count === 1 ? [session_id] : Array.from(letters.slice(0, count), (letter) => `${session_id}~${letter}`)

/** Whether the user rejected the call for all devices (RFC 3261, section 21.6). */
export const isRejectedForAll = ({ end }: Branch): boolean => end?.tech_cause !== undefined && end.tech_cause >= 600

const isBusy = ({ end }: Branch): boolean => end?.cause === 17

/** Whether it rang until its time was over. */
const isUnanswered = ({ end, rang }: Branch): boolean => rang && end !== undefined && [0, 18, 19].includes(end.cause)

const rank = (branch: Branch): number =>
  isRejectedForAll(branch) ? 0 : isUnanswered(branch) ? 1 : isBusy(branch) ? 2 : branch.remote_hangup ? 3 : 4

/** The branch whose end counts as the end of the leg; undefined while any branch may still be answered. */
export const decidingBranch = ({ branches }: Branched): Branch | undefined => {
  const all = [...branches.values()]
  if (all.some(({ end }) => end === undefined)) return undefined
  return all.sort((one, other) => rank(one) - rank(other))[0]
}

/** The other branches that have not ended. */
export const otherBranches = ({ branches }: Branched, branch: Branch): ReadonlyArray<Branch> =>
  [...branches.values()].filter((other) => other !== branch && other.end === undefined)
