// The documents of the API are made beside the requests, whoever asks for them and leaves.
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import * as DocumentThread from "../../src/app/DocumentThread.ts"
import { apiDocuments } from "../../src/app/ApiDocuments.ts"
import { DocumentTexts } from "../../src/http/openapi/DocumentTexts.ts"

const threadTime = (): number => {
  const { system, user } = process.threadCpuUsage()
  return user + system
}

it.live(
  "makes the documents without the time of this thread, and goes on when the first one who asked leaves",
  () =>
    Effect.gen(function* () {
      const { text } = yield* DocumentTexts
      const before = threadTime()
      const first = yield* Effect.forkChild(text("openapi"), { startImmediately: true })
      yield* Fiber.interrupt(first)
      const [openapi, asyncapi] = yield* Effect.all([text("openapi"), text("asyncapi")], { concurrency: 2 })
      const beside = threadTime() - before
      const started = threadTime()
      assert.deepStrictEqual(JSON.parse(openapi), apiDocuments.openapi())
      assert.deepStrictEqual(JSON.parse(asyncapi), apiDocuments.asyncapi())
      assert.isBelow(beside, (threadTime() - started) / 2)
    }).pipe(Effect.provide(Layer.fresh(DocumentThread.layer))),
  60_000
)
