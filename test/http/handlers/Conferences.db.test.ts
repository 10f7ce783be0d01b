import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { toCallId } from "../../../src/domain/BrandedIds.ts"
import type { AuditEntry } from "../../../src/domain/access/AuditEntry.ts"
import type { ConferenceRecord } from "../../../src/domain/conferences/ConferenceRecord.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { until } from "../../support/Until.ts"

type Method = "GET" | "POST" | "PATCH" | "DELETE"

const send = (method: Method, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  Effect.flatMap(DemoFile, ({ api_key: key }) =>
    ask({ path, method, key, headers, ...(body !== undefined && { body }) })
  )

const list = (query = "") =>
  Effect.map(send("GET", `/v1/conferences${query}`), ({ body }) => body as ReadonlyArray<ConferenceRecord>)

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("conferences over the engine", (it) => {
  it.effect("are made by a call, read, changed, and ended", () =>
    Effect.gen(function* () {
      const { number, read_only_api_key } = yield* DemoFile
      const originate = {
        to: "+99900000001",
        from: number.number,
        actions: [{ conference: { name: "team %s ${x}", muted: true } }]
      }
      const { body: call, status } = yield* send("POST", "/v1/calls/originate", originate)
      assert.strictEqual(status, 201)
      const call_id = toCallId((call as { readonly id: string }).id)
      const [made] = yield* until(
        "participant",
        list("?status=in_progress"),
        (found) => found[0]?.participants.length === 1
      )
      assert.deepInclude(made!, { name: originate.actions[0]!.conference.name, participant_count: 1 })
      assert.deepInclude(made!.participants[0]!, { call_id, muted: true })
      const path = `/v1/conferences/${made!.id}`

      const changed = yield* send("PATCH", `${path}/participants/${call_id}`, { muted: false, hold: true })
      assert.deepInclude(changed.body, { muted: false, hold: true })
      assert.strictEqual((yield* send("POST", `${path}/announce`, { say: { text: "Hello." } })).status, 202)
      assert.strictEqual((yield* send("POST", `${path}/announce`, { say: { text: "" } })).status, 400)
      const nobody = yield* send("DELETE", `${path}/participants/0199a000-0000-7000-8000-000000000001`)
      assert.strictEqual(nobody.status, 404)
      const refused = yield* ask({ path: `${path}/end`, method: "POST", key: read_only_api_key })
      assert.strictEqual(refused.status, 403)

      const joined = yield* send("POST", `${path}/participants`, { to: "+99900000001", from: number.number })
      assert.strictEqual(joined.status, 201)
      yield* until(
        "second participant",
        send("GET", path),
        ({ body }) => (body as ConferenceRecord).participant_count === 2
      )

      const over = yield* send("POST", `${path}/end`)
      assert.deepInclude(over.body, { status: "ended", ended_by: "requested", joined_count: 2, participants: [] })
      assert.strictEqual((yield* send("PATCH", `${path}/participants/${call_id}`, { muted: true })).status, 409)
      assert.strictEqual((yield* send("GET", "/v1/conferences/0199a000-0000-7000-8000-000000000001")).status, 404)
      assert.lengthOf(yield* list("?status=waiting"), 0)
    })
  )

  it.effect("carry out a request with an Idempotency-Key once, and tell the audit log what was ended", () =>
    Effect.gen(function* () {
      const { number } = yield* DemoFile
      const join = () =>
        send("POST", "/v1/calls/originate", {
          to: "+99900000001",
          from: number.number,
          actions: [{ conference: { name: "once" } }]
        })
      const guest = toCallId(((yield* join()).body as { readonly id: string }).id)
      yield* join()
      const [made] = yield* until(
        "second participant",
        list("?name=once"),
        (found) => found[0]?.participants.length === 2
      )
      const path = `/v1/conferences/${made!.id}`
      const keyed = (key: string) => ({ "idempotency-key": key })

      const announce = (text: string) => send("POST", `${path}/announce`, { say: { text } }, keyed("announcement"))
      const first = yield* announce("Hello.")
      const repeated = yield* announce("Hello.")
      assert.deepStrictEqual([first.status, repeated.status, repeated.text], [202, 202, ""])
      assert.isNull(first.headers.get("idempotent-replayed"))
      assert.strictEqual(repeated.headers.get("idempotent-replayed"), "true")
      assert.strictEqual((yield* announce("Goodbye.")).code, "idempotency.conflict")

      assert.strictEqual((yield* send("DELETE", `${path}/participants/${guest}`)).status, 204)
      const ended = yield* send("POST", `${path}/end`, undefined, keyed("end"))
      const again = yield* send("POST", `${path}/end`, undefined, keyed("end"))
      assert.deepStrictEqual([ended.status, again.status, again.text], [200, 200, ended.text])
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")

      const { body: entries } = yield* send("GET", "/v1/audit?limit=10")
      const told = (entries as ReadonlyArray<AuditEntry>).filter(({ target }) => target.id === made!.id)
      assert.deepStrictEqual(
        told.map(({ action_kind, after }) => ({ action_kind, after })),
        [
          { action_kind: "conference.ended", after: { name: "once", ended_by: "requested" } },
          { action_kind: "conference.participant_removed", after: { name: "once", call_id: guest } }
        ]
      )
      assert.isTrue(told.every(({ actor }) => actor.type === "api_key"))
    })
  )
})
