// Makes the documents of the API in a thread of its own when one is first asked for, so that no request waits for it.
import { Worker } from "node:worker_threads"
import { Effect, Fiber, Layer } from "effect"
import { ServiceUnavailable } from "../domain/errors/GeneralErrors.ts"
import { type DocumentName, DocumentTexts } from "../http/openapi/DocumentTexts.ts"

type Made = Readonly<Record<DocumentName, string>>

const entry = new URL(`./DocumentWorker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/** A busy machine takes some seconds. */
const patience = "30 seconds"

const notMade = new ServiceUnavailable({ message: "The document could not be made." })

/** Runs the thread to its end. */
const made = Effect.callback<Made, ServiceUnavailable>((resume) => {
  const worker = new Worker(entry)
  worker.once("message", (texts: Made) => resume(Effect.succeed(texts)))
  worker.once("error", () => resume(Effect.fail(notMade)))
  worker.once("exit", () => resume(Effect.fail(notMade)))
  return Effect.promise(() => worker.terminate())
}).pipe(Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(notMade) }))

/**
 * All who ask while the documents are made wait for one thread, which goes on if they leave. After a failure, the next
 * one who asks tries again.
 */
export const layer = Layer.effect(
  DocumentTexts,
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    let making: Fiber.Fiber<Made, ServiceUnavailable> | undefined
    const both = Effect.gen(function* () {
      making ??= yield* Effect.forkIn(made, scope, { startImmediately: true })
      return yield* Fiber.join(making)
    }).pipe(
      Effect.tapError(() =>
        Effect.sync(() => {
          making = undefined
        })
      )
    )
    return DocumentTexts.of({ text: (name) => Effect.map(both, (texts) => texts[name]) })
  })
)
