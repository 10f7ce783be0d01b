// A number in the chat app: the settings that were last written, and its trunk.
import { Schema } from "effect"
import type { Origin } from "../access/Origin.ts"
import type { CallSettings } from "./CallSettings.ts"
import type { PermissionReply } from "./PermissionReply.ts"

/** The provider's own code for a number that may not call yet. */
export const not_eligible_code = 138_015

const hour_ms = 3_600_000

/** When a number that may not call yet is tried again by itself, counted from each failure. */
export const eligibility_pauses_ms = [hour_ms, 6 * hour_ms, 24 * hour_ms] as const

export interface Trunk {
  readonly status: "pending" | "active" | "failed"
  readonly status_reason: string | null
  readonly provider_code: number | null
  /** How often the provider was asked, or is being asked. */
  readonly attempts: number
  readonly next_retry_at: number | null
  readonly sip_host: string | null
  readonly updated_at: number
}

export interface ChatApp {
  readonly number_id: string
  /** Whose it is there: null until the number is used in the chat app, and once it has left who used it. */
  readonly workspace_id: string | null
  /** Since when that workspace uses it. */
  readonly since: number
  readonly number: string
  readonly stored: CallSettings | null
  readonly trunk: Trunk | null
  /** Failures in a row because the number may not call yet. */
  readonly ineligible: number
  /** Of the last event that customers were told. */
  readonly sequence: number
  /** What the provider has of who used the number before is to be taken back there. */
  readonly turning_off: boolean
  /** The latest replies that were told, by the provider's ids: it may bring each several times. */
  readonly heard: ReadonlyArray<string>
}

export type ChatAppEvent =
  | { readonly _tag: "Left"; readonly at: number }
  | { readonly _tag: "TurnedOff"; readonly at: number }
  | { readonly _tag: "PermissionChanged"; readonly at: number; readonly reply: PermissionReply }
  | { readonly _tag: "Provisioning"; readonly at: number; readonly workspace_id: string; readonly number: string }
  | { readonly _tag: "Retried"; readonly at: number; readonly origin: Origin | null }
  | { readonly _tag: "TrunkActive"; readonly at: number; readonly sip_host: string }
  | {
      readonly _tag: "TrunkFailed"
      readonly at: number
      readonly reason: string
      readonly provider_code: number | null
      readonly next_retry_at: number | null
    }
  | {
      readonly _tag: "SettingsWritten"
      readonly at: number
      readonly workspace_id: string
      readonly number: string
      readonly settings: CallSettings
      readonly origin: Origin
    }

export const TrunkRecord = Schema.Struct({
  status: Schema.Literals(["pending", "active", "failed"]),
  status_reason: Schema.NullOr(Schema.String),
  provider_code: Schema.NullOr(Schema.Int).annotate({ description: "The provider's own code of what failed." }),
  attempts: Schema.Int,
  next_retry_at: Schema.NullOr(Schema.String).annotate({ description: "When it is tried again by itself." }),
  sip_host: Schema.NullOr(Schema.String),
  updated_at: Schema.String
}).annotate({ identifier: "ChatAppTrunk" })
export type TrunkRecord = typeof TrunkRecord.Type

const instant = (at: number): string => new Date(at).toISOString()

export const trunkRecord = ({ next_retry_at, updated_at, ...trunk }: Trunk): TrunkRecord => ({
  ...trunk,
  next_retry_at: next_retry_at === null ? null : instant(next_retry_at),
  updated_at: instant(updated_at)
})

export const absentChatApp = (number_id: string): ChatApp => ({
  number_id,
  workspace_id: null,
  since: 0,
  number: "",
  stored: null,
  trunk: null,
  ineligible: 0,
  sequence: 0,
  turning_off: false,
  heard: []
})

/** A provider repeats what was not taken soon, so the latest will do. */
const heard_max = 200

const pending = (attempts: number, at: number): Trunk => ({
  status: "pending",
  status_reason: null,
  provider_code: null,
  attempts,
  next_retry_at: null,
  sip_host: null,
  updated_at: at
})

/** As it is to one workspace: what another had of the number is none of its business. */
export const seenBy = (state: ChatApp, workspace_id: string): ChatApp =>
  state.workspace_id === workspace_id
    ? state
    : { ...absentChatApp(state.number_id), sequence: state.sequence, turning_off: state.turning_off }

const usedBy = (
  state: ChatApp,
  { at, number, workspace_id }: Extract<ChatAppEvent, { readonly workspace_id: string }>
): ChatApp => {
  const seen = seenBy(state, workspace_id)
  return { ...seen, workspace_id, number, since: seen.workspace_id === null ? at : seen.since }
}

export const evolveChatApp = (state: ChatApp, event: ChatAppEvent): ChatApp => {
  switch (event._tag) {
    case "Provisioning":
      return { ...usedBy(state, event), trunk: pending(1, event.at) }
    case "Retried":
      return { ...state, trunk: pending(state.trunk!.attempts + 1, event.at) }
    case "TrunkActive": {
      const trunk: Trunk = { ...state.trunk!, status: "active", sip_host: event.sip_host, updated_at: event.at }
      return { ...state, trunk, ineligible: 0, sequence: state.sequence + 1 }
    }
    case "TrunkFailed": {
      const { at, next_retry_at, provider_code, reason } = event
      const trunk: Trunk = {
        ...state.trunk!,
        status: "failed",
        status_reason: reason,
        provider_code,
        next_retry_at,
        updated_at: at
      }
      const ineligible = provider_code === not_eligible_code ? state.ineligible + 1 : 0
      return { ...state, trunk, ineligible, sequence: state.sequence + 1 }
    }
    case "SettingsWritten":
      return { ...usedBy(state, event), stored: event.settings, sequence: state.sequence + 1, turning_off: false }
    case "Left": {
      const { number, number_id, sequence, stored, turning_off } = state
      return { ...absentChatApp(number_id), number, sequence, turning_off: turning_off || stored !== null }
    }
    case "TurnedOff":
      return { ...state, turning_off: false }
    case "PermissionChanged":
      return { ...state, heard: [...state.heard, event.reply.id].slice(-heard_max), sequence: state.sequence + 1 }
  }
}
