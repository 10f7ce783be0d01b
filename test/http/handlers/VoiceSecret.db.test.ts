import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { verifySignature } from "../../../src/layers/http-client/VerifySignature.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { as } from "../../support/People.ts"
import { answering, type Receiver, receiver } from "../../support/Receiver.ts"

interface Rotated {
  readonly id: string
  readonly voice_secret: string
  readonly previous_expires_at: string | null
}

const rotate = (body?: object, headers: Record<string, string> = {}) =>
  Effect.flatMap(DemoFile, ({ owner_session }) =>
    as(`session=${owner_session}`, {
      path: "/v1/workspace/rotate-voice-secret",
      method: "POST",
      headers,
      ...(body && { body })
    })
  )

/** A call to a simulated phone that answers; its callback hangs up, and its events go where it says. */
const call = (callback: Receiver, events: Receiver) =>
  Effect.flatMap(DemoFile, ({ api_key: key, number }) =>
    ask({
      path: "/v1/calls/originate",
      key,
      body: { to: "+99900000001", from: number.number, voice_callback_url: callback.url, events_url: events.url }
    })
  )

/** Which of the secrets the latest request was signed with. */
const signers = ({ requests }: Receiver, secrets: ReadonlyArray<string>) => {
  const { body, headers } = requests.at(-1)!
  const now_seconds = Math.floor(Date.now() / 1_000)
  return secrets.map(
    (secret) => verifySignature({ body, signature: String(headers["x-service-signature"]), secret, now_seconds }).ok
  )
}

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("the voice secret", (it) => {
  it.effect("is shown when it is created, and signs callbacks and call events together with the previous one", () =>
    Effect.gen(function* () {
      const callback = yield* receiver(answering(200, `{"actions":[{"hangup":{}}]}`))
      const events = yield* receiver(answering(204))
      const first = (yield* rotate({ previous_valid_seconds: 0 })).body as Rotated
      assert.match(first.voice_secret, /^whsec_/)
      assert.isNull(first.previous_expires_at)
      const placed = yield* call(callback, events)
      assert.strictEqual(placed.status, 201)
      yield* callback.received(1)
      yield* events.received(3)
      const calls_before = events.requests.length

      const second = (yield* rotate()).body as Rotated
      assert.closeTo(Date.parse(second.previous_expires_at!), Date.now() + 86_400_000, 60_000)
      const both = [first.voice_secret, second.voice_secret]
      assert.deepStrictEqual(
        [signers(callback, both), signers(events, both)],
        [
          [true, false],
          [true, false]
        ]
      )
      yield* call(callback, events)
      yield* callback.received(2)
      yield* events.received(calls_before + 3)
      assert.deepStrictEqual(
        [signers(callback, both), signers(events, both)],
        [
          [true, true],
          [true, true]
        ]
      )

      const third = (yield* rotate({ previous_valid_seconds: 0 })).body as Rotated
      yield* call(callback, events)
      yield* callback.received(3)
      const all = [...both, third.voice_secret]
      assert.deepStrictEqual(signers(callback, all), [false, false, true])
    }).pipe(Effect.scoped)
  )

  it.effect("is the same for a repeated Idempotency-Key, and is never stored in the clear", () =>
    Effect.gen(function* () {
      const { api_key, workspace_id } = yield* DemoFile
      const key = { "idempotency-key": "once" }
      const [one, again] = [
        yield* rotate({ previous_valid_seconds: 60 }, key),
        yield* rotate({ previous_valid_seconds: 60 }, key)
      ]
      assert.strictEqual(again.text, one.text)
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      const { id, voice_secret } = one.body as Rotated
      assert.strictEqual(id, workspace_id)
      assert.strictEqual(
        (yield* ask({ path: "/v1/workspace/rotate-voice-secret", method: "POST", key: api_key })).code,
        "api_key.scope_denied"
      )
      assert.strictEqual((yield* rotate({ previous_valid_seconds: 86_401 })).code, "validation.bad_request")
      const sql = yield* PgClient.PgClient
      const rows = yield* sql<{ text: string }>`
        SELECT state::text AS text FROM workspaces UNION ALL SELECT to_json(a)::text FROM audit_entries a
        UNION ALL SELECT to_json(i)::text FROM idempotency_keys i UNION ALL SELECT payload::text FROM events`
      assert.deepStrictEqual(
        rows.filter(({ text }) => text.includes(voice_secret)),
        []
      )
      const audit = yield* sql<{ after: object }>`
        SELECT after FROM audit_entries WHERE workspace_id = ${workspace_id} AND action_kind = 'workspace.voice_secret_rotated' ORDER BY sequence`
      assert.lengthOf(audit, 4)
      assert.deepStrictEqual(audit[0]!.after, { previous_until: null })
    })
  )
})
