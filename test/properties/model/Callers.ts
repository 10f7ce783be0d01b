// Calls that come in: what is known of each of them when its session is told, and how it is let in.
import type { CallMessage } from "../../../src/domain/calls/state/CallCommand.ts"
import type { CallFacts, Forward } from "../../../src/domain/calls/state/CallFacts.ts"
import { ringLimit_seconds } from "../../../src/domain/calls/state/InboundSetup.ts"
import type { PbxEvent } from "../../../src/domain/pbx/PbxEvent.ts"
import type { Choices } from "./Choices.ts"
import { factsOf, numbers } from "./Customer.ts"
import type { CallId } from "../../../src/domain/BrandedIds.ts"
import { numberId } from "../../support/Ids.ts"

/** Numbers that ask a callback, that are forwarded, and that nobody answers. */
const forwards: ReadonlyArray<Forward | "asks" | null> = [
  "asks",
  { to: numbers, sequential: null, timeout_seconds: 30 },
  { to: numbers.slice(0, 1), sequential: null, timeout_seconds: 5 },
  { to: numbers.slice(1), sequential: true, timeout_seconds: 5 },
  null
]

export const isIncoming = ({ direction, type }: PbxEvent): boolean =>
  type === "session.created" && direction === "inbound"

export const incoming = (
  choices: Choices,
  id: CallId,
  event: PbxEvent,
  fixed: Pick<CallFacts, "workspace_id" | "created_at">
): CallMessage => {
  const chosen = choices.of(forwards)
  const forward = chosen === "asks" ? null : chosen
  const facts: CallFacts = {
    ...factsOf(id, null),
    ...fixed,
    parent_call_id: null,
    direction: "inbound",
    kind: "sip",
    number_id: choices.oneIn(8) ? null : numberId("number"),
    to: "+254700000001",
    rate_per_min_minor: choices.of([100, 0, 7]),
    timeout_seconds: ringLimit_seconds(forward),
    max_duration_seconds: choices.of([600, 60, 61]),
    voice_callback_url: chosen === "asks" ? "https://example.com/voice" : null
  }
  return { _tag: "Incoming", facts, event, forward, no_funds_message: null }
}
