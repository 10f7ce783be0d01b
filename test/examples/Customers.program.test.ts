import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { signature } from "../../src/layers/http-client/Signatures.ts"
import { openBrowser } from "../support/Browser.ts"
import { rotateVoiceSecret, runExample } from "../support/Example.ts"
import { freePort } from "../support/Ports.ts"
import { makeProgram, type Program } from "../support/Program.ts"
import { makeSipPbx } from "../support/SipPbx.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

interface Tracked {
  readonly id: string
  readonly campaign: string | null
  readonly status: string
  readonly cost_minor: number
}

/** One engine for all examples of customers, with a PBX that takes browsers. */
class Engine extends Context.Service<
  Engine,
  { readonly program: Program; readonly passwords: Map<string, string>; readonly connections: () => number }
>()("Engine") {
  static readonly layer = Layer.effect(
    Engine,
    Effect.gen(function* () {
      const passwords = new Map<string, string>()
      const pbx = yield* makeSipPbx({ passwordOf: (username) => passwords.get(username), qop: true })
      const program = yield* makeProgram({ env: { PBX_SIP_WS_URL: pbx.url } })
      yield* program.start
      return { program, passwords, connections: pbx.connections }
    })
  ).pipe(Layer.provideMerge(TestDatabase.layer))
}

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-example-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const originate = Effect.fnUntraced(function* (body: object) {
  const { program } = yield* Engine
  const { json, status, text } = yield* program.ask("/v1/calls/originate", {
    body: { from: program.demo().number.number, ...body }
  })
  assert.strictEqual(status, 201, text)
  return json<CallRecord>().id
})

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  Effect.promise(() => fetch(url, { method: "POST", body, headers }))

/** Makes the deliveries to this URL due that wait for their next attempt. */
const retryDeliveries = Effect.fnUntraced(function* (url: string) {
  const { program } = yield* Engine
  interface Row {
    readonly id: string
    readonly url: string
  }
  const all = (yield* program.ask("/v1/webhooks")).json<ReadonlyArray<Row>>()
  for (const { id } of all.filter((subscription) => subscription.url === url)) {
    const waiting = yield* program.ask(`/v1/webhooks/${id}/deliveries?status=retrying`)
    for (const delivery of waiting.json<ReadonlyArray<Row>>())
      yield* program.ask(`/v1/webhooks/${id}/deliveries/${delivery.id}/retry`, { method: "POST" })
  }
})

/** What an example needs to call. */
const client = ({ base_url, demo }: Program) => ({
  TRUNKLINE_URL: base_url,
  TRUNKLINE_API_KEY: demo().api_key,
  FROM: demo().number.number
})

layer(Engine.layer, { timeout: 60_000, excludeTestServices: true })("the examples of customers", (it) => {
  it.effect(
    "voice-menu: connects a caller who presses 1 with sales, and refuses unsigned requests",
    () =>
      Effect.gen(function* () {
        const { program } = yield* Engine
        const port = yield* freePort
        const url = `http://127.0.0.1:${port}/`
        const menu = yield* runExample("voice-menu", {
          PORT: String(port),
          VOICE_SECRET: yield* rotateVoiceSecret(program)
        })
        yield* menu.printed(url)
        const id = yield* originate({ to: "+99900000010", voice_callback_url: url })
        yield* menu.printed("answered: say, gather")
        yield* menu.printed("gather_completed: say, dial")
        const unsigned = yield* post(url, `{"reason":"answered","result":null}`)
        assert.strictEqual(unsigned.status, 401)
        const read = Effect.map(program.ask(`/v1/calls/${id}`), ({ json }) => json<CallRecord>())
        const call = yield* until("call with a leg", read, ({ child_call_ids }) => child_call_ids.length > 0)
        const leg = yield* program.ask(`/v1/calls/${call.child_call_ids[0]}`)
        assert.strictEqual(leg.json<CallRecord>().to, "+254711000001")
        yield* program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect(
    "stream: says back what the caller says, writes the transcript and hangs up",
    () =>
      Effect.gen(function* () {
        const { program } = yield* Engine
        const port = yield* freePort
        const url = `ws://127.0.0.1:${port}/calls`
        const application = yield* runExample("stream", {
          PORT: String(port),
          VOICE_SECRET: yield* rotateVoiceSecret(program)
        })
        yield* application.printed(url)
        const id = yield* originate({ to: "+99900000020", actions: [{ stream: { url } }] })
        yield* application.printed(`call ${id}`)
        yield* application.printed("stop")
        const read = Effect.map(program.ask(`/v1/calls/${id}?transcript=1`), ({ json }) =>
          json<CallRecord & { readonly transcript: ReadonlyArray<{ readonly text: string }> }>()
        )
        const call = yield* until("completed call", read, ({ status }) => status === "completed")
        assert.deepInclude(call, { hangup_cause: "normal_clearing", hangup_source: "workspace" })
        assert.deepStrictEqual(
          call.transcript.map(({ text }) => text.replace(/\d.*seconds/, "some seconds")),
          ["I say back what you say.", "You have heard some seconds. Goodbye."]
        )
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect(
    "two-factor-code: calls a phone, and tells a wrong code from one that is over",
    () =>
      Effect.gen(function* () {
        const { program } = yield* Engine
        const port = yield* freePort
        const url = `http://127.0.0.1:${port}/codes`
        const codes = yield* runExample("two-factor-code", { PORT: String(port), ...client(program) })
        yield* codes.printed(url)
        const sent = yield* post(url, `{"phone":"+99900000001"}`)
        assert.strictEqual(sent.status, 201)
        const { id } = yield* Effect.promise(async () => (await sent.json()) as { readonly id: string })
        const guess = Effect.map(post(`${url}/${id}/check`, `{"code":"none"}`), ({ status }) => status)
        assert.deepStrictEqual(yield* Effect.all([guess, guess, guess, guess]), [403, 403, 403, 410])
        const calls = yield* program.ask(`/v1/calls?client_reference=${id}`)
        assert.strictEqual(calls.json<ReadonlyArray<CallRecord>>()[0]?.to, "+99900000001")
        assert.strictEqual((yield* post(url, `{"phone":"12"}`)).status, 422)
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect(
    "appointment-reminder: calls who has an appointment, and stores what the person chose",
    () =>
      Effect.gen(function* () {
        const { program } = yield* Engine
        const port = yield* freePort
        const url = `http://127.0.0.1:${port}`
        const created = yield* program.ask("/v1/webhooks", {
          body: { url: `${url}/webhooks`, events: ["call_lifecycle"] }
        })
        const { id, secret } = created.json<{ readonly id: string; readonly secret: string }>()
        const noon = 12 - new Date().getUTCHours()
        const app = yield* runExample("appointment-reminder", {
          PORT: String(port),
          DATABASE_FILE: join(yield* folder, "appointments.sqlite"),
          VOICE_SECRET: yield* rotateVoiceSecret(program),
          WEBHOOK_SECRET: secret,
          // Where it is noon, because nobody is called at night. The sign of these names is the other way round.
          TIME_ZONE: `Etc/GMT${noon > 0 ? "-" : "+"}${Math.abs(noon)}`,
          ...client(program)
        })
        yield* app.printed(url)
        const at = new Date(Date.now() + 7_200_000).toISOString()
        yield* post(`${url}/appointments`, JSON.stringify({ id: "a1", phone: "+99900000010", at }))
        const listed = Effect.promise(
          async () => (await (await fetch(`${url}/appointments`)).json()) as ReadonlyArray<{ readonly status: string }>
        )
        yield* until("confirmed appointment", listed, ([appointment]) => appointment?.status === "confirmed")
        yield* program.ask(`/v1/webhooks/${id}`, { method: "DELETE" })
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect(
    "prepaid-calling-card: starts with a card, and refuses unsigned requests",
    () =>
      Effect.gen(function* () {
        const { program } = yield* Engine
        const port = yield* freePort
        const url = `http://127.0.0.1:${port}`
        const card = yield* runExample("prepaid-calling-card", {
          PORT: String(port),
          DATABASE_FILE: join(yield* folder, "cards.sqlite"),
          VOICE_SECRET: yield* rotateVoiceSecret(program),
          WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
          ...client(program)
        })
        yield* card.printed(`${url}/voice`)
        assert.strictEqual((yield* post(`${url}/voice`, `{"reason":"incoming"}`)).status, 400)
        assert.strictEqual((yield* post(`${url}/webhooks`, "{}")).status, 400)
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect(
    "call-tracking: stores every call once, refuses forgeries, and catches up after it was down",
    () =>
      Effect.gen(function* () {
        const { program } = yield* Engine
        const data = yield* folder
        const port = yield* freePort
        const url = `http://127.0.0.1:${port}`
        const env = {
          PORT: String(port),
          ENGINE_URL: program.base_url,
          API_KEY: program.demo().api_key,
          DATABASE_FILE: join(data, "calls.sqlite")
        }
        const tracked = Effect.promise(async () => (await (await fetch(url)).json()) as ReadonlyArray<Tracked>)
        const untilTracked = (id: string, status: string) =>
          until(
            `tracked call ${id} that is ${status}`,
            Effect.map(tracked, (calls) => calls.filter((call) => call.id === id)),
            ([call]) => call?.status === status
          )
        const busy = { to: "+99900000002", voice_callback_url: "http://127.0.0.1:9/" }

        const first = yield* runExample("call-tracking", env)
        yield* first.printed("Tracking calls")
        const spring = yield* originate({ ...busy, client_reference: "spring" })
        assert.deepInclude((yield* untilTracked(spring, "busy"))[0], { campaign: "spring", cost_minor: 0 })
        yield* first.stop

        const missed = yield* originate({ ...busy, client_reference: "summer" })
        const stored = Effect.map(program.ask(`/v1/calls/${missed}`), ({ json }) => json<CallRecord>().status)
        yield* until("busy call", stored, (status) => status === "busy")
        const second = yield* runExample("call-tracking", env)
        yield* second.printed("Tracking calls")
        // On a busy machine it starts after the first retry; the second one would come in five minutes.
        yield* retryDeliveries(`${url}/events`)
        assert.deepInclude((yield* untilTracked(missed, "busy"))[0], { campaign: "summer" })

        const { DatabaseSync } = yield* Effect.promise(() => import("node:sqlite"))
        const database = new DatabaseSync(env.DATABASE_FILE, { readOnly: true, timeout: 30_000 })
        const secret = String(
          database.prepare("SELECT value FROM settings WHERE name = 'webhook_secret'").get()!["value"]
        )
        database.close()
        const event = (id: string, sequence: number, status: string) =>
          JSON.stringify({
            id,
            event_kind: `call.${status}`,
            sequence,
            payload: { id: "call", status, to: "+254700000000", client_reference: null, cost_minor: 0 }
          })
        const deliver = (body: string, key = secret) =>
          Effect.map(
            post(`${url}/events`, body, {
              "x-service-signature": signature("timestamped", [key], body, Math.floor(Date.now() / 1_000))
            }),
            ({ status }) => status
          )
        assert.strictEqual(yield* deliver(event("2", 2, "answered")), 204)
        assert.strictEqual(yield* deliver(event("2", 2, "answered")), 204)
        yield* second.printed("call.answered of call call: duplicate")
        assert.strictEqual(yield* deliver(event("1", 1, "ringing")), 204)
        assert.strictEqual((yield* untilTracked("call", "answered")).length, 1)
        assert.strictEqual(yield* deliver(event("3", 3, "completed"), "whsec_AAAA"), 401)
        assert.strictEqual(yield* deliver("not JSON"), 503)
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect(
    "click-to-call: its page connects through the gate with the token, and calls",
    () =>
      Effect.gen(function* () {
        const { connections, passwords, program } = yield* Engine
        const credential = yield* program.ask(`/v1/numbers/${program.demo().number.id}/sip-credentials`, {
          body: { extension: "1001", label: "Website" }
        })
        assert.strictEqual(credential.status, 201, credential.text)
        const { password, username } = credential.json<{ readonly username: string; readonly password: string }>()
        passwords.set(username, password)
        const port = yield* freePort
        const url = `http://127.0.0.1:${port}`
        const site = yield* runExample("click-to-call", {
          PORT: String(port),
          ENGINE_URL: program.base_url,
          API_KEY: program.demo().api_key
        })
        yield* site.printed("The page is at")
        const page = yield* Effect.promise(async () => (await fetch(`${url}/`)).text())
        assert.include(page, "./page.js")
        assert.notInclude(page, program.demo().api_key)
        const answer = yield* post(`${url}/session`, "")
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
        const { number, session } = yield* Effect.promise(
          async () => (await answer.json()) as { readonly number: string; readonly session: Session }
        )
        assert.strictEqual(number, "+254711000000")
        // test/e2e/Sdk.e2e.ts opens the page itself in a browser.
        const uri = session.sipProfile.uri
        const browser = yield* openBrowser({ url: `${session.endpoint}?token=${session.token}`, uri })
        const hears = (name: string) =>
          until(
            `event "${name}" in the browser`,
            Effect.sync(() => browser.heard),
            (heard) => heard.some((each) => each.name === name)
          )
        yield* hears("connected")
        const call = browser.call(uri.replace(/(?<=^sip:)[^@]+/, number))
        yield* hears("confirmed")
        assert.strictEqual(connections(), 1)
        call.terminate()
        yield* hears("ended")
      }).pipe(Effect.scoped),
    60_000
  )
})

interface Session {
  readonly token: string
  readonly endpoint: string
  readonly sipProfile: { readonly uri: string }
}
