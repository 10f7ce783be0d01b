import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { booksAreSound } from "../support/Books.ts"
import { answerOf, makeConformance } from "../support/Conformance.ts"
import { inlineReferences } from "../../scripts/client/InlineReferences.ts"
import { type Document, makeRequests, type Request } from "../support/Fuzz.ts"
import { makeProgram } from "../support/Program.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

/** The code of a feature that is not there, now or later. */
const notConfigured = '"auth.idp_not_configured"'

const count = Number(process.env["FUZZ_REQUESTS"] ?? 3_000)
const seed = Number(process.env["FUZZ_SEED"] ?? 1)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Status codes that are answered before the endpoint is known. */
const ofTheEdge = new Set(["not_found", "method_not_allowed", "validation.bad_request"])

/** Streams are closed as soon as they have begun. */
const answered = async (base_url: string, { body, headers, method, path }: Request) => {
  const leaving = new AbortController()
  const init = {
    method,
    headers,
    redirect: "manual",
    signal: leaving.signal,
    ...(body !== undefined && { body })
  } as const
  const response = await fetch(base_url + path, init)
  const content_type = response.headers.get("content-type")?.split(";")[0]
  const isStream = content_type === "text/event-stream"
  const text = isStream ? "" : await response.text()
  if (isStream) leaving.abort()
  return { status: response.status, id: response.headers.get("x-request-id"), content_type, text }
}

const envelopeOf = (text: string) => {
  try {
    return (
      JSON.parse(text) as {
        readonly error?: { readonly code: string; readonly message: string; readonly request_id: string }
      }
    ).error
  } catch {
    return undefined
  }
}

it.live(
  "the program answers every request as the OpenAPI document says, and never with an internal error",
  () =>
    Effect.gen(function* () {
      const program = yield* makeProgram({ speed: 10 })
      yield* program.start
      const demo = program.demo()
      // The thread that makes it has 30 s, which pass in three here.
      const asked = program.ask("/openapi.json")
      const made = yield* until("document of the API", asked, ({ status }) => status === 200)
      const document = inlineReferences(made.json<Document>())
      const body = { to: "+99900000003", from: demo.number.number, voice_callback_url: "http://127.0.0.1:9/none" }
      const call = (yield* program.ask("/v1/calls/originate", { body })).json<CallRecord>()
      const wrongWith = makeConformance(document)
      const next = makeRequests(
        document,
        {
          sessions: [demo.owner_session, demo.operator_session, demo.operator_session, "x"],
          origin: program.base_url,
          keys: [demo.api_key, demo.api_key, demo.api_key, demo.read_only_api_key, demo.other_workspace.api_key],
          ids: [call.id, call.session_id, demo.number.id, demo.workspace_id],
          values: {
            to: [body.to, "+99900000002", "+254711000000", "0711 000 000"],
            from: [body.from, demo.other_workspace.number.number],
            voice_callback_url: [body.voice_callback_url],
            url: [body.voice_callback_url],
            events: [["call.*"], ["*"], ["call_lifecycle"]]
          }
        },
        seed
      )
      const statuses = new Map<number, number>()
      const ask = Effect.gen(function* () {
        const request = next()
        // The waiting times of the fast engine pass in a tenth, so that a busy machine may make it refuse a request.
        const { content_type, id, status, text } = yield* until(
          `answer of an engine that can serve ${request.method} ${request.path}`,
          Effect.promise(() => answered(program.base_url, request)),
          ({ status, text }) => status !== 503 || text.includes(notConfigured),
          { every_ms: 50 }
        )
        const error = envelopeOf(text)
        const said = `seed ${seed}: ${JSON.stringify({ ...request, operation: undefined }).slice(0, 2_000)} was answered ${status} ${text.slice(0, 500)}`
        // A feature that this deployment does not configure is not an error.
        if (!text.includes(notConfigured) && status >= 500) {
          const logged = Effect.sync(() =>
            program
              .output()
              .split("\n")
              .filter((line) => line.includes(id!))
          )
          const lines = yield* until(`line of the log; ${said}`, logged, ({ length }) => length > 0)
          assert.fail(`${said}\n${lines.join("\n")}`)
        }
        assert.match(id ?? "", uuid, said)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (request.operation !== undefined && !(status >= 400 && ofTheEdge.has(envelopeOf(text)?.code ?? ""))) {
          assert.isUndefined(wrongWith({ ...request, status, content_type, text }), said)
        }
        if (status < 400) return
        assert.isTrue(error !== undefined && error.request_id === id && error.message !== "", said)
        if (request.operation === undefined || ofTheEdge.has(error!.code)) return
        assert.include(JSON.stringify(answerOf(document, request.operation, status) ?? ""), `"${error!.code}"`, said)
      })
      yield* Effect.all(
        Array.from({ length: count }, () => ask),
        { concurrency: 16, discard: true }
      )
      assert.isTrue(program.isAlive())
      assert.strictEqual(
        program
          .output()
          .split("\n")
          .filter((line) => line.includes('"ERROR"'))
          .join("\n"),
        ""
      )
      assert.includeMembers([...statuses.keys()], [200, 201, 400, 401, 403, 404, 409, 413, 415, 422])
      yield* booksAreSound
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
  30_000 + count * 20
)
