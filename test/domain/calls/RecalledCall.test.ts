import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import type { Call } from "../../../src/domain/calls/state/Call.ts"
import { decideCall } from "../../../src/domain/calls/decide/DecideCall.ts"
import { restoreCall, stateOfCall } from "../../../src/domain/calls/state/StoredCall.ts"
import { asking, became, facts } from "./Fixtures.ts"

const lost_at = asking.pbx.proof_at + 180_000
const back = restoreCall(
  { version: 1, workspace_id: facts.workspace_id, state: stateOfCall(asking), alarm: null, holds: [] },
  asking.id
)

const toldLost = (call: Call, now: number) =>
  Result.getOrThrow(decideCall(call, { _tag: "SessionLost" }, now)).events.map(({ _tag }) => _tag)

describe("a call whose session was not reported for three minutes", () => {
  it("is lost if the engine was running", () => {
    expect(toldLost(asking, lost_at - 1)).toEqual([])
    expect(toldLost(asking, lost_at)).toEqual(["HungUp"])
  })

  it("is queried at the PBX first if the engine has just started", () => {
    expect(toldLost(back, lost_at)).toEqual(["Resumed"])
    const resumed = became(back, { _tag: "Resumed", at: lost_at })
    expect(toldLost(resumed, lost_at + 89_999)).toEqual([])
    expect(toldLost(resumed, lost_at + 90_000)).toEqual(["HungUp"])
  })

  it("is lost if the PBX was heard since the engine's start, and not reported again", () => {
    const proved = Result.getOrThrow(
      decideCall(
        back,
        { _tag: "ProofOfLife", at: asking.pbx.proof_at, tenant_pbx_id: facts.tenant_pbx_id },
        lost_at - 1
      )
    )
    expect(toldLost(became(back, ...proved.events), lost_at)).toEqual(["HungUp"])
    expect(toldLost(became(back, { _tag: "PbxApplied", seq: 9, at: asking.pbx.proof_at }), lost_at)).toEqual(["HungUp"])
  })

  it("is stored as any other", () => {
    expect(JSON.parse(stateOfCall(back))).toEqual(JSON.parse(stateOfCall(asking)))
  })
})
