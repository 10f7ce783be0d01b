// What becomes of a trunk whose host or range is refused: because it is the platform's, another workspace's or private.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin as origin } from "../../../src/domain/access/Origin.ts"
import { decideTrunk } from "../../../src/domain/trunks/DecideTrunk.ts"
import { readTrunk } from "../../../src/domain/trunks/ReadTrunk.ts"
import { evolveTrunk, initialTrunk, recordOf, type TrunkState } from "../../../src/domain/trunks/Trunk.ts"
import type { TrunkMessage } from "../../../src/domain/trunks/TrunkCommand.ts"
import { pbxTrunkId, trunkId, workspaceId } from "../../support/Ids.ts"

const definition = Result.getOrThrow(
  readTrunk({ auth_mode: "ip", host: "sip.example.com", allowed_ips: ["8.8.8.8"] }, false)
)
const about = { id: trunkId("t"), definition, locked: false, origin }
const setUp = (generation = 1): TrunkMessage => ({ _tag: "ConfirmSetUp", generation })
const chosen = (generation = 1): TrunkMessage => ({ _tag: "ConfirmNumberMode", generation })
const report = (reachable: boolean, generation = 1): TrunkMessage => ({
  _tag: "Report",
  pbx_trunk_id: pbxTrunkId(`t.${generation}`),
  reachable,
  sip_code: null,
  registered_until: null,
  at: 0
})
const refuse = (code: string | null, generation = 1): TrunkMessage => ({
  _tag: "Refuse",
  pbx_trunk_id: pbxTrunkId(`t.${generation}`),
  code
})
const locate = (...addresses: ReadonlyArray<string>): TrunkMessage => ({ _tag: "Locate", generation: 1, addresses })

const step = (state: TrunkState, command: TrunkMessage): TrunkState =>
  Result.getOrThrow(decideTrunk(state, command, 0)).events.reduce(evolveTrunk, state)
const after = (state: TrunkState, ...commands: ReadonlyArray<TrunkMessage>) => commands.reduce(step, state)

const setting_up = after(initialTrunk(workspaceId("w1")), { _tag: "Create", ...about })
const probing = after(setting_up, setUp())
const active = after(probing, report(true), chosen())
const renewing = after(active, { _tag: "Change", ...about })

describe("a trunk that is refused", () => {
  const withdrawn = step(active, refuse("host_of_platform"))
  const tags = (state: TrunkState, command: TrunkMessage) =>
    Result.getOrThrow(decideTrunk(state, command, 0)).events.map(({ _tag }) => _tag)

  it("while it is new has failed", () => {
    assert.strictEqual(step(probing, refuse("host_of_others")).trunk?.status, "failed")
    assert.strictEqual(recordOf(step(probing, refuse("host_of_others")).trunk!).status_reason, "host_of_others")
    // A name without an address may get one before the probes are over.
    assert.strictEqual(step(probing, refuse(null)).trunk?.stage, "probing")
    const late = decideTrunk(setting_up, { _tag: "FailSetUp", generation: 1, final: true, code: "host_of_others" }, 0)
    assert.deepStrictEqual(Result.getOrThrow(late).events.at(-1), { _tag: "Failed", reason: "host_of_others", at: 0 })
  })

  it("while it is active says why, once, until it is back", () => {
    assert.deepStrictEqual(tags(active, refuse("host_of_platform")), ["Reported", "Withdrawn"])
    assert.deepInclude(recordOf(withdrawn.trunk!), { status: "active", status_reason: "host_of_platform" })
    assert.isFalse(withdrawn.trunk!.health.reachable)
    assert.deepStrictEqual(tags(withdrawn, refuse("host_of_platform")), ["Reported"])
    assert.deepStrictEqual(tags(withdrawn, refuse("private_address")), ["Reported", "Withdrawn"])
    assert.deepStrictEqual(tags(active, refuse(null)), ["Reported"])
    assert.deepStrictEqual(tags(active, refuse("host_of_platform", 7)), [])
    // What the PBX saw before the trunk was taken off it.
    assert.deepStrictEqual(tags(withdrawn, report(true)), [])
    const back = step(withdrawn, locate("8.8.8.8"))
    assert.isNull(recordOf(back.trunk!).status_reason)
    assert.deepStrictEqual(tags(back, report(true)), ["Reported", "Recovered"])
  })

  it("while another definition is pending shows the state of that one", () => {
    const both = step(renewing, refuse("host_of_others"))
    assert.deepInclude(recordOf(both.trunk!), { status: "pending", status_reason: null })
    const next = [setUp(2), report(true, 2), chosen(2)].reduce((state, command) => step(state, command), both)
    assert.deepInclude(recordOf(next.trunk!), { status: "active", status_reason: null })
  })
})
