import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiClient, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CallConcurrencyLimitReached, CallNotFound, CallNotInProgress } from "../../../src/domain/errors/CallErrors.ts"
import {
  IdempotencyInProgress,
  NotFound,
  RateLimited,
  ServiceUnavailable
} from "../../../src/domain/errors/GeneralErrors.ts"
import { Answers } from "../../../src/http/middleware/Answers.ts"
import { AnswersLive } from "../../../src/http/middleware/AnswersLive.ts"
import { Overload } from "../../../src/http/request/Overload.ts"
import { RequestTimeout } from "../../../src/http/request/RequestDeadline.ts"
import { RequestId } from "../../../src/http/request/RequestId.ts"
import { responses } from "../../../src/http/request/Responses.ts"
import { failureResponse } from "../../../src/http/request/FailureResponse.ts"

const failures = {
  unknown: new CallNotFound({ cause: new Error("select secret") }),
  ended: new CallNotInProgress({ reason: "ended", details: [{ field: "/id", code: "ended", message: "Over." }] }),
  pending: new IdempotencyInProgress({ retry_after_seconds: 9 }),
  busy: new CallConcurrencyLimitReached()
}

class Api extends HttpApi.make("test").add(
  HttpApiGroup.make("calls")
    .add(
      HttpApiEndpoint.get("get", "/calls/:id", {
        params: { id: Schema.Literals(["unknown", "ended", "pending", "busy"]) },
        success: Schema.String,
        error: responses(
          CallNotFound,
          CallNotInProgress,
          IdempotencyInProgress,
          CallConcurrencyLimitReached,
          RateLimited
        )
      })
    )
    .middleware(Answers)
) {}

const Handlers = HttpApiBuilder.group(Api, "calls", (handlers) =>
  handlers.handleAll({ get: ({ params }) => Effect.fail(failures[params.id]) })
)

const Outside = HttpRouter.add("GET", "/outside/:code", (request) =>
  Effect.succeed(failureResponse(request.url.endsWith("503") ? new ServiceUnavailable() : new NotFound(), "req_2"))
)

const Served = HttpRouter.serve(
  Layer.mergeAll(
    HttpApiBuilder.layer(Api).pipe(
      Layer.provide(Handlers),
      Layer.provide(AnswersLive),
      Layer.provide([Layer.succeed(RequestTimeout)({ timeout_ms: 15_000 }), Overload.none])
    ),
    Outside,
    HttpRouter.middleware((handler) => Effect.provideService(handler, RequestId, "req_1"), { global: true })
  ),
  { disableLogger: true, disableListenLog: true }
).pipe(Layer.provideMerge(NodeHttpServer.layerTest))

const get = (path: string) =>
  Effect.gen(function* () {
    const response = yield* HttpClient.execute(HttpClientRequest.get(path))
    return { status: response.status, retry_after: response.headers["retry-after"], body: yield* response.json }
  })

layer(Served)("responses", (it) => {
  it.effect("answers with the status and the envelope of the code", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* get("/calls/unknown"), {
        status: 404,
        retry_after: undefined,
        body: {
          error: {
            code: "calls.not_found",
            message: CallNotFound.summary,
            request_id: "req_1",
            doc_url: "/docs/errors#calls.not_found"
          }
        }
      })
      assert.deepStrictEqual(yield* get("/calls/ended"), {
        status: 409,
        retry_after: undefined,
        body: {
          error: {
            code: "calls.not_in_progress",
            message: CallNotInProgress.summary,
            request_id: "req_1",
            doc_url: "/docs/errors#calls.not_in_progress",
            details: [{ field: "/id", code: "ended", message: "Over." }],
            reason: "ended"
          }
        }
      })
    })
  )

  it.effect("sends Retry-After only as a header", () =>
    Effect.gen(function* () {
      const { body, ...head } = yield* get("/calls/pending")
      assert.deepStrictEqual(head, { status: 409, retry_after: "9" })
      assert.notInclude(JSON.stringify(body), "retry_after")
    })
  )

  it.effect("lets a typed client decode the failure", () =>
    Effect.gen(function* () {
      const client = yield* HttpApiClient.make(Api)
      const unknown = yield* Effect.flip(client.calls.get({ params: { id: "unknown" } }))
      const busy = yield* Effect.flip(client.calls.get({ params: { id: "busy" } }))
      assert.instanceOf(unknown, CallNotFound)
      assert.instanceOf(busy, CallConcurrencyLimitReached)
    })
  )

  it.effect("documents one response per status with its codes", () =>
    Effect.sync(() => {
      const answers = OpenApi.fromApi(Api).paths["/calls/{id}"]!.get!.responses
      const codes = (status: number) => JSON.stringify(answers[status])
      assert.include(codes(409), `"enum":["calls.not_in_progress","idempotency.in_progress"]`)
      assert.include(codes(429), `"enum":["calls.concurrency_limit_reached","rate_limited"]`)
      assert.include(answers[404]!.description, CallNotFound.summary)
    })
  )

  describe("failureResponse", () => {
    it.effect("gives failures outside of endpoints the same form", () =>
      Effect.gen(function* () {
        const absent = yield* get("/outside/404")
        assert.deepStrictEqual(absent, {
          status: 404,
          retry_after: undefined,
          body: {
            error: {
              code: "not_found",
              message: NotFound.summary,
              request_id: "req_2",
              doc_url: "/docs/errors#not_found"
            }
          }
        })
        const { status, retry_after } = yield* get("/outside/503")
        assert.deepStrictEqual({ status, retry_after }, { status: 503, retry_after: "1" })
      })
    )
  })
})
