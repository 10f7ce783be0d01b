// What becomes of a number's trunk in the chat app, and what is under way for it.
import { Result } from "effect"
import { deadline, type Decided, task, type Work } from "../Decision.ts"
import { ChatAppNotProvisioned, ChatAppTrunkNotRetryable } from "../errors/ChatAppErrors.ts"
import {
  type ChatApp,
  type ChatAppEvent,
  eligibility_pauses_ms,
  evolveChatApp,
  not_eligible_code,
  seenBy,
  type Trunk,
  trunkRecord
} from "./ChatApp.ts"
import type { ChatAppCommand, ChatAppReply } from "./ChatAppCommand.ts"

type Answer = Decided<ChatAppEvent, ChatAppReply>
type CommandOf<Tag extends ChatAppCommand["_tag"]> = Extract<ChatAppCommand, { readonly _tag: Tag }>

/** The events, and the number as it is after them. */
const shown = (state: ChatApp, ...events: ReadonlyArray<ChatAppEvent>): Answer => {
  const { stored, trunk } = events.reduce(evolveChatApp, state)
  return Result.succeed({ events, reply: { _tag: "Shown", stored, trunk: trunk && trunkRecord(trunk) } })
}

const noted = (...events: ReadonlyArray<ChatAppEvent>): Answer => Result.succeed({ events, reply: { _tag: "Noted" } })

/** What is asked again while it is under way, or done, or failed, changes nothing: only a retry tries again. */
const provision = (state: ChatApp, { number, workspace_id }: CommandOf<"Provision">, at: number): Answer =>
  state.trunk === null ? shown(state, { _tag: "Provisioning", at, workspace_id, number }) : shown(state)

const retry = (state: ChatApp, { origin }: CommandOf<"Retry">, at: number): Answer => {
  if (state.trunk === null) return Result.fail(new ChatAppNotProvisioned())
  return state.trunk.status === "failed"
    ? shown(state, { _tag: "Retried", at, origin })
    : Result.fail(
        new ChatAppTrunkNotRetryable({
          message: `The chat-app trunk is ${state.trunk.status}: only a failed one can be retried.`
        })
      )
}

/** An answer to an attempt that is over comes too late. */
const isUnderWay = (trunk: Trunk | null, attempt: number): boolean =>
  trunk?.status === "pending" && trunk.attempts === attempt

const failed = (
  state: ChatApp,
  { attempt, provider_code, reason }: CommandOf<"ProvisioningFailed">,
  at: number
): Answer => {
  if (!isUnderWay(state.trunk, attempt)) return noted()
  const pause_ms = provider_code === not_eligible_code ? eligibility_pauses_ms[state.ineligible] : undefined
  return noted({
    _tag: "TrunkFailed",
    at,
    reason,
    provider_code,
    next_retry_at: pause_ms === undefined ? null : at + pause_ms
  })
}

const second_ms = 1_000
/** As long as the provider repeats itself, and as a permission lasts that is not for ever. */
const reply_life_ms = 7 * 24 * 3_600_000

/** Once each, and to nobody but who used the number when it was said: the provider counts in seconds. */
const permissionReplied = (state: ChatApp, { reply }: CommandOf<"PermissionReplied">, at: number): Answer => {
  const concerns = state.workspace_id !== null && reply.at + second_ms > state.since && reply.at > at - reply_life_ms
  return concerns && !state.heard.includes(reply.id) ? noted({ _tag: "PermissionChanged", at, reply }) : noted()
}

export const decideChatApp = (state: ChatApp, command: ChatAppCommand, now: number): Answer => {
  switch (command._tag) {
    case "Show":
      return shown(seenBy(state, command.workspace_id))
    case "Provision":
      return provision(seenBy(state, command.workspace_id), command, now)
    case "Retry":
      return retry(seenBy(state, command.workspace_id), command, now)
    case "RetryDue":
      return state.trunk?.status === "failed" && state.trunk.next_retry_at !== null && state.trunk.next_retry_at <= now
        ? noted({ _tag: "Retried", at: now, origin: null })
        : noted()
    case "Provisioned":
      return isUnderWay(state.trunk, command.attempt)
        ? noted({ _tag: "TrunkActive", at: now, sip_host: command.sip_host })
        : noted()
    case "ProvisioningFailed":
      return failed(state, command, now)
    case "SettingsWritten": {
      const { _tag, ...written } = command
      return shown(state, { _tag, at: now, ...written })
    }
    case "PermissionReplied":
      return permissionReplied(state, command, now)
    case "TurnedOff":
      return state.turning_off ? noted({ _tag: "TurnedOff", at: now }) : noted()
    // It may be told late: who uses the number since then keeps it, the same workspace too.
    case "Leave":
      return state.workspace_id === command.workspace_id && state.since <= command.left_at
        ? noted({ _tag: "Left", at: now })
        : noted()
  }
}

export type ChatAppWork =
  /** The provider is being asked for the trunk. */
  | { readonly _tag: "ProvisionTrunk"; readonly attempt: number; readonly number: string }
  /** The provider is told that the number is not called there any more, as whoever had that wish is gone. */
  | { readonly _tag: "TurnOff"; readonly number: string }

type Planned = Work<ChatAppCommand, ChatAppWork>

const ofTrunk = ({ number, trunk }: ChatApp): ReadonlyArray<Planned> => {
  if (trunk?.status === "pending") {
    return [task(`provision:${trunk.attempts}`, { _tag: "ProvisionTrunk", attempt: trunk.attempts, number })]
  }
  return trunk?.status === "failed" && trunk.next_retry_at !== null
    ? [deadline(`retry:${trunk.attempts}`, trunk.next_retry_at, { _tag: "RetryDue" })]
    : []
}

export const planChatApp = (state: ChatApp): ReadonlyArray<Planned> =>
  state.turning_off ? [...ofTrunk(state), task("turn_off", { _tag: "TurnOff", number: state.number })] : ofTrunk(state)
