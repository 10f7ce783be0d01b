// What the log tells of stored events, one line each (docs/operations.md, "The log").
import { Option, Schema } from "effect"
import { amountText } from "../kit/Amount.ts"

/** What is read of an event. `payload` is JSON text. */
export interface StoredEvent {
  readonly kind: string
  readonly subject_id: string
  readonly payload: string
}

export interface ActivityLine {
  readonly text: string
  /** Whether something failed that the workspace or the operator can mend. */
  readonly failed: boolean
}

const { Int, NullOr, String: Text } = Schema
const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(NullOr(schema))

/** What lines show of payloads. */
const Shown = Schema.Struct({
  direction: optional(Text),
  from: optional(Text),
  to: optional(Text),
  currency: optional(Text),
  duration_seconds: optional(Int),
  cost_minor: optional(Int),
  hangup_cause: optional(Text),
  cause: optional(Text),
  http_status: optional(Int),
  pointer: optional(Text),
  detail: optional(Text),
  amount_minor: optional(Int),
  failure_code: optional(Text),
  url: optional(Text),
  reason: optional(Text)
})
type Shown = typeof Shown.Type

const read = Schema.decodeUnknownOption(Schema.fromJsonString(Shown))

const max_chars = 200

/** Where a URL leads: its path and query may be secrets of the customer's. */
export const hostOf = (url: string | null | undefined): string => URL.parse(url ?? "")?.host ?? ""

/** Texts come from callers and applications: none may begin a line of its own, or change the terminal. */
export const inLine = (text: string): string => {
  const safe = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD")
  return safe.length > max_chars ? `${safe.slice(0, max_chars)}…` : safe
}

const joined = (...parts: ReadonlyArray<string | number | null | undefined>): string =>
  parts
    .filter((part) => part !== undefined && part !== null && part !== "")
    .map((part) => inLine(String(part)))
    .join(", ")

const money = ({ currency }: Shown, minor: number | null | undefined): string =>
  minor === undefined || minor === null ? "" : `${currency ?? ""} ${amountText(minor)}`.trim()

const seconds = ({ duration_seconds }: Shown): string =>
  duration_seconds === undefined || duration_seconds === null ? "" : `${duration_seconds} s`

const ended = (call: Shown): string => joined(seconds(call), money(call, call.cost_minor ?? 0), call.hangup_cause)
const parties = ({ direction, from, to }: Shown): string => joined(direction, `${from ?? "-"} → ${to ?? "-"}`)
const callbackFailure = ({ cause, detail, http_status, pointer }: Shown): string =>
  joined(cause, http_status === null || http_status === undefined ? "" : `HTTP ${http_status}`, pointer, detail)

interface Told {
  readonly about: (payload: Shown) => string
  readonly failed?: true
}

/** The events that the log tells. The others are read by `trunkline events`. */
const told: Readonly<Record<string, Told>> = {
  "call.ringing": { about: parties },
  "call.answered": { about: () => "" },
  "call.completed": { about: ended },
  "call.no_answer": { about: ended },
  "call.busy": { about: ended },
  "call.failed": { about: ended },
  "call.canceled": { about: ended },
  "call.callback_failed": { about: callbackFailure, failed: true },
  "topup.succeeded": { about: (topUp) => money(topUp, topUp.amount_minor) },
  "topup.failed": { about: (topUp) => joined(money(topUp, topUp.amount_minor), topUp.failure_code) },
  "topup.reversed": { about: (topUp) => money(topUp, topUp.amount_minor) },
  "webhook.disabled": { about: ({ reason, url }) => joined(reason, hostOf(url)), failed: true }
}

/** How lines name what an event is about: by the last eight digits, as the command does. */
export const shortId = (id: string): string => id.slice(-8)

/** The line of an event, as `call c6ffc369  completed  28 s, KES 3.00, normal_clearing`; undefined for most kinds. */
export const activityLine = ({ kind, payload, subject_id }: StoredEvent) => {
  const how = Object.hasOwn(told, kind) ? told[kind] : undefined
  if (how === undefined) return undefined
  const [subject = "", happened = ""] = kind.split(".")
  const about = Option.match(read(payload), { onNone: () => "", onSome: how.about })
  const text = `${subject} ${inLine(shortId(subject_id))}  ${happened}  ${about}`.trimEnd()
  return { text, failed: how.failed === true } satisfies ActivityLine
}
