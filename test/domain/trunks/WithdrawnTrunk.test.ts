// What becomes of a trunk that the PBX has taken down because its registrar never comes to rest.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decideTrunk } from "../../../src/domain/trunks/DecideTrunk.ts"
import { planTrunk } from "../../../src/domain/trunks/PlanTrunk.ts"
import { readTrunk } from "../../../src/domain/trunks/ReadTrunk.ts"
import { registersTooOften } from "../../../src/domain/trunks/RegistrationRate.ts"
import { evolveTrunk, initialTrunk, type TrunkState } from "../../../src/domain/trunks/Trunk.ts"
import type { TrunkMessage } from "../../../src/domain/trunks/TrunkCommand.ts"
import { systemOrigin as origin } from "../../../src/domain/access/Origin.ts"
import { pbxTrunkId, trunkId, workspaceId } from "../../support/Ids.ts"

const request = { auth_mode: "registration", registrar: "sip.example.com", username: "u", password: "canary" } as const
const definition = Result.getOrThrow(readTrunk(request, false))
const create: TrunkMessage = { _tag: "Create", id: trunkId("t"), definition, locked: false, origin }
const change: TrunkMessage = { _tag: "Change", id: trunkId("t"), definition, locked: false, origin }
const report = (generation: number, reachable: boolean, withdrawn?: string): TrunkMessage => ({
  _tag: "Report",
  pbx_trunk_id: pbxTrunkId(`t.${generation}`),
  reachable,
  sip_code: null,
  registered_until: null,
  ...(withdrawn !== undefined && { withdrawn }),
  at: 0
})
const withdraws = (generation: number) => report(generation, false, registersTooOften)

const step = (state: TrunkState, ...commands: ReadonlyArray<TrunkMessage>): TrunkState =>
  commands.reduce(
    (before, command) => Result.getOrThrow(decideTrunk(before, command, 0)).events.reduce(evolveTrunk, before),
    state
  )
const setting_up = step(initialTrunk(workspaceId("w1")), create)
const probing = step(setting_up, { _tag: "ConfirmSetUp", generation: 1 })
const active = step(probing, report(1, true), { _tag: "ConfirmNumberMode", generation: 1 })
const renewing = step(active, change)

describe("a trunk that the PBX has withdrawn", () => {
  it.each<[string, TrunkState]>([
    ["while it is probed", probing],
    ["while it is set up", setting_up],
    ["while it carries calls", active],
    ["while it carries calls and did not answer", step(active, report(1, false))]
  ])("%s, fails, carries no calls and is not tried again", (_, state) => {
    const after = step(state, withdraws(1))
    assert.deepInclude(after.trunk, { status: "failed", status_reason: registersTooOften, serving: null })
    assert.deepStrictEqual(
      planTrunk(after).map(({ key }) => key),
      ["remove:t.1"]
    )
    assert.deepStrictEqual(step(after, withdraws(1)), after)
  })

  it("loses the version that carries calls, while another one is wanted", () => {
    const after = step(renewing, withdraws(1))
    assert.deepInclude(after.trunk, { status: "pending", serving: null })
    assert.deepStrictEqual([...after.removing], ["t.1"])
  })

  it("keeps the version that carries calls, if the wanted one is withdrawn", () => {
    const after = step(renewing, withdraws(2))
    assert.deepInclude(after.trunk, { status: "failed", status_reason: registersTooOften })
    assert.strictEqual(after.trunk?.serving?.generation, 1)
  })

  it("is tried again after a change", () => {
    assert.deepInclude(step(active, withdraws(1), change).trunk, { status: "pending", stage: "setting_up" })
  })
})
