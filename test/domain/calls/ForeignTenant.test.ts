import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { absentCall, type PlacedCall } from "../../../src/domain/calls/state/Call.ts"
import { evolveCall } from "../../../src/domain/calls/decide/EvolveCall.ts"
import { decidePbxEvent } from "../../../src/domain/calls/decide/DecidePbxEvent.ts"
import { sessionOfCall } from "../../../src/domain/pbx/Session.ts"
import { callId, pbxEvent } from "../../support/PbxWorld.ts"
import { gatewayId, workspaceId } from "../../support/Ids.ts"

const call = evolveCall(absentCall(callId(1)), {
  _tag: "Originated",
  facts: {
    session_id: sessionOfCall(callId(1)),
    workspace_id: workspaceId("w1"),
    tenant_pbx_id: "t1",
    gateway_id: gatewayId("g1"),
    number_id: null,
    parent_call_id: null,
    parent_session_id: null,
    direction: "outbound",
    kind: "api",
    from: "+254700000001",
    to: "+254711223344",
    caller_id: "+254700000001",
    created_at: 0,
    currency: "KES",
    rate_per_min_minor: 300,
    matched_prefix: "254",
    timeout_seconds: 30,
    max_duration_seconds: 3600,
    voice_callback_url: null,
    voice_fallback_url: null,
    metadata: {},
    client_reference: null
  }
}) as PlacedCall

it("a call ignores the events of another tenant's PBX", () => {
  const answered = pbxEvent(1, { type: "leg.answered" })
  const foreign = decidePbxEvent(call, { ...answered, tenant_pbx_id: "t2" }, 1000)
  assert.isTrue(Result.isFailure(foreign) && foreign.failure._tag === "pbx.unknown_workspace")
  const own = Result.getOrThrow(decidePbxEvent(call, answered, 1000))
  assert.deepStrictEqual(
    own.events.map(({ _tag }) => _tag),
    ["Answered", "PbxApplied"]
  )
})
