// A process of a cluster with toy actors, for tests: reads one command per line and prints one answer per line.
import { Effect, Layer, Logger, Queue, Redacted, type Scope, Stream } from "effect"
import { createInterface } from "node:readline"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import type { Failure } from "../../src/domain/errors/Failure.ts"
import type { NotCommitted } from "../../src/domain/errors/NotCommitted.ts"
import * as Cluster from "../../src/app/Cluster.ts"
import * as SystemIds from "../../src/layers/ids/SystemIds.ts"
import * as Database from "../../src/layers/postgres/database/Database.ts"
import * as PostgresJournal from "../../src/layers/postgres/journal/Journal.ts"
import * as Telemetry from "../../src/layers/telemetry/Telemetry.ts"
import { Toy, type ToyCommand } from "../actors/runtime/Toy.ts"

export type Line =
  | { readonly ask: ToyCommand; readonly of: string; readonly number: number }
  | { readonly follow: string; readonly number: number }
  | { readonly resident: true; readonly number: number }

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const [url = "", port = "", folder = ""] = process.argv.slice(2)

const node = Effect.gen(function* () {
  const system = yield* ActorSystem
  yield* system.register(Toy, (key, { id }) =>
    Effect.andThen(
      Effect.sync(() => say({ performs: key, of: id })),
      Effect.never
    )
  )
  yield* system.start

  const answer = (line: Line): Effect.Effect<unknown, Failure | NotCommitted, Scope.Scope> => {
    if ("ask" in line) return system.ask(Toy, line.of, line.ask)
    if ("resident" in line) return system.resident
    return Effect.gen(function* () {
      const notices = yield* system.subscribe(Toy, line.follow)
      const tell = Stream.fromQueue(notices).pipe(
        Stream.runForEach((notice) => Effect.sync(() => say({ notice, of: line.follow }))),
        Effect.ensuring(Effect.sync(() => say({ notice: "end", of: line.follow })))
      )
      yield* Effect.forkScoped(tell)
      return "follows"
    })
  }
  const lines = yield* Queue.unbounded<Line>()
  createInterface({ input: process.stdin }).on("line", (text) => Queue.offerUnsafe(lines, JSON.parse(text)))
  say({ number: 0, reply: "ready" })
  yield* Stream.fromQueue(lines).pipe(
    Stream.runForEach((line) =>
      answer(line).pipe(
        Effect.match({
          onFailure: (error) =>
            say({ number: line.number, error: error._tag === "NotCommitted" ? error.reason : error.message }),
          onSuccess: (reply) => say({ number: line.number, reply })
        }),
        Effect.forkScoped
      )
    )
  )
}).pipe(
  Effect.scoped,
  Effect.provide(Cluster.layer({ host: "127.0.0.1", port: Number(port), keys: [new Uint8Array(32).fill(7)], folder })),
  Effect.provide(Layer.merge(PostgresJournal.layer, SystemIds.layer)),
  Effect.provide(Database.layer({ url: Redacted.make(url) })),
  Effect.provide(Layer.merge(Logger.layer([]), Telemetry.layer({ otlp_url: undefined })))
)

await Effect.runPromise(node)
