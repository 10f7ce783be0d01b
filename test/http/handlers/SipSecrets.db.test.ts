import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Inspectable, Layer, Logger, References } from "effect"
import { PbxSimulator } from "../../../src/layers/pbx/simulator/PbxSimulator.ts"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { untilHolds } from "../../support/Until.ts"

const lines: Array<string> = []
const collecting = Layer.mergeAll(
  Logger.layer([
    Logger.make(({ cause, fiber, message }) => {
      lines.push(Inspectable.toStringUnknown([message, cause, fiber.getRef(References.CurrentLogAnnotations)]))
    })
  ]),
  Layer.succeed(References.MinimumLogLevel)("All")
)
const canary = "canary-of-the-trunk"

layer(layerWith({ LOG_LEVEL: "trace" }, collecting), { excludeTestServices: true, timeout: "60 seconds" })(
  "secrets of devices and trunks",
  (it) => {
    it.effect("are shown once, and appear in no list, event, log or table", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const { api_key: key, number, owner_session, workspace_id } = yield* DemoFile
        const path = `/v1/numbers/${number.id}/sip-credentials`
        const seen: Array<string> = []
        const make = (extension: string) =>
          ask({ path, key, body: { extension }, headers: { "idempotency-key": extension } })
        const made = (yield* make("1001")).body as { readonly id: string; readonly password: string }
        yield* make("0000")
        const rotated = (yield* ask({ path: `${path}/${made.id}/rotate`, key, body: { grace_seconds: 60 } })).body as {
          readonly password: string
        }
        const { token } = (yield* ask({ path: "/v1/webrtc/token", key, body: {}, headers: { "idempotency-key": "t" } }))
          .body as { readonly token: string }
        yield* ask({ path: `/v1/webrtc/sip?token=${token}` })
        const trunk = { auth_mode: "digest", host: "refused.example.com", username: "u", password: canary }
        yield* ask({ path: "/v1/sip-trunk", key, body: trunk })
        yield* sql`UPDATE workspaces SET number_mode = 'unset', state = (state::jsonb || '{"number_mode": "unset"}')::json WHERE id = ${workspace_id}`
        assert.strictEqual((yield* ask({ path: "/v1/sip-trunk", key, body: trunk })).status, 201)
        yield* ask({ method: "PUT", path: "/v1/sip-trunk", key, body: { ...trunk, host: "sip.example.com" } })
        const { disconnect, registry } = Context.getUnsafe(yield* Effect.context<never>(), PbxSimulator)
        yield* untilHolds("trunk at the PBX", () => registry.trunks.size > 0)
        yield* disconnect
        yield* make("1002")

        for (const where of [path, "/v1/sip-trunk", `/v1/numbers/${number.id}`, "/v1/audit"]) {
          const headers = where === "/v1/audit" ? { cookie: `session=${owner_session}` } : {}
          const answer = yield* ask({ path: where, headers, ...(where !== "/v1/audit" && { key }) })
          assert.strictEqual(answer.status, 200, where)
          seen.push(answer.text)
        }
        const rows = yield* sql<{ readonly text: string }>`
        SELECT to_json(t)::text AS text FROM events t UNION ALL SELECT to_json(t)::text FROM audit_entries t
        UNION ALL SELECT to_json(t)::text FROM deliveries t UNION ALL SELECT to_json(t)::text FROM idempotency_keys t
        UNION ALL SELECT to_json(t)::text FROM sip_credentials t UNION ALL SELECT to_json(t)::text FROM sip_trunks t
        UNION ALL SELECT to_json(t)::text FROM actors t UNION ALL SELECT to_json(t)::text FROM sip_registrations t`
        assert.isAbove(rows.length, 8)
        assert.isAbove(lines.length, 3)
        const everything = [...seen, ...lines, ...rows.map(({ text }) => text)].join("\n")
        for (const plain of ["sip.example.com", "sip_credential.created", "/v1/"]) assert.include(everything, plain)
        assert.include(lines.join("\n"), "/v1/")
        for (const secret of [made.password, rotated.password, token, token.split(".")[2]!, canary]) {
          assert.isAbove(secret.length, 15)
          assert.notInclude(everything, secret)
        }
      })
    )
  }
)
