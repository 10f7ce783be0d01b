// What somebody without a key can do to the engine: a real process with a small heap, over loopback.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { scriptPath } from "../../../src/http/pages/ReferencePage.ts"
import { makeProgram, type Program } from "../../support/Program.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { until } from "../../support/Until.ts"

const mebibyte = 1024 * 1024

/** A client that sends and never reads. */
const deaf = (port: number, text: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text)
      resolve(socket)
    })
    socket.pause().on("error", () => reject(new Error("not connected")))
  })

const residentOf = (program: Program): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${program.pid()}/status`, "utf8"))?.[1]) * 1024

/** Sends a request that needs no key. */
const serves = (program: Program) =>
  Effect.promise(async () => {
    const { status } = await fetch(`${program.base_url}/healthz`, { signal: AbortSignal.timeout(30_000) })
    assert.strictEqual(status, 200)
  })

/** How many connections the engine has closed because their clients do not read. */
const cutOff = (program: Program) =>
  Effect.map(program.ask("/metrics"), ({ text }) => {
    const counts = [...text.matchAll(/^trunkline_http_connections_cut_total\{.*?\} (\d+)/gm)]
    return counts.reduce((sum, [, count]) => sum + Number(count), 0)
  })

it.live(
  "outlives 400 connections that ask for the largest pages and never read, and cuts them off",
  () =>
    Effect.gen(function* () {
      const program = yield* makeProgram({ env: { NODE_OPTIONS: "--max-old-space-size=768" } })
      yield* program.start
      const port = Number(new URL(program.base_url).port)
      yield* program.ask("/openapi.json")
      yield* program.ask(scriptPath)
      const before = residentOf(program)
      const requests = ["/openapi.json", scriptPath]
        .map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(6))
        .join("")
      const sockets = yield* Effect.promise(() => Promise.all(Array.from({ length: 400 }, () => deaf(port, requests))))
      let most = 0
      let served = 0
      const look = Effect.gen(function* () {
        yield* serves(program)
        most = Math.max(most, residentOf(program))
        const cut = yield* cutOff(program)
        if (cut < 390) served++
        return cut
      })
      yield* until("end of 390 connections", look, (cut) => cut >= 390, { every_ms: 500, within_ms: 60_000 })
      assert.isTrue(program.isAlive(), program.output())
      assert.isBelow((most - before) / mebibyte, 300, "MiB more than before")
      assert.isAtLeast(served, 3, "requests that were served beside them")
      yield* Effect.logInfo("strangers").pipe(Effect.annotateLogs({ before, most, served }))
      for (const socket of sockets) socket.destroy()
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer)),
  120_000
)
