// Whom the calls of a history are to, and what is wanted of them.
import type { CallMessage } from "../../../src/domain/calls/state/CallCommand.ts"
import type { CallFacts, LegRefusal } from "../../../src/domain/calls/state/CallFacts.ts"
import type { VoiceAction } from "../../../src/domain/calls/verbs/VoiceAction.ts"
import { sessionOfCall } from "../../../src/domain/pbx/Session.ts"
import type { CallId } from "../../../src/domain/BrandedIds.ts"
import { gatewayId } from "../../support/Ids.ts"

/** What a minute costs to each destination there is. */
export const rates_minor: ReadonlyMap<string, number> = new Map([
  ["+254700000002", 300],
  ["+254700000003", 0],
  ["+254700000004", 7],
  ["+254700000005", 1]
])
const [one, ...others] = [...rates_minor.keys()] as [string, ...Array<string>]
export const numbers = [one, ...others]
const action_url = "https://example.com/next"

export const scripts: ReadonlyArray<ReadonlyArray<VoiceAction>> = [
  [{ dial: { number: one, timeout: 30 } }],
  [{ say: { text: "Hello." } }],
  [{ say: { text: "Hello." } }, { dial: { number: one, timeout: 5 } }, { say: { text: "Bye." } }],
  [{ dial: { number: one } }, { dial: { number: one } }],
  [{ say: { text: "Hello." } }, { hangup: {} }],
  [],
  [{ dial: { numbers } }],
  [{ dial: { numbers, first_answer_wins: false, timeout: 5 } }, { pause: { seconds: 1 } }],
  [{ dial: { numbers: others, sequential: true, timeout: 5 } }, { dial: { numbers, timeout: 30 } }],
  [{ dial: { numbers: others, sequential: true, first_answer_wins: false, action_url } }],
  [{ gather: { num_digits: 4, action_url, prompt: { say: { text: "Press." } } } }],
  [{ record: { max_length: 5, action_url } }],
  [
    { tag: { metadata: { seen: "yes" } } },
    { play: { url: action_url } },
    { send_digits: { digits: "1" } },
    { redirect: { url: action_url } }
  ],
  [{ dial: { numbers, time_limit: 61, action_url } }],
  [{ reject: { reason: "busy" } }]
]

export const termination: CallMessage = { _tag: "Terminate", source: "workspace", cause: "canceled_by_workspace" }

/** One of three changes in mid-talk. */
export const updateOf = (actions: ReadonlyArray<VoiceAction>, which: number): CallMessage => {
  if (which === 0) return { _tag: "Update", mute: true }
  return which === 1 ? { _tag: "Update", actions } : { _tag: "Update", hold: true, mute: false, actions }
}

/** After so many steps a customer is content to say nothing more. */
export const steps_max = 20

export const refusal = (call_id: CallId, whole: boolean): LegRefusal => ({
  call_id,
  cause: whole ? "insufficient_funds" : "destination_refused",
  detail: "",
  reason: null,
  whole
})

/** What is the same of all calls, but for who dialled them. */
export const factsOf = (id: CallId, parent_call_id: CallId | null) =>
  ({
    session_id: sessionOfCall(id),
    tenant_pbx_id: "tenant",
    gateway_id: gatewayId("gateway"),
    number_id: null,
    parent_session_id: parent_call_id === null ? null : sessionOfCall(parent_call_id),
    direction: "outbound",
    kind: parent_call_id === null ? "api" : "dial",
    from: "+254700000001",
    caller_id: "+254700000001",
    currency: "KES",
    matched_prefix: null,
    voice_callback_url: parent_call_id === null ? "https://example.com/voice" : null,
    voice_fallback_url: null,
    metadata: {},
    client_reference: null
  }) satisfies Partial<CallFacts>
