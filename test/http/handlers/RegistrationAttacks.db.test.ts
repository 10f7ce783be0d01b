import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PbxIngest } from "../../../src/actors/ingest/PbxIngest.ts"
import { Directory } from "../../../src/domain/ports/access/Directory.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { assertPayload } from "../../support/EventPayloads.ts"
import { create, eventually, type Shown } from "../../support/SipCredentials.ts"

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("SIP credentials under attack", (it) => {
  it.effect("alert their workspace once when the PBX reports that a password is guessed", () =>
    Effect.gen(function* () {
      const { workspace_id } = yield* DemoFile
      const sql = yield* PgClient.PgClient
      const [workspace] = yield* sql<{ tenant_pbx_id: string }>`
        SELECT tenant_pbx_id FROM workspaces WHERE id = ${workspace_id}`
      const { id, username } = (yield* create("1014")).body as Shown
      const directory = yield* Directory
      yield* eventually(
        "the extension is known",
        Effect.map(directory.extensions(workspace_id), ({ all }) => all.some((it) => it.username === username))
      )
      const { ingest } = yield* PbxIngest
      const since = new Date(Date.now() - 60_000).toISOString()
      const report = (event: number, data: object) =>
        ingest("default", [
          {
            event_id: `0199e001-0000-7000-8000-${String(event).padStart(12, "0")}`,
            tenant_pbx_id: workspace!.tenant_pbx_id,
            type: "registration.attacked",
            seq: event,
            occurred_at: new Date().toISOString(),
            data
          }
        ])
      const attack = { attempts: 12, since, addresses: ["192.0.2.1", "2001:db8::1"] }
      assert.strictEqual((yield* report(1, { ...attack, username })).accepted, 1)
      assert.strictEqual((yield* report(2, { ...attack, username })).accepted, 1)
      assert.strictEqual((yield* report(3, { ...attack, username: "nobody" })).ignored_late, 1)
      assert.strictEqual((yield* report(4, { username })).ignored_late, 1)
      const events = yield* sql<{ kind: string; payload: object }>`
        SELECT kind, payload FROM events WHERE subject_id = ${id} AND kind LIKE 'security.%'`
      assert.deepStrictEqual(
        events.map(({ kind }) => kind),
        ["security.registration_attack"]
      )
      const [{ kind, payload }] = events as [{ kind: string; payload: object }]
      assertPayload(kind, payload)
      assert.deepInclude(payload, { ...attack, credential_id: id, extension: "1014", username, workspace_id })
      const audit = yield* sql<{ actor: { type: string }; after: object }>`
        SELECT actor, after FROM audit_entries WHERE target_id = ${id} AND action_kind = 'security.alerted'`
      assert.lengthOf(audit, 1)
      assert.strictEqual(audit[0]!.actor.type, "system")
      assert.deepInclude(audit[0]!.after, { alert: kind, extension: "1014", ...attack })
    })
  )
})
