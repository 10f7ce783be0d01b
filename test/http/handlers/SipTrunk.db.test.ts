import { NumberCommands } from "../../../src/domain/numbers/NumberCommand.ts"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect } from "effect"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { TrunkCommands } from "../../../src/domain/trunks/TrunkCommand.ts"
import { WorkspaceCommands } from "../../../src/domain/workspace/WorkspaceCommand.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { byoNumberId } from "../../../src/domain/numbers/ByoNumber.ts"
import { Directory } from "../../../src/domain/ports/access/Directory.ts"
import type { TrunkRecord } from "../../../src/domain/trunks/TrunkRecord.ts"
import { PbxSimulator } from "../../../src/layers/pbx/simulator/PbxSimulator.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { VerifiedCallerIds } from "../../../src/actors/callerids/VerifiedCallerIds.ts"
import { connected, digest, getTrunk as get, newWorkspace, path, untilTrunk } from "../../support/OwnTrunk.ts"
import { assertPayload } from "../../support/EventPayloads.ts"
import type { WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { pbxTrunkId } from "../../support/Ids.ts"
import { until, untilHolds } from "../../support/Until.ts"

const peering = {
  auth_mode: "signaling",
  host: "peer.example.com",
  allowed_ips: ["8.8.8.8"],
  contact_email: "noc@example.com"
}

const pbx = Effect.map(Effect.context<never>(), (context) => Context.getUnsafe(context, PbxSimulator))

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("a SIP trunk", (it) => {
  it.effect("becomes active when the provider responds, and binds the workspace to its own numbers", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { id, key, made, trunk } = yield* connected
      assert.strictEqual(made.headers.get("location"), path)
      assert.deepInclude(made.body as TrunkRecord, {
        status: "pending",
        auth_mode: "digest",
        host: "sip.example.com",
        registrar: null
      })
      assert.deepInclude(trunk, { status: "active", status_reason: null })
      assert.deepInclude(trunk.health, { reachable: true, last_sip_code: 200 })
      const directory = yield* Directory
      yield* until("trunk that serves", directory.trunk(id), (own) => own?.id === `${trunk.id}.1`)
      assert.deepStrictEqual(
        [...(yield* pbx).registry.trunks].filter(([name]) => name.startsWith(trunk.id)),
        [[`${trunk.id}.1`, digest.host]]
      )
      const [workspace] = yield* sql<{ number_mode: string }>`SELECT number_mode FROM workspaces WHERE id = ${id}`
      assert.strictEqual(workspace!.number_mode, "byoc")
      const again = yield* ask({ path, key, body: digest })
      assert.deepStrictEqual([again.status, again.code], [409, "sip_trunk.already_exists"])
    })
  )

  it.effect("is created once for an Idempotency-Key", () =>
    Effect.gen(function* () {
      const { key } = yield* newWorkspace
      const headers = { "idempotency-key": "one" }
      const made = yield* ask({ path, key, body: digest, headers })
      const again = yield* ask({ path, key, body: digest, headers })
      assert.deepStrictEqual([again.status, again.text, again.headers.get("location")], [201, made.text, path])
    })
  )

  describe("is refused", () => {
    const rows: ReadonlyArray<[object, ReadonlyArray<string>]> = [
      [{ auth_mode: "magic" }, ["/auth_mode"]],
      [{ auth_mode: "ip" }, ["/host", "/allowed_ips"]],
      [{ auth_mode: "registration", registrar: "x y" }, ["/username", "/password", "/registrar"]],
      [{ ...peering, contact_email: "x" }, ["/contact_email"]]
    ]
    for (const [body, fields] of rows) {
      it.effect(`as ${JSON.stringify(body).slice(0, 60)} for ${fields.join(", ")}`, () =>
        Effect.gen(function* () {
          const { key } = yield* newWorkspace
          const answer = yield* ask({ path, key, body })
          assert.deepStrictEqual([answer.status, answer.code], [422, "sip_trunk.invalid"])
          const { error } = answer.body as { error: { details: Array<{ field: string }> } }
          assert.deepStrictEqual(
            error.details.map(({ field }) => field),
            fields
          )
          assert.strictEqual((yield* ask({ path, key })).code, "sip_trunk.not_found")
        })
      )
    }
    it.effect("if the body is malformed", () =>
      Effect.gen(function* () {
        const { key } = yield* newWorkspace
        assert.strictEqual((yield* ask({ path, key, body: { auth_mode: 1 } })).code, "validation.bad_request")
      })
    )
    it.effect("for a workspace that has platform numbers", () =>
      Effect.gen(function* () {
        const { api_key: key } = yield* DemoFile
        for (const method of ["POST", "PUT"]) {
          const answer = yield* ask({ method, path, key, body: digest })
          assert.deepStrictEqual([answer.status, answer.code], [409, "workspace.locked_to_platform_numbers"])
        }
        for (const method of ["GET", "DELETE"]) {
          const answer = yield* ask({ method, path, key })
          assert.deepStrictEqual([answer.status, answer.code], [404, "sip_trunk.not_found"])
        }
      })
    )
  })

  it.effect("fails if the workspace has chosen platform numbers meanwhile", () =>
    Effect.gen(function* () {
      const { id, key } = yield* newWorkspace
      const { registry } = yield* pbx
      registry.silent.add("slow.example.com")
      yield* ask({ path, key, body: { ...digest, host: "slow.example.com" } })
      yield* untilTrunk(key, ({ health }) => health.reachable === false)
      yield* (yield* ActorSystem).ask(WorkspaceCommands.ChooseNumberMode, id, { mode: "platform" })
      registry.silent.delete("slow.example.com")
      // The engine probes every twelve seconds; the PBX also tells by itself.
      registry.carryOut({
        id: "x",
        tenant_pbx_id: id,
        about: "x",
        action: {
          kind: "trunk.probe",
          trunk_id: [...registry.trunks].find(([, host]) => host === "slow.example.com")![0]
        }
      })
      const trunk = yield* untilTrunk(key, ({ status }) => status === "failed")
      assert.strictEqual(trunk.status_reason, "workspace.locked_to_platform_numbers")
    })
  )

  it.effect("fails if the PBX refuses it, and can then be changed", () =>
    Effect.gen(function* () {
      const { key } = yield* newWorkspace
      yield* ask({ path, key, body: { ...digest, host: "refused.example.com" } })
      assert.strictEqual(
        (yield* untilTrunk(key, ({ status }) => status === "failed")).status_reason,
        "sip_trunk.provisioning_failed"
      )
      yield* ask({ method: "PUT", path, key, body: digest })
      yield* untilTrunk(key, ({ status }) => status === "active")
    })
  )

  it.effect("can be changed: the old definition serves until the new one replaces it", () =>
    Effect.gen(function* () {
      const { key, trunk } = yield* connected
      const { registry } = yield* pbx
      const own = () => [...registry.trunks.keys()].filter((name) => name.startsWith(trunk.id))
      yield* ask({ method: "PUT", path, key, body: { ...digest, host: "refused.example.com" } })
      yield* untilTrunk(key, ({ status }) => status === "failed")
      assert.deepStrictEqual(own(), [`${trunk.id}.1`])
      const changed = yield* ask({ method: "PUT", path, key, body: { ...digest, label: "New" } })
      assert.deepInclude(changed.body as TrunkRecord, { id: trunk.id, status: "pending", label: "New" })
      yield* untilTrunk(key, ({ status }) => status === "active")
      yield* until("third version of the trunk alone", Effect.sync(own), (names) => names.join() === `${trunk.id}.3`)
      const invalid = yield* ask({ method: "PUT", path, key, body: { auth_mode: "digest" } })
      assert.deepStrictEqual([invalid.status, invalid.code], [422, "sip_trunk.invalid"])
    })
  )

  it.effect("can be deleted unless numbers use it", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { id, key, trunk } = yield* connected
      yield* sql`INSERT INTO numbers (id, workspace_id, number, status, source, country, type, capabilities, claimed_at)
        VALUES (gen_random_uuid(), ${id}, ${`+2547${id.slice(-8).replaceAll(/[a-f]/g, "0")}`}, 'active', 'byo', 'KE', 'mobile', '{voice}', now())`
      const used = yield* ask({ method: "DELETE", path, key })
      assert.deepStrictEqual([used.status, used.code], [409, "sip_trunk.in_use"])
      yield* sql`DELETE FROM numbers WHERE workspace_id = ${id}`
      assert.strictEqual((yield* ask({ method: "DELETE", path, key })).status, 204)
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = yield* ask({ method, path, key, ...(method === "PUT" && { body: digest }) })
        assert.deepStrictEqual([answer.status, answer.code], [404, "sip_trunk.not_found"])
      }
      const { registry } = yield* pbx
      yield* untilHolds("removal of the trunk", () => !registry.trunks.has(pbxTrunkId(`${trunk.id}.1`)))
      assert.strictEqual((yield* ask({ path, key, body: digest })).status, 201)
    })
  )

  it.effect(
    "that is deleted while a number is registered over it: one request succeeds, the other gets the reason",
    () =>
      Effect.gen(function* () {
        const { id, key } = yield* connected
        let digits = 254_711_100_000
        const callerIds = yield* VerifiedCallerIds
        for (let next = 0; next < 75; next++) yield* callerIds.approve(id, `+${digits + next}`, systemOrigin)
        for (let round = 0; round < 25; round++) {
          const numbers = Array.from({ length: 3 }, () => `+${digits++}`)
          const [deleted, ...brought] = yield* Effect.all(
            [
              ask({ method: "DELETE", path, key }),
              ...numbers.map((number) => ask({ path: "/v1/numbers/byo", key, body: { number } }))
            ],
            { concurrency: "unbounded" }
          )
          const kept = brought.filter(({ status }) => status === 201)
          if (deleted!.status === 204) {
            assert.deepStrictEqual(
              brought.map(({ code, status }) => [status, code]),
              numbers.map(() => [409, "numbers.byo_requires_trunk"])
            )
            yield* ask({ path, key, body: digest })
            yield* untilTrunk(key, ({ status }) => status === "active")
          } else {
            assert.deepStrictEqual([deleted!.status, deleted!.code], [409, "sip_trunk.in_use"])
            assert.strictEqual(kept.length, numbers.length)
          }
          yield* Effect.forEach(kept, ({ body }) =>
            ask({ method: "DELETE", path: `/v1/numbers/byo/${(body as { id: string }).id}`, key })
          )
        }
        // What was looked up before may be out of date when it is written: the database has the last word.
        const system = yield* ActorSystem
        const facts = {
          number: "+254711100999",
          series_id: null,
          source: "byo",
          country: "KE",
          type: "national",
          locality: null,
          capabilities: ["voice"]
        } as const
        const register = (workspace_id: WorkspaceId) =>
          system.ask(NumberCommands.Register, byoNumberId(facts.number), {
            workspace_id,
            facts,
            label: null,
            change: {},
            origin: systemOrigin
          })
        const other = yield* newWorkspace
        assert.deepInclude(yield* Effect.flip(register(other.id)), { _tag: "NotCommitted", reason: "stale" })
        assert.strictEqual((yield* register(id)).status, "active")
        const ended = system.ask(TrunkCommands.Delete, id, { in_use: false, origin: systemOrigin })
        assert.deepInclude(yield* Effect.flip(ended), { _tag: "NotCommitted", reason: "stale" })
        assert.strictEqual((yield* get(key)).status, "active")
      })
  )

  it.effect("for peering waits for an operator's approval", () =>
    Effect.gen(function* () {
      const { operator_session, owner_session } = yield* DemoFile
      const decide = (id: string, verb: string, body?: object) =>
        ask({
          path: `/v1/admin/sip-trunks/${id}/${verb}`,
          method: "POST",
          body,
          headers: { cookie: `session=${operator_session}` }
        })
      const [good, bad, unwanted] = [yield* newWorkspace, yield* newWorkspace, yield* newWorkspace]
      const make = (key: string, more: object = {}) =>
        Effect.map(ask({ path, key, body: { ...peering, ...more } }), ({ body }) => body as TrunkRecord)
      const made = yield* make(good.key)
      assert.deepInclude(made, { status: "pending", status_reason: "approval", approved_at: null })
      const outsider = yield* ask({
        path: `/v1/admin/sip-trunks/${made.id}/approve`,
        method: "POST",
        headers: { cookie: `session=${owner_session}` }
      })
      assert.deepStrictEqual([outsider.status, outsider.code], [403, "auth.admin_required"])
      const approved = yield* decide(made.id, "approve")
      assert.deepInclude(approved.body as TrunkRecord, { id: made.id, status: "active" })
      assert.isNotNull((approved.body as TrunkRecord).approved_at)
      assert.strictEqual((yield* decide(made.id, "approve")).status, 200)
      const { id: refused } = yield* make(bad.key, { host: "refused.example.com", allowed_ips: ["8.8.4.4"] })
      const failure = yield* decide(refused, "approve")
      assert.deepStrictEqual([failure.status, failure.code], [502, "sip_trunk.provisioning_failed"])
      assert.deepInclude(yield* get(bad.key), { status: "failed", status_reason: "sip_trunk.provisioning_failed" })
      const joined = yield* ask({ path, key: unwanted.key, body: peering })
      assert.deepStrictEqual([joined.status, joined.code], [422, "sip_trunk.invalid"])
      const fields = (joined.body as { error: { details: Array<{ field: string; code: string }> } }).error.details
      assert.deepStrictEqual(
        fields.map(({ code, field }) => `${field} ${code}`),
        ["/host host_of_others", "/allowed_ips/0 range_of_others"]
      )
      const own = { host: "unwanted.example.com", allowed_ips: ["8.8.4.5"] }
      const rejected = yield* decide((yield* make(unwanted.key, own)).id, "reject", { reason: "not a carrier" })
      assert.deepInclude(rejected.body as TrunkRecord, { status: "failed", status_reason: "rejected: not a carrier" })
      for (const verb of ["approve", "reject"]) {
        const unknown = yield* decide("0199a000-0000-7000-8000-0000000000ff", verb)
        assert.deepStrictEqual([unknown.status, unknown.code], [404, "sip_trunk.not_found"])
      }
    })
  )

  it.effect("is restored to a PBX that lost its state", () =>
    Effect.gen(function* () {
      const { trunk } = yield* connected
      const { connect, disconnect, registry } = yield* pbx
      yield* disconnect
      registry.trunks.clear()
      yield* connect
      yield* untilHolds("trunk at the PBX", () => registry.trunks.has(pbxTrunkId(`${trunk.id}.1`)))
    })
  )

  it.effect("writes events and audit lines, none with its password", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { id, key, trunk } = yield* connected
      yield* ask({ method: "DELETE", path, key })
      const events = yield* sql<{
        kind: string
        payload: unknown
      }>`SELECT kind, payload FROM events WHERE subject_id = ${trunk.id} ORDER BY sequence`
      for (const { kind, payload } of events) assertPayload(kind, payload)
      assert.deepStrictEqual(
        events.map(({ kind }) => kind),
        ["sip_trunk.active"]
      )
      const audit = yield* sql<{
        action_kind: string
      }>`SELECT action_kind FROM audit_entries WHERE workspace_id = ${id} ORDER BY sequence`
      assert.deepStrictEqual(
        audit.map(({ action_kind }) => action_kind),
        ["sip_trunk.created", "sip_trunk.deleted"]
      )
      const rows = yield* sql<{ text: string }>`
        SELECT payload::text AS text FROM events UNION ALL SELECT to_json(a)::text FROM audit_entries a
        UNION ALL SELECT state::text FROM sip_trunks UNION ALL SELECT to_json(i)::text FROM idempotency_keys i`
      assert.isAbove(rows.length, 10)
      assert.notInclude(rows.map(({ text }) => text).join("\n") + JSON.stringify(yield* get(key)), "canary-password")
    })
  )
})
