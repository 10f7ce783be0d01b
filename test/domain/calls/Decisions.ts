// What the rules of a call decide, in short: each event by its tag, an end as `status/cause`.
import { Result } from "effect"
import type { Call } from "../../../src/domain/calls/state/Call.ts"
import type { CallEvent } from "../../../src/domain/calls/state/CallEvent.ts"
import type { CallMessage } from "../../../src/domain/calls/state/CallCommand.ts"
import { decideCall } from "../../../src/domain/calls/decide/DecideCall.ts"
import { child_id, minute_at } from "./Fixtures.ts"

export const refusal = {
  call_id: child_id,
  cause: "destination_refused",
  detail: "",
  reason: null,
  whole: false
} as const

export const said = (event: CallEvent): string =>
  event._tag === "HungUp" ? `${event.ending.status}/${event.ending.cause}` : event._tag

export const decision = (call: Call, command: CallMessage, now = minute_at) =>
  Result.getOrThrow(decideCall(call, command, now))
export const events = (call: Call, command: CallMessage, now = minute_at) =>
  decision(call, command, now).events.map(said)
