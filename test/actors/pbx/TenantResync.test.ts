import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { passwordPlace } from "../../../src/actors/credentials/CredentialSecrets.ts"
import { sealContext } from "../../../src/actors/shared/SealedResponse.ts"
import { systemOrigin as origin } from "../../../src/domain/access/Origin.ts"
import type { HostVerdict } from "../../../src/domain/targets/HostCheck.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { credentialId, numberId } from "../../support/Ids.ts"
import type { CredentialId } from "../../../src/domain/BrandedIds.ts"

import { engine, id, judging, kinds, make, onboarded, shown, vault } from "../../support/ResyncEngine.ts"

const sealed = (credential_id: CredentialId, password: string) =>
  vault.seal(password, sealContext(passwordPlace, credential_id, id))
const propose = (credential_id: CredentialId) =>
  ({
    _tag: "Propose",
    credential: {
      id: credential_id,
      number_id: numberId("n"),
      number: "+254700000001",
      extension: "1001",
      username: `1001-${credential_id}`,
      label: null,
      display_name: null,
      max_contacts: 3,
      password: sealed(credential_id, "first")
    }
  }) as const
const seen = { domain: "d", registrations: [], last_registered_at: null }

describe("credentials", () => {
  it.effect(
    "that were proposed by an engine that died are taken off the PBX by the next, and their extension is free",
    () =>
      Effect.gen(function* () {
        const memory = yield* MemoryJournal.make
        const first = yield* Scope.make()
        const dying = yield* Scope.provide(engine(memory), first)
        yield* dying.credentials(propose(credentialId("a")))
        yield* dying.credentials(propose(credentialId("b"))).pipe(
          Effect.flip,
          Effect.map(({ _tag }) => assert.strictEqual(_tag, "numbers.extension_taken"))
        )
        memory.crash()
        yield* Scope.close(first, Exit.void)
        const { credentials, pass, registry } = yield* engine(memory)
        registry.users.set(credentialId("a"), { tenant_pbx_id: "acme", username: "1001-a", passwords: ["first"] })
        yield* pass(20)
        assert.isFalse(registry.users.has(credentialId("a")))
        assert.deepStrictEqual(yield* credentials(propose(credentialId("b"))), { revision: 1 })
      })
  )

  it.effect("whose rotation was never confirmed keep the password that they had", () =>
    Effect.gen(function* () {
      const { credentials, pass, registry } = yield* engine(yield* MemoryJournal.make)
      yield* credentials(propose(credentialId("a")))
      yield* credentials({ _tag: "Confirm", id: credentialId("a"), revision: 1, origin, seen })
      yield* credentials({
        _tag: "ProposeRotation",
        number_id: numberId("n"),
        id: credentialId("a"),
        password: sealed(credentialId("a"), "second"),
        grace_seconds: 0
      })
      registry.users.set(credentialId("a"), { tenant_pbx_id: "acme", username: "1001-a", passwords: ["second"] })
      yield* pass(20)
      assert.deepStrictEqual(registry.users.get(credentialId("a"))?.passwords, ["first"])
    })
  )

  it.effect("that are revoked while the PBX is away are taken off when it is back, across a crash of the engine", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const first = yield* Scope.make()
      const dying = yield* Scope.provide(engine(memory), first)
      yield* dying.credentials(propose(credentialId("a")))
      yield* dying.credentials({ _tag: "Confirm", id: credentialId("a"), revision: 1, origin, seen })
      yield* dying.pass(1)
      yield* dying.disconnect
      yield* dying.credentials({ _tag: "Revoke", number_id: numberId("n"), id: credentialId("a"), origin, seen })
      memory.crash()
      yield* Scope.close(first, Exit.void)
      const { disconnect, connect, pass, registry } = yield* engine(memory)
      yield* disconnect
      registry.users.set(credentialId("a"), { tenant_pbx_id: "acme", username: "1001-a", passwords: ["first"] })
      yield* pass(5)
      assert.isTrue(registry.users.has(credentialId("a")))
      yield* connect
      yield* pass(5)
      assert.isFalse(registry.users.has(credentialId("a")))
    })
  )
})

describe("a trunk", () => {
  it.effect("that never answers is probed five times, and fails within a minute", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const own = yield* onboarded(memory)
      yield* own.trunk(make("silent.example.com"))
      yield* own.pass(55)
      assert.strictEqual((yield* shown(own)).status, "pending")
      yield* own.pass(10)
      assert.deepInclude(yield* shown(own), { status: "failed", status_reason: "unreachable" })
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.failed"])
      assert.deepStrictEqual([...own.registry.trunks.keys()], [])
    })
  )

  it.effect("that answers late becomes active all the same", () =>
    Effect.gen(function* () {
      const own = yield* onboarded(yield* MemoryJournal.make)
      own.registry.silent.add("late.example.com")
      yield* own.trunk(make("late.example.com"))
      yield* own.pass(30)
      own.registry.silent.clear()
      yield* own.pass(15)
      assert.strictEqual((yield* shown(own)).status, "active")
    })
  )

  it.effect("that serves and falls silent is told of after a quarter of an hour, and once it is back", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const own = yield* onboarded(memory)
      yield* own.trunk(make("sip.example.com"))
      yield* own.pass(5)
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.active"])
      own.registry.silent.add("sip.example.com")
      yield* own.pass(14 * 60)
      assert.deepInclude((yield* shown(own)).health, { reachable: false, last_sip_code: 408 })
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.active"])
      yield* own.pass(3 * 60)
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.active", "sip_trunk.unreachable"])
      assert.strictEqual((yield* shown(own)).status, "active")
      own.registry.silent.clear()
      yield* own.pass(70)
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.active", "sip_trunk.unreachable", "sip_trunk.recovered"])
      assert.isTrue((yield* shown(own)).health.reachable)
    })
  )

  it.effect("waits for a PBX that is away", () =>
    Effect.gen(function* () {
      const own = yield* onboarded(yield* MemoryJournal.make)
      yield* own.disconnect
      yield* own.trunk(make("sip.example.com"))
      yield* own.pass(120)
      assert.strictEqual((yield* shown(own)).status, "pending")
      yield* own.connect
      yield* own.pass(10)
      assert.strictEqual((yield* shown(own)).status, "active")
    })
  )

  it.effect("goes on becoming active in the next engine when one has died", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const first = yield* Scope.make()
      const dying = yield* Scope.provide(onboarded(memory), first)
      yield* dying.trunk(make("sip.example.com"))
      memory.crash()
      yield* Scope.close(first, Exit.void)
      const own = yield* engine(memory)
      yield* own.pass(30)
      assert.strictEqual((yield* shown(own)).status, "active")
      assert.deepStrictEqual(kinds(memory), ["sip_trunk.active"])
    })
  )
})

describe("a trunk while it serves", () => {
  it.effect("that registers shows until when, and one that does not shows nothing", () =>
    Effect.gen(function* () {
      const own = yield* onboarded(yield* MemoryJournal.make)
      yield* own.trunk(make("sip.example.com", { auth_mode: "registration", expires_seconds: 600 }))
      yield* own.pass(5)
      const { last_checked_at, registered_until } = (yield* shown(own)).health
      assert.strictEqual(Date.parse(registered_until!) - Date.parse(last_checked_at!), 600_000)
      own.registry.silent.add("sip.example.com")
      yield* own.pass(70)
      assert.deepInclude((yield* shown(own)).health, { reachable: false, registered_until: null })
      own.registry.silent.clear()

      const other = yield* onboarded(yield* MemoryJournal.make)
      yield* other.trunk(make("sip.example.com"))
      yield* other.pass(5)
      assert.deepInclude((yield* shown(other)).health, { reachable: true, registered_until: null })
    })
  )

  it.effect("is taken off the PBX while its name has an address that is not public, and put back afterwards", () =>
    Effect.gen(function* () {
      const name: { verdict: HostVerdict } = { verdict: "allowed" }
      const own = yield* onboarded(yield* MemoryJournal.make, judging(name))
      const onPbx = (): ReadonlyArray<string> => [...own.registry.trunks.keys()]
      yield* own.trunk(make("sip.example.com", { transport: "tls" }))
      yield* own.pass(5)
      assert.strictEqual((yield* shown(own)).status, "active")
      assert.deepStrictEqual(onPbx(), ["t.1"])
      for (const [verdict, left] of [
        ["unknown", ["t.1"]],
        ["not_public", []]
      ] as const) {
        name.verdict = verdict
        yield* own.pass(130)
        assert.deepInclude((yield* shown(own)).health, { reachable: false, last_sip_code: null })
        assert.deepStrictEqual(onPbx(), [...left])
      }
      name.verdict = "allowed"
      yield* own.pass(70)
      assert.deepStrictEqual(onPbx(), ["t.1"])
      assert.deepInclude((yield* shown(own)).health, { reachable: true })
    })
  )
})
