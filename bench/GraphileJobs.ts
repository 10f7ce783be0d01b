// The comparison for webhook deliveries: graphile-worker with one job for each, which signs and sends the same body.
import { Effect, Redacted } from "effect"
import { Logger, makeWorkerUtils, run } from "graphile-worker"
import { createHmac, randomUUID } from "node:crypto"
import { Agent } from "undici"
import { signature } from "../src/layers/http-client/Signatures.ts"

export interface Jobs<E> {
  /** The URL of the receiver. */
  readonly origin: string
  readonly deliveries: number
  /** JSON text of each event's payload. */
  readonly payload: string
  /** Completes when all have arrived. */
  readonly done: Effect.Effect<unknown, E>
}

const secret = `whsec_${createHmac("sha256", "bench").update("secret").digest("base64")}`

/** Each at its best concurrency. */
const presets = {
  plain: { concurrency: 64, preset: {} },
  tuned: {
    concurrency: 256,
    preset: { worker: { localQueue: { size: 1_000 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } }
  }
}

const quiet = new Logger(() => () => {})

/** Jobs a second, from the first one stored to the last one done. The jobs are added in batches of 256. */
export const jobsPerSecond = <E>(
  url: Redacted.Redacted,
  { deliveries, done, origin, payload }: Jobs<E>,
  preset: keyof typeof presets
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const agent = new Agent({ connections: 256 })
      const send = async (job: unknown): Promise<void> => {
        const { body, id } = job as { readonly body: string; readonly id: string }
        const t = Math.floor(Date.now() / 1_000)
        const answer = await agent.request({
          origin,
          path: "/ok/rival",
          method: "POST",
          body,
          headers: {
            "content-type": "application/json",
            "x-service-idempotency-key": id,
            "x-service-signature": signature("timestamped", [secret], body, t)
          }
        })
        await answer.body.dump()
        if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}`)
      }
      yield* Effect.acquireRelease(
        Effect.promise(() =>
          run({
            connectionString: Redacted.value(url),
            concurrency: presets[preset].concurrency,
            maxPoolSize: 20,
            noHandleSignals: true,
            pollInterval: 1_000,
            taskList: { send },
            logger: quiet,
            preset: presets[preset].preset
          })
        ),
        (runner) => Effect.promise(() => runner.stop().then(() => agent.close()))
      )
      const utils = yield* Effect.acquireRelease(
        Effect.promise(() => makeWorkerUtils({ connectionString: Redacted.value(url), logger: quiet })),
        (utils) => Effect.promise(async () => utils.release())
      )
      const start = performance.now()
      for (let added = 0; added < deliveries; added += 256) {
        const jobs = Array.from({ length: Math.min(256, deliveries - added) }, () => ({
          identifier: "send",
          payload: {
            id: randomUUID(),
            body: `{"id":"${randomUUID()}","occurred_at":"${new Date().toISOString()}","payload":${payload}}`
          }
        }))
        yield* Effect.promise(() => utils.addJobs(jobs))
      }
      yield* done
      return (deliveries / (performance.now() - start)) * 1_000
    })
  )
