// Live streams that are held: what each keeps of the heap.
import { Effect } from "effect"
import type { ClientRequest } from "node:http"
import { openStream } from "../streams.ts"
import type { Engine } from "./Engine.ts"

/** The most that one key may hold. */
const streams_of_a_key = 20
const at_once = 50

export const streams = (count: number) => {
  const keys = new Map<Engine, ReadonlyArray<string>>()
  const hold = (engine: Engine) =>
    Effect.acquireRelease(
      Effect.forEach(
        Array.from({ length: count }, (_, n) => n),
        (n) =>
          openStream({
            port: engine.port,
            key: keys.get(engine)![Math.floor(n / streams_of_a_key)]!,
            session: `HD_bench_${n}`
          }),
        { concurrency: at_once }
      ),
      (open: ReadonlyArray<ClientRequest>) => Effect.sync(() => open.forEach((stream) => stream.destroy()))
    )
  const window = (engine: Engine) =>
    Effect.gen(function* () {
      const before = yield* engine.heap("collected")
      const held = yield* Effect.scoped(Effect.andThen(hold(engine), engine.heap("collected")))
      return { heap: (held.used_bytes - before.used_bytes) / count / 1_024 }
    })
  return {
    name: "live stream held",
    of: `${count} streams`,
    metrics: [{ name: "heap", unit: "KiB", judged: true }],
    warm_up: 1,
    clean: () => Effect.void,
    prepare: (engine: Engine) =>
      Effect.gen(function* () {
        const made = yield* Effect.forEach(Array.from({ length: Math.ceil(count / streams_of_a_key) }), (_, n) =>
          engine.ask("POST", "/v1/api-keys", { label: `Streams ${n}`, scopes: ["calls.read"] }, "owner_session")
        )
        keys.set(
          engine,
          made.map(({ key }) => String(key))
        )
      }),
    window
  }
}
