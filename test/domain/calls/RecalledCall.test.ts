import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import type { Call } from "../../../src/domain/calls/Call.ts"
import { decideCall } from "../../../src/domain/calls/DecideCall.ts"
import { restoreCall, stateOfCall } from "../../../src/domain/calls/StoredCall.ts"
import { asking, became, facts } from "./Fixtures.ts"

const lost_at = asking.pbx.proof_at + 180_000
const back = restoreCall(
  { version: 1, workspace_id: facts.workspace_id, state: stateOfCall(asking), alarm: null, holds: [] },
  asking.id
)

const toldLost = (call: Call, now: number) =>
  Result.getOrThrow(decideCall(call, { _tag: "SessionLost" }, now)).events.map(({ _tag }) => _tag)

describe("a call of whose session nothing was heard for three minutes", () => {
  it("is lost, where the engine was there to hear it", () => {
    expect(toldLost(asking, lost_at - 1)).toEqual([])
    expect(toldLost(asking, lost_at)).toEqual(["HungUp"])
  })

  it("has its PBX asked first, where the engine is only just back", () => {
    expect(toldLost(back, lost_at)).toEqual(["Resumed"])
    const resumed = became(back, { _tag: "Resumed", at: lost_at })
    expect(toldLost(resumed, lost_at + 89_999)).toEqual([])
    expect(toldLost(resumed, lost_at + 90_000)).toEqual(["HungUp"])
  })

  it("is lost, where the PBX has spoken since the engine is back, and no more after that", () => {
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
