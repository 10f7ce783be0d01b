// A process that takes the engine's lock on a database, prints so and waits.
import { Effect, Layer, Redacted } from "effect"
import { InstanceLock } from "../../src/layers/postgres/embedded/InstanceLock.ts"

const [url = ""] = process.argv.slice(2)

const program = Effect.gen(function* () {
  yield* InstanceLock
  process.stdout.write("locked\n")
  return yield* Effect.never
})

await Effect.runPromise(Effect.provide(program, InstanceLock.layer(Redacted.make(url)).pipe(Layer.orDie)))
