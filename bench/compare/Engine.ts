// An engine under comparison: the program of a checkout, on a database of its own, with its PBX and its money. Whatever
// is asked of it goes through its API, so that its checkout may be older or newer than this one.
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { join } from "node:path"
import { until } from "../../test/support/Until.ts"
import { freePort } from "../../src/layers/node/FreePort.ts"
import { folder, program } from "../Program.ts"
import type { Checkout } from "./Checkout.ts"
import { connectPhones } from "./Phones.ts"
import type { Heap } from "./Probe.ts"

const secret = "a-secret-of-the-comparison"
const balance_minor = 1_000_000_000_000

export interface EngineOptions {
  /** Where databases are made. */
  readonly url: Redacted.Redacted
  /** Is part of the name of its database and of its webhooks. */
  readonly name: string
  readonly checkout: Checkout
  readonly node: ReadonlyArray<string>
}

type Who = "key" | "owner_session" | "operator_session"

/** A database, and an engine that uses it until the scope closes. */
export const startEngine = Effect.fnUntraced(function* ({ checkout, name, node, url }: EngineOptions) {
  const sql = yield* PgClient.PgClient
  yield* sql.unsafe(`CREATE DATABASE ${name}`)
  const own = new URL(Redacted.value(url))
  own.pathname = `/${name}`
  const port = yield* freePort("127.0.0.1")
  const probe_port = yield* freePort("127.0.0.1")
  const { demo, pid } = yield* program(Redacted.make(own.href), yield* folder, port, {
    root: checkout.folder,
    node: ["--expose-gc", "--import", join(import.meta.dirname, "Probe.ts"), ...node],
    settings: {
      PBX_GATEWAY: "none",
      PBX_INGEST_SECRET: secret,
      PROBE_PORT: String(probe_port),
      // What an engine says of calls that ring in vain is not to be measured.
      LOG_LEVEL: "error"
    }
  })
  const ask = (method: string, path: string, body?: object, who: Who = "key") =>
    Effect.promise(async () => {
      const identity = who === "key" ? { authorization: `Bearer ${demo.api_key}` } : { cookie: `session=${demo[who]}` }
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { ...identity, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${checkout.name}: ${method} ${path} was answered ${answer.status} ${text}`)
      return (text === "" ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>>
    })
  const heap = (path: "heap" | "collected") =>
    Effect.promise(async () => (await (await fetch(`http://127.0.0.1:${probe_port}/${path}`)).json()) as Heap)
  const held = Effect.map(ask("GET", "/v1/wallet/balance"), ({ held_minor }) => Number(held_minor))
  const phones = yield* connectPhones({ port, secret })
  yield* ask(
    "POST",
    `/v1/admin/wallets/${demo.workspace_id}/adjustments`,
    { kind: "manual_credit", amount_minor: balance_minor, currency: "KES", note: "A comparison", reference: "bench" },
    "operator_session"
  )
  const policy = {
    max_concurrent_calls: 1_000_000,
    calls_per_second: 1_000_000,
    daily_spend_limit_minor: null,
    max_calls_per_destination_per_hour: null
  }
  yield* ask("PATCH", "/v1/workspace/calling-policy", policy, "owner_session")
  return {
    name,
    checkout,
    port,
    pid,
    demo,
    ask,
    heap,
    phones,
    /** No money is held any more: every call is charged or free. */
    settled: Effect.asVoid(until("end of every hold", held, (minor) => minor === 0, { every_ms: 10 }))
  }
})
export type Engine = Effect.Success<ReturnType<typeof startEngine>>
