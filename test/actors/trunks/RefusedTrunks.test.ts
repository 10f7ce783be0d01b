// When trunks whose host is refused are kept from the PBX, or taken off it.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { HostVerdict } from "../../../src/domain/targets/HostCheck.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { judging, kinds, make, onboarded, shown } from "../../support/ResyncEngine.ts"

describe("a trunk while it serves", () => {
  it.effect.each<[HostVerdict, string]>([
    ["not_public", "private_address"],
    ["of_platform", "host_of_platform"],
    ["of_others", "host_of_others"]
  ])("is taken off the PBX and told of once its host is %s", ([verdict, reason]) =>
    Effect.gen(function* () {
      const name: { verdict: HostVerdict } = { verdict: "allowed" }
      const memory = yield* MemoryJournal.make
      const own = yield* onboarded(memory, judging(name))
      yield* own.trunk(make("sip.example.com"))
      yield* own.pass(5)
      name.verdict = verdict
      yield* own.pass(130)
      assert.deepInclude(yield* shown(own), { status: "active", status_reason: reason })
      assert.deepStrictEqual([...own.registry.trunks.keys()], [])
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.active", "sip_trunk.unreachable"])
      name.verdict = "allowed"
      yield* own.pass(70)
      assert.deepInclude(yield* shown(own), { status: "active", status_reason: null })
      assert.deepStrictEqual([...own.registry.trunks.keys()], ["t.1"])
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.active", "sip_trunk.unreachable", "sip_trunk.recovered"])
    })
  )

  it.effect("is taken off a PBX that reconnects after its host was given to another", () =>
    Effect.gen(function* () {
      const name: { verdict: HostVerdict } = { verdict: "allowed" }
      const own = yield* onboarded(yield* MemoryJournal.make, judging(name))
      yield* own.trunk(make("sip.example.com"))
      yield* own.pass(5)
      yield* own.disconnect
      name.verdict = "of_others"
      yield* own.connect
      yield* own.pass(2)
      assert.deepStrictEqual([...own.registry.trunks.keys()], [])
      assert.deepInclude(yield* shown(own), { status: "active", status_reason: "host_of_others" })
    })
  )
})

describe("a new trunk", () => {
  it.effect.each<[HostVerdict, string]>([
    ["unknown", "sip_trunk.provisioning_failed"],
    ["not_public", "private_address"],
    ["of_platform", "host_of_platform"],
    ["of_others", "host_of_others"]
  ])("whose host is %s when it is set up fails, and the PBX never gets it", ([verdict, reason]) =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const own = yield* onboarded(memory, judging({ verdict }))
      yield* own.trunk(make("sip.example.com"))
      yield* own.pass(10)
      assert.deepInclude(yield* shown(own), { status: "failed", status_reason: reason })
      assert.deepStrictEqual([...own.registry.trunks.keys()], [])
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.failed"])
    })
  )

  it.effect("whose host another trunk has got while it was probed fails, and leaves the PBX", () =>
    Effect.gen(function* () {
      const name: { verdict: HostVerdict } = { verdict: "allowed" }
      const own = yield* onboarded(yield* MemoryJournal.make, judging(name))
      own.registry.silent.add("sip.example.com")
      yield* own.trunk(make("sip.example.com"))
      yield* own.pass(2)
      assert.deepStrictEqual([...own.registry.trunks.keys()], ["t.1"])
      name.verdict = "of_others"
      own.registry.silent.clear()
      yield* own.pass(30)
      assert.deepInclude(yield* shown(own), { status: "failed", status_reason: "host_of_others" })
      assert.deepStrictEqual([...own.registry.trunks.keys()], [])
    })
  )
})
