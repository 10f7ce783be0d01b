import { PgClient } from "@effect/sql-pg"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { PbxIngest } from "../../../src/actors/ingest/PbxIngest.ts"
import type { CredentialRecord } from "../../../src/domain/credentials/CredentialRecord.ts"
import { Directory } from "../../../src/domain/ports/access/Directory.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { proveNumber } from "../../support/ProveNumber.ts"
import { connected } from "../../support/OwnTrunk.ts"
import { change, create, eventually, list, passwordsOf, pathOf, pbx, type Shown } from "../../support/SipCredentials.ts"
import { assertPayload } from "../../support/EventPayloads.ts"

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("SIP credentials", (it) => {
  it.effect("exist on the PBX at once, and show their password only when created", () =>
    Effect.gen(function* () {
      const made = yield* create("1001", { label: "Desk", display_name: "Asha" }, { "idempotency-key": "one" })
      assert.strictEqual(made.status, 201)
      const { password, ...credential } = made.body as Shown
      assert.deepInclude(credential, {
        extension: "1001",
        label: "Desk",
        display_name: "Asha",
        status: "active",
        max_contacts: 3,
        registrations: [],
        last_registered_at: null,
        rotated_at: null,
        revoked_at: null,
        domain: "127.0.0.1"
      })
      assert.match(credential.username, /^1001-[0-9a-f]{12}$/)
      assert.match(password, /^[A-Za-z0-9]{24}$/)
      assert.deepStrictEqual(yield* passwordsOf(credential.id), [password])
      assert.strictEqual(made.headers.get("location"), yield* pathOf)

      const again = yield* create("1001", { label: "Desk", display_name: "Asha" }, { "idempotency-key": "one" })
      assert.deepStrictEqual(
        [again.status, again.text, again.headers.get("idempotent-replayed")],
        [201, made.text, "true"]
      )
      assert.deepStrictEqual(
        (yield* list).find(({ id }) => id === credential.id),
        credential
      )
      const { workspace_id } = yield* DemoFile
      const directory = yield* Directory
      yield* eventually(
        "the extension is known",
        Effect.map(directory.extensions(workspace_id), ({ all }) =>
          all.find(({ credential_id, extension }) => credential_id === credential.id && extension === "1001")
        )
      )
    })
  )

  describe("are rejected", () => {
    const rows: ReadonlyArray<[string, object, number, string]> = [
      ["five digits", { extension: "10011" }, 422, "numbers.extension_invalid"],
      ["letters", { extension: "10a1" }, 422, "numbers.extension_invalid"],
      ["digits of another script", { extension: "١٠٠١" }, 422, "numbers.extension_invalid"],
      ["a number", { extension: 1001 }, 400, "validation.bad_request"],
      ["eleven devices", { extension: "1100", max_contacts: 11 }, 400, "validation.bad_request"],
      [
        "a display name with a quotation mark",
        { extension: "1100", display_name: 'a" <sip:x' },
        400,
        "validation.bad_request"
      ],
      ["an extension that the registrar rejects", { extension: "0000" }, 502, "numbers.sip_provisioning_failed"]
    ]
    for (const [name, body, status, code] of rows) {
      it.effect(`with ${name}: ${code}`, () =>
        Effect.gen(function* () {
          const before = yield* list
          const { api_key: key } = yield* DemoFile
          const answer = yield* ask({ path: yield* pathOf, key, body })
          assert.deepStrictEqual([answer.status, answer.code], [status, code])
          assert.deepStrictEqual(yield* list, before)
        })
      )
    }
    it.effect("with an extension that is taken: one of twenty concurrent requests succeeds", () =>
      Effect.gen(function* () {
        const answers = yield* Effect.all(
          Array.from({ length: 20 }, () => create("1002")),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(answers.filter(({ status }) => status === 201).length, 1)
        assert.strictEqual(answers.filter(({ code }) => code === "numbers.extension_taken").length, 19)
      })
    )
  })

  it.effect("are rotated, and the old password works for the grace period", () =>
    Effect.gen(function* () {
      const { id, password } = (yield* create("1003")).body as Shown
      const rotated = yield* change(id, "rotate", { grace_seconds: 1 }, { "idempotency-key": "turn" })
      const shown = rotated.body as Shown
      assert.strictEqual(rotated.status, 200)
      assert.notStrictEqual(shown.password, password)
      assert.isNotNull(shown.rotated_at)
      assert.deepStrictEqual(yield* passwordsOf(id), [shown.password, password])
      assert.strictEqual(
        (yield* change(id, "rotate", { grace_seconds: 1 }, { "idempotency-key": "turn" })).text,
        rotated.text
      )
      yield* eventually(
        "the grace ends",
        Effect.map(passwordsOf(id), (passwords) => passwords?.length === 1)
      )
      const at_once = yield* change(id, "rotate")
      assert.deepStrictEqual(yield* passwordsOf(id), [(at_once.body as Shown).password])
      const { api_key: key } = yield* DemoFile
      const bodiless = yield* ask({ path: `${yield* pathOf}/${id}/rotate`, key, method: "POST" })
      assert.deepStrictEqual([bodiless.status, yield* passwordsOf(id)], [200, [(bodiless.body as Shown).password]])
      assert.strictEqual((yield* change(id, "rotate", { grace_seconds: 3601 })).code, "validation.bad_request")
    })
  )

  it.effect("are revoked for good: the PBX deletes them, and the extension is free again", () =>
    Effect.gen(function* () {
      const first = (yield* create("1004")).body as Shown
      const revoked = yield* change(first.id, "revoke", {}, { "idempotency-key": "end" })
      assert.strictEqual(revoked.status, 200)
      assert.deepInclude(revoked.body as CredentialRecord, { status: "revoked", extension: "1004" })
      assert.strictEqual((yield* change(first.id, "revoke", {}, { "idempotency-key": "end" })).text, revoked.text)
      yield* eventually(
        "the PBX has forgotten it",
        Effect.map(passwordsOf(first.id), (passwords) => passwords === undefined)
      )
      for (const verb of ["revoke", "rotate"]) {
        const answer = yield* change(first.id, verb)
        assert.deepStrictEqual([answer.status, answer.code], [409, "numbers.sip_credentials.already_revoked"])
      }
      const second = (yield* create("1004")).body as Shown
      assert.notStrictEqual(second.username, first.username)
      const { api_key: key } = yield* DemoFile
      const removed = yield* ask({ path: `${yield* pathOf}/${second.id}`, method: "DELETE", key })
      assert.deepStrictEqual([removed.status, (removed.body as CredentialRecord).status], [200, "revoked"])
      assert.strictEqual(
        (yield* ask({ path: `${yield* pathOf}/${second.id}`, method: "DELETE", key })).code,
        "numbers.sip_credentials.already_revoked"
      )
    })
  )

  it.effect("are not found by other workspaces", () =>
    Effect.gen(function* () {
      const { id } = (yield* create("1005")).body as Shown
      const { other_workspace } = yield* DemoFile
      const theirs = `/v1/numbers/${other_workspace.number.id}/sip-credentials`
      const own = yield* pathOf
      const rows: ReadonlyArray<[string, string, string]> = [
        ["GET", own, "numbers.not_found"],
        ["POST", own, "numbers.not_found"],
        ["POST", `${own}/${id}/rotate`, "numbers.not_found"],
        ["POST", `${own}/${id}/revoke`, "numbers.not_found"],
        ["DELETE", `${own}/${id}`, "numbers.not_found"],
        ["POST", `${theirs}/${id}/rotate`, "numbers.sip_credentials.not_found"],
        ["POST", `${theirs}/${id}/revoke`, "numbers.sip_credentials.not_found"],
        ["DELETE", `${theirs}/${id}`, "numbers.sip_credentials.not_found"]
      ]
      for (const [method, path, code] of rows) {
        const answer = yield* ask({
          method,
          path,
          key: other_workspace.api_key,
          ...(method === "POST" && { body: { extension: "1005" } })
        })
        assert.deepStrictEqual([answer.status, answer.code], [404, code], `${method} ${path}`)
      }
    })
  )

  it.effect("list their registered devices until the registrations end", () =>
    Effect.gen(function* () {
      const { id, username } = (yield* create("1006")).body as Shown
      const { tenant_pbx_id, workspace_id } = yield* DemoFile
      const directory = yield* Directory
      yield* eventually(
        "the extension is known",
        Effect.map(directory.extensions(workspace_id), ({ all }) => all.some((it) => it.username === username))
      )
      const ingest = yield* PbxIngest
      let told = 0
      const report = (registration: "registered" | "unregistered", contact: string, lives_ms: number, ago_ms = 0) =>
        Effect.map(
          Effect.suspend(() => {
            const now = Date.now() - ago_ms
            return ingest.ingest("default", [
              {
                event_id: `0199e000-0000-7000-8000-${String(++told).padStart(12, "0")}`,
                tenant_pbx_id,
                type: "registration.changed",
                seq: 1,
                occurred_at: new Date(now).toISOString(),
                data: {
                  username,
                  contact,
                  registration,
                  expires_at: new Date(now + lives_ms).toISOString(),
                  user_agent: "Phone/1",
                  transport: "udp"
                }
              }
            ])
          }),
          ({ accepted }) => accepted
        )
      const contacts = Effect.map(list, (all) =>
        all
          .find((it) => it.id === id)!
          .registrations.map(({ contact }) => contact)
          .sort()
      )
      assert.strictEqual(yield* report("registered", "sip:a@192.0.2.1", 60_000), 1)
      yield* report("registered", "sip:b@192.0.2.2", 60_000)
      assert.deepStrictEqual(yield* contacts, ["sip:a@192.0.2.1", "sip:b@192.0.2.2"])
      yield* report("unregistered", "sip:a@192.0.2.1", 0)
      assert.deepStrictEqual(yield* contacts, ["sip:b@192.0.2.2"])
      // What was sent at once may come in any order.
      yield* report("unregistered", "sip:c@192.0.2.3", 0)
      yield* report("registered", "sip:c@192.0.2.3", 120_000, 60_000)
      assert.deepStrictEqual(yield* contacts, ["sip:b@192.0.2.2"])
      yield* report("registered", "sip:b@192.0.2.2", -1)
      const [credential] = (yield* list).filter((it) => it.id === id)
      assert.deepStrictEqual(credential!.registrations, [])
      assert.isNotNull(credential!.last_registered_at)
    })
  )

  it.effect("are restored to a PBX that lost its state, except revoked ones", () =>
    Effect.gen(function* () {
      const kept = (yield* create("1007")).body as Shown
      const gone = (yield* create("1008")).body as Shown
      const { connect, disconnect, registry } = yield* pbx
      yield* disconnect
      registry.users.clear()
      const offline = yield* create("1009")
      assert.deepStrictEqual([offline.status, offline.code], [502, "numbers.sip_provisioning_failed"])
      assert.strictEqual((yield* change(kept.id, "rotate")).code, "numbers.sip_provisioning_failed")
      assert.strictEqual((yield* change(gone.id, "revoke")).status, 200)
      yield* connect
      yield* eventually(
        "it is back",
        Effect.map(passwordsOf(kept.id), (passwords) => passwords?.[0] === kept.password)
      )
      assert.isUndefined(yield* passwordsOf(gone.id))
      assert.strictEqual((yield* create("1009")).status, 201)
    })
  )

  it.effect("are revoked when their number is released", () =>
    Effect.gen(function* () {
      const { api_key: key, workspace_id } = yield* DemoFile
      const [item] = (yield* ask({ path: "/v1/numbers/available?country=KE&limit=1", key })).body as Array<{
        inventory_id: string
      }>
      const number = `/v1/numbers/${item!.inventory_id}`
      assert.strictEqual((yield* ask({ path: `${number}/claim`, method: "POST", key })).status, 201)
      const { id } = (yield* ask({ path: `${number}/sip-credentials`, key, body: { extension: "3000" } })).body as Shown
      assert.strictEqual((yield* ask({ path: `${number}/release`, method: "POST", key })).status, 200)
      yield* eventually(
        "the PBX has forgotten it",
        Effect.map(passwordsOf(id), (passwords) => passwords === undefined)
      )
      const directory = yield* Directory
      const known = Effect.map(directory.extensions(workspace_id), ({ all }) =>
        all.some(({ extension }) => extension === "3000")
      )
      yield* eventually(
        "nobody answers to it",
        Effect.map(known, (is) => !is)
      )
      const late = yield* ask({ path: `${number}/sip-credentials`, key, body: { extension: "3001" } })
      assert.deepStrictEqual([late.status, late.code], [409, "numbers.not_active"])
    })
  )

  it.effect("are revoked when their number is reassigned, or removed as an own number of the workspace", () =>
    Effect.gen(function* () {
      const { api_key: key, operator_session, other_workspace } = yield* DemoFile
      const [item] = (yield* ask({ path: "/v1/numbers/available?country=KE&limit=1", key })).body as Array<{
        inventory_id: string
      }>
      const number = `/v1/numbers/${item!.inventory_id}`
      assert.strictEqual((yield* ask({ path: `${number}/claim`, method: "POST", key })).status, 201)
      const given = (yield* ask({ path: `${number}/sip-credentials`, key, body: { extension: "3100" } })).body as Shown
      const reassigned = yield* ask({
        path: `/v1/admin/numbers/${item!.inventory_id}/reassign`,
        body: { workspace_id: other_workspace.workspace_id },
        headers: { cookie: `session=${operator_session}` }
      })
      assert.strictEqual(reassigned.status, 200)
      const own = yield* connected
      yield* proveNumber(own.key, "+254711000777")
      const brought = (yield* ask({ path: "/v1/numbers/byo", key: own.key, body: { number: "+254711000777" } }))
        .body as { id: string }
      const brought_credentials = `/v1/numbers/${brought.id}/sip-credentials`
      const taken = (yield* ask({ path: brought_credentials, key: own.key, body: { extension: "3200" } })).body as Shown
      assert.strictEqual(
        (yield* ask({ path: `/v1/numbers/byo/${brought.id}`, method: "DELETE", key: own.key })).status,
        204
      )
      const sql = yield* PgClient.PgClient
      for (const { id } of [given, taken]) {
        yield* eventually(
          "the PBX has forgotten it",
          Effect.map(passwordsOf(id), (passwords) => passwords === undefined)
        )
        const kinds = sql<{ kind: string }>`SELECT kind FROM events WHERE subject_id = ${id} ORDER BY sequence`
        assert.deepStrictEqual(
          (yield* kinds).map(({ kind }) => kind),
          ["sip_credential.created", "sip_credential.revoked"]
        )
        const audit = sql<{ actor: { type: string } }>`
          SELECT actor FROM audit_entries WHERE target_id = ${id} AND action_kind = 'sip_credential.revoked'`
        assert.deepStrictEqual(
          (yield* audit).map(({ actor }) => actor.type),
          ["system"]
        )
      }
      yield* ask({ path: "/v1/numbers/byo", key: own.key, body: { number: "+254711000777" } })
      const shown = (yield* ask({ path: brought_credentials, key: own.key })).body as Array<CredentialRecord>
      assert.deepStrictEqual(
        shown.map(({ id, status }) => [id, status]),
        [[taken.id, "revoked"]]
      )
      const again = (yield* ask({ path: brought_credentials, key: own.key, body: { extension: "3200" } })).body as Shown
      assert.deepStrictEqual(yield* passwordsOf(again.id), [again.password])
    })
  )

  it.effect("are limited to ten a number", () =>
    Effect.gen(function* () {
      const active = (yield* list).filter(({ status }) => status === "active").length
      const answers = yield* Effect.all(
        Array.from({ length: 11 - active }, (_, n) => create(String(2000 + n))),
        { concurrency: 4 }
      )
      assert.deepStrictEqual(
        answers.map(({ code }) => code).filter((code) => code !== undefined),
        ["numbers.credential_limit_reached"]
      )
    })
  )

  it.effect("need a gateway", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { other_workspace } = yield* DemoFile
      yield* sql`UPDATE workspaces SET gateway_id = 'nobody' WHERE id = ${other_workspace.workspace_id}`
      const directory = yield* Directory
      yield* eventually(
        "it is known",
        Effect.map(directory.workspace(other_workspace.workspace_id), (it) => it?.gateway_id === "nobody")
      )
      const path = `/v1/numbers/${other_workspace.number.id}/sip-credentials`
      const answer = yield* ask({ path, key: other_workspace.api_key, body: { extension: "1001" } })
      assert.deepStrictEqual([answer.status, answer.code], [503, "numbers.sip_config_unavailable"])
    })
  )

  it.effect("are recorded in events and the audit log, without any password", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { workspace_id } = yield* DemoFile
      const credentials = yield* list
      const of = credentials.find(({ extension }) => extension === "1003")!
      const events = yield* sql<{ kind: string; payload: object }>`
        SELECT kind, payload FROM events WHERE subject_id = ${of.id} ORDER BY sequence`
      for (const { kind, payload } of events) assertPayload(kind, payload)
      assert.deepStrictEqual(
        events.map(({ kind }) => kind),
        ["sip_credential.created", "sip_credential.rotated", "sip_credential.rotated", "sip_credential.rotated"]
      )
      const audit = yield* sql<{ action_kind: string }>`
        SELECT action_kind FROM audit_entries WHERE workspace_id = ${workspace_id} AND target_id = ${of.id} ORDER BY sequence`
      assert.deepStrictEqual(
        audit.map(({ action_kind }) => action_kind),
        events.map(({ kind }) => kind)
      )
      const { registry } = yield* pbx
      const secrets = [...registry.users.values()].flatMap(({ passwords }) => passwords)
      assert.isAbove(secrets.length, 5)
      const rows = yield* sql<{ text: string }>`
        SELECT payload::text AS text FROM events UNION ALL SELECT to_json(a)::text FROM audit_entries a
        UNION ALL SELECT state::text FROM sip_credentials UNION ALL SELECT to_json(i)::text FROM idempotency_keys i`
      const everything = rows.map(({ text }) => text).join("\n") + JSON.stringify(yield* list)
      for (const secret of secrets) assert.notInclude(everything, secret)
    })
  )
})
