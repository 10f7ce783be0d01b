// Gauges of the whole installation, read from the database every 15 seconds: live calls, held money, the queue of
// webhooks, gateways. Every process has the same ones, so take the maximum of a cluster and not the sum.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Metric, Schedule } from "effect"
import { Gateways } from "../../actors/pbx/Gateways.ts"

const up = Metric.gauge("trunkline_database_up", {
  description: "Whether the database answered when the gauges of the installation were last read: 1 or 0."
})
const readSeconds = Metric.gauge("trunkline_database_read_duration_seconds", {
  description: "How long the gauges of the installation took to read."
})
const live = Metric.gauge("trunkline_calls_live", { description: "Legs that ring or talk, by status and direction." })
const held = Metric.gauge("trunkline_wallets_held_minor", {
  description: "Money that is set aside for calls, in minor units, by currency."
})
const balances = Metric.gauge("trunkline_wallets_balance_minor", {
  description: "Balances of all wallets, in minor units, by currency."
})
const queued = Metric.gauge("trunkline_webhook_deliveries_due", {
  description: "Webhook deliveries whose next attempt is overdue, though their receiver accepted the one before."
})
const waitingForReceiver = Metric.gauge("trunkline_webhook_deliveries_waiting_for_receiver", {
  description: "Webhook deliveries whose next attempt is overdue because their receiver fails."
})
const oldest = Metric.gauge("trunkline_webhook_oldest_due_seconds", {
  description: "For how long the oldest of them has been overdue."
})
const connected = Metric.gauge("trunkline_gateway_connected", {
  description: "Whether a gateway is connected: 1 or 0."
})
const carried = Metric.gauge("trunkline_gateway_workspaces", {
  description: "How many workspaces a gateway carries."
})

const statuses = ["ringing", "answered"] as const
const directions = ["outbound", "inbound"] as const

const set = (gauge: typeof up, labels: Record<string, string>, value: number) =>
  Metric.update(Metric.withAttributes(gauge, labels), value)

const readCalls = (sql: PgClient.PgClient) =>
  Effect.gen(function* () {
    // Live calls have an alarm each, so `calls` is not scanned.
    const rows = yield* sql<{ readonly status: string; readonly direction: string; readonly count: number }>`
      SELECT c.status, c.direction, count(*)::int AS count FROM alarms a JOIN calls c ON c.id = a.actor_id::uuid
      WHERE a.actor_type = 'Call' AND c.status IN ('ringing', 'answered') GROUP BY 1, 2`
    for (const status of statuses)
      for (const direction of directions) {
        const row = rows.find((each) => each.status === status && each.direction === direction)
        yield* set(live, { status, direction }, row?.count ?? 0)
      }
  })

const readMoney = (sql: PgClient.PgClient) =>
  Effect.gen(function* () {
    const rows = yield* sql<{ readonly currency: string; readonly held: number; readonly balance: number }>`
      SELECT currency, sum(held_minor)::float8 AS held, sum(balance_minor)::float8 AS balance
      FROM wallets WHERE currency IS NOT NULL GROUP BY 1`
    for (const { balance, currency, held: set_aside } of rows) {
      yield* set(held, { currency }, set_aside)
      yield* set(balances, { currency }, balance)
    }
  })

const readWebhooks = (sql: PgClient.PgClient) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // A receiver that fails is sent one delivery at a time, and none while its breaker is open (Breaker.ts). What waits
    // for it is late by its own fault, and no operator can help.
    const [row] = yield* sql<{ readonly count: number; readonly waiting: number; readonly age: number }>`
      WITH due AS (
        SELECT d.next_attempt_at, s.state->>'failing_since' IS NULL AS ours
        FROM deliveries d JOIN webhook_subscriptions s ON s.id = d.subscription_id
        WHERE s.status = 'active' AND d.status IN ('pending', 'in_flight', 'retrying')
          AND d.next_attempt_at < ${new Date(now)}
      )
      SELECT count(*) FILTER (WHERE ours)::int AS count, count(*) FILTER (WHERE NOT ours)::int AS waiting,
        coalesce(extract(epoch FROM ${new Date(now)} - min(next_attempt_at) FILTER (WHERE ours)), 0)::float8 AS age
      FROM due`
    yield* set(queued, {}, row?.count ?? 0)
    yield* set(waitingForReceiver, {}, row?.waiting ?? 0)
    yield* set(oldest, {}, row?.age ?? 0)
  })

const readGateways = ({ list }: Gateways["Service"]) =>
  Effect.gen(function* () {
    for (const { gateway_id, state, workspaces } of yield* list()) {
      yield* set(connected, { gateway_id }, state === "connected" ? 1 : 0)
      yield* set(carried, { gateway_id }, workspaces)
    }
  })

/** Reads all gauges once. Never fails: an outage is a gauge, too. */
export const readOperationsGauges = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const gateways = yield* Gateways
  const from = yield* Clock.currentTimeMillis
  const answered = yield* Effect.all([readCalls(sql), readMoney(sql), readWebhooks(sql), readGateways(gateways)]).pipe(
    Effect.timeout("10 seconds"),
    Effect.as(1),
    Effect.catch((error) => Effect.as(Effect.logDebug("The gauges of the installation could not be read", error), 0))
  )
  yield* set(up, {}, answered)
  yield* set(readSeconds, {}, ((yield* Clock.currentTimeMillis) - from) / 1_000)
})

export const layer = Layer.effectDiscard(
  Effect.forkScoped(Effect.repeat(readOperationsGauges, Schedule.spaced("15 seconds")))
)
