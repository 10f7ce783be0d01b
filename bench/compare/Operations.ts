// What is compared. A window of an operation is one round of it on one engine; its figures are for each result.
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ChildProcess } from "node:child_process"
import { until } from "../../test/support/Until.ts"
import type { Load, LoadOrder } from "../LoadClient.ts"
import { load } from "../Loading.ts"
import type { Customer } from "./Customer.ts"
import type { Engine } from "./Engine.ts"
import { answering, ringing } from "./Phones.ts"
import { streams } from "./Streams.ts"
import type { Figures, Metric } from "./Metrics.ts"
import { windowOf } from "./Window.ts"

export interface Operation {
  readonly name: string
  /** What a window is, for people. */
  readonly of: string
  readonly metrics: ReadonlyArray<Metric>
  /** Before its first window. */
  readonly prepare: (engine: Engine) => Effect.Effect<unknown, SqlError, PgClient.PgClient>
  /** `times`: how many windows to run as one, so that code is compiled before it is measured. */
  readonly window: (engine: Engine, times?: number) => Effect.Effect<Figures, SqlError, PgClient.PgClient>
  readonly warm_up: number
  readonly clean: (engine: Engine) => Effect.Effect<unknown, SqlError, PgClient.PgClient>
}

export interface Sizes {
  /** Requests of a window. */
  readonly originates: number
  readonly cycles: number
  /** Originates, each of which is told to every subscription. */
  readonly events: number
  readonly streams: number
}

/** As many as a workspace may have. */
const subscriptions = 20

const usual: ReadonlyArray<Metric> = [
  { name: "engine CPU", unit: "µs", judged: true },
  { name: "PostgreSQL CPU", unit: "µs", judged: true },
  { name: "allocated", unit: "KiB", judged: true },
  { name: "WAL", unit: "B", judged: true },
  { name: "p50", unit: "ms", judged: false },
  { name: "p99", unit: "ms", judged: false }
]

/** The load of a window, and what it takes to be told of it. */
interface Callers {
  readonly client: ChildProcess
  readonly customer: Customer
}

const orderOf = ({ customer }: Callers, { demo, port }: Engine, to: string, requests: number): LoadOrder => ({
  port,
  path: "/v1/calls/originate",
  token: demo.api_key,
  connections: 64,
  duration_ms: 60_000,
  requests,
  body: JSON.stringify({
    to,
    from: demo.number.number,
    voice_callback_url: `${customer.origin}/voice`,
    timeout_seconds: 600
  })
})

/** A load with what it causes. It leaves an engine without calls. */
const cleared = (engine: Engine, results: number, run: Effect.Effect<Load>) =>
  Effect.gen(function* () {
    const figures = yield* windowOf(engine, results, run)
    yield* engine.phones.hangUp
    yield* engine.settled
    return figures
  })

const calls = (callers: Callers, to: string, requests: number, more: Partial<LoadOrder> = {}) => ({
  metrics: usual,
  prepare: () => Effect.void,
  clean: () => Effect.void,
  window: (engine: Engine, times = 1) => {
    const run = load(callers.client, { ...orderOf(callers, engine, to, times * requests), ...more })
    return cleared(engine, times * requests, to === answering ? Effect.tap(run, engine.settled) : run)
  }
})

const deliveries = (callers: Callers, events: number) => {
  const { client, customer } = callers
  const hooks = new Map<Engine, ReadonlyArray<string>>()
  const subscribe = (engine: Engine, n: number) =>
    engine.ask("POST", "/v1/webhooks", {
      url: `${customer.origin}/hooks/${engine.name}/${n}`,
      events: ["call.ringing"]
    })
  const deliver = (engine: Engine, requests: number) =>
    Effect.gen(function* () {
      const before = customer.received(engine.name)
      const loaded = yield* load(client, orderOf(callers, engine, ringing, requests))
      yield* until(
        "webhook of every event",
        Effect.sync(() => customer.received(engine.name) - before),
        (count) => count >= requests * subscriptions,
        { every_ms: 5 }
      )
      return loaded
    })
  return {
    metrics: usual,
    prepare: (engine: Engine) =>
      Effect.gen(function* () {
        const made = yield* Effect.forEach(Array.from({ length: subscriptions }), (_, n) => subscribe(engine, n))
        hooks.set(
          engine,
          made.map(({ id }) => String(id))
        )
      }),
    window: (engine: Engine, times = 1) =>
      cleared(engine, times * events * subscriptions, deliver(engine, times * events)),
    clean: (engine: Engine) =>
      Effect.forEach(hooks.get(engine) ?? [], (id) => engine.ask("DELETE", `/v1/webhooks/${id}`))
  }
}

export const operationsFor = (callers: Callers, sizes: Sizes) =>
  ({
    originate: {
      ...calls(callers, ringing, sizes.originates),
      name: "originate",
      of: `${sizes.originates} originates by 64 connections`,
      warm_up: 6
    },
    paced: {
      ...calls(callers, ringing, sizes.originates, { per_second: 300, connections: 16 }),
      name: "originate, paced",
      of: `${sizes.originates} originates at 300 a second`,
      warm_up: 1
    },
    cycle: {
      ...calls(callers, answering, sizes.cycles),
      name: "call cycle",
      of: `${sizes.cycles} calls: originated, answered, callback, hung up, settled`,
      warm_up: 5
    },
    delivery: {
      ...deliveries(callers, sizes.events),
      name: "delivery",
      of: `${sizes.events} events for ${subscriptions} subscriptions each, by originates, which are part of it`,
      warm_up: 3
    },
    stream: streams(sizes.streams)
  }) satisfies Record<string, Operation>
