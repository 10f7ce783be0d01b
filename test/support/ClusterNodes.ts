// Processes of a cluster, with actors that a test asks.
import { Effect, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Read, type ToyCommand, type ToyState } from "../actors/runtime/Toy.ts"
import type { Line } from "./ClusterNode.ts"
import { freePort } from "./Ports.ts"
import { stoodInLine_ms } from "./Program.ts"
import * as TestDatabase from "./TestDatabase.ts"
import { until } from "./Until.ts"

/** The actors of the cluster. */
export const ids = Array.from({ length: 24 }, (_, index) => `toy-${index}`)

interface Answer {
  readonly number: number
  readonly reply?: unknown
  readonly error?: string
}

/** A folder for sockets. A process with one of its own is reached as one of another machine is. */
export const ownFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

/**
 * A process of the cluster, and what it has said of its own accord. It is killed with its scope. Processes with the
 * same folder reach each other by Unix sockets.
 */
export const startNodeIn = Effect.fnUntraced(function* (folder: string) {
  const { url } = yield* TestDatabase.TestDatabase
  const port = yield* freePort
  const said: Array<{ readonly performs?: string; readonly notice?: string; readonly of: string }> = []
  const waiting = new Map<number, (answer: Answer) => void>()
  const process_ = yield* Effect.acquireRelease(
    Effect.sync((): ChildProcess => {
      const script = new URL("./ClusterNode.ts", import.meta.url).pathname
      const child = spawn(process.execPath, [script, Redacted.value(url), String(port), folder], {
        stdio: ["pipe", "pipe", "inherit"]
      })
      createInterface({ input: child.stdout! }).on("line", (text) => {
        const line = JSON.parse(text)
        if ("number" in line) waiting.get(line.number)?.(line)
        else said.push(line)
      })
      return child
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  let last = 0
  const answerTo = (number: number) =>
    Effect.callback<Answer>((resume) => void waiting.set(number, (answer) => resume(Effect.succeed(answer))))
  const send = (
    line: { readonly ask: ToyCommand; readonly of: string } | { readonly follow: string } | { readonly resident: true }
  ) =>
    Effect.suspend(() => {
      const numbered: Line = { ...line, number: ++last }
      process_.stdin!.write(`${JSON.stringify(numbered)}\n`)
      return answerTo(numbered.number)
    })
  yield* answerTo(0)
  return {
    said,
    /** Milliseconds since the epoch, but those in which others had the processors. */
    now: () => Date.now() - stoodInLine_ms(process_.pid),
    signal: (name: NodeJS.Signals) => Effect.sync(() => process_.kill(name)),
    ask: (of: string, command: ToyCommand) =>
      Effect.flatMap(send({ ask: command, of }), ({ error, reply }) =>
        error === undefined ? Effect.succeed(reply as ToyState) : Effect.fail(error)
      ),
    follow: (of: string) => send({ follow: of }),
    resident: Effect.map(send({ resident: true }), ({ reply }) => Number(reply))
  }
})

export const startNode = Effect.flatMap(ownFolder, startNodeIn)

/** Waits until the condition holds. A process that cannot be asked does not fulfil it. */
export const eventually = (what: string, look: Effect.Effect<boolean, unknown>) =>
  until(
    what,
    Effect.orElseSucceed(look, () => false),
    (it) => it,
    { every_ms: 50 }
  )

/** Waits until both processes have their part of the shards. */
export const balanced = (nodes: ReadonlyArray<Effect.Success<typeof startNode>>) =>
  eventually(
    "share of the actors for each process",
    Effect.gen(function* () {
      for (const id of ids) yield* nodes[0]!.ask(id, Read.make({}))
      const counts = yield* Effect.all(nodes.map(({ resident }) => resident))
      return counts.every((count) => count > 0) && counts.reduce((a, b) => a + b) === ids.length
    })
  )
