// The alert rules and the dashboard in deploy/: each condition is provoked, and every metric exists.
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Queue, Redacted } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import * as FollowClock from "../../../src/actors/calls/FollowClock.ts"
import { Gateways } from "../../../src/actors/pbx/Gateways.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { toGatewayId } from "../../../src/domain/BrandedIds.ts"
import { type ClockLeap, noLeaps } from "../../../src/domain/ClockLeap.ts"
import { startedLate } from "../../../src/domain/calls/views/CallPayload.ts"
import { CallGatewayUnavailable } from "../../../src/domain/errors/CallErrors.ts"
import { InternalError } from "../../../src/domain/errors/GeneralErrors.ts"
import { NotCommitted } from "../../../src/domain/errors/NotCommitted.ts"
import { callsFrom, readsFrom } from "../../../src/domain/journal/Shedding.ts"
import { Journal } from "../../../src/domain/ports/engine/Journal.ts"
import { JournalBacklog } from "../../../src/domain/ports/engine/JournalBacklog.ts"
import { LoadSignals } from "../../../src/domain/ports/engine/LoadSignals.ts"
import { ClockLeaps } from "../../../src/domain/ports/engine/ClockLeaps.ts"
import { CallbackFailure, VoiceCallback } from "../../../src/domain/ports/calls/VoiceCallback.ts"
import { WebhookSender } from "../../../src/domain/ports/webhooks/WebhookSender.ts"
import { answerFailure } from "../../../src/http/request/AnswerFailure.ts"
import { Overload } from "../../../src/http/request/Overload.ts"
import { RequestId } from "../../../src/http/request/RequestId.ts"
import * as AlertLog from "../../../src/layers/journal/AlertLog.ts"
import * as JournalMetrics from "../../../src/layers/journal/JournalMetrics.ts"
import * as Database from "../../../src/layers/postgres/database/Database.ts"
import { makeEngineGauges } from "../../../src/layers/telemetry/EngineGauges.ts"
import * as MeasuredCalls from "../../../src/layers/telemetry/MeasuredCalls.ts"
import { readOperationsGauges } from "../../../src/layers/telemetry/OperationsGauges.ts"
import { workspaceId } from "../../support/Ids.ts"
import { alertRules, holds, metricsIn, valuesOf } from "../../support/Promql.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { until } from "../../support/Until.ts"

const file = (path: string) => readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), "utf8")
const alerts = Array.from(alertRules, ([name, condition]) => ({ name, condition }))

const gateways = (state: "connected" | "away") =>
  Layer.succeed(Gateways)({
    list: () => Effect.succeed([{ gateway_id: toGatewayId("g1"), state, since: null, connections: 1, workspaces: 2 }])
  })

const answered = (failure: CallGatewayUnavailable | InternalError) =>
  Effect.provideService(answerFailure(failure), RequestId, "r")

const appended = (ok: boolean, kind: string, payload = "{}", took_ms = 0) =>
  Effect.flatMap(Journal, ({ append }) =>
    Effect.callback<void>((resume) => {
      const event = {
        id: "e",
        workspace_id: workspaceId("w"),
        subject_id: "s",
        sequence: 1,
        kind,
        occurred_at: 0,
        late: false,
        payload,
        number_id: null,
        fan_out: true
      }
      append({ actor_type: "Wallet", actor_id: "w", workspace_id: workspaceId("w"), events: [event] }, () =>
        resume(Effect.void)
      )
    })
  ).pipe(
    Effect.provide(
      AlertLog.layer.pipe(
        Layer.provide(JournalMetrics.layer),
        Layer.provide(
          Layer.mock(Journal)({
            onFanOut: () => () => {},
            appendTied: (unit) => unit.forEach(({ done }) => done({ ok: true })),
            append: (_, done) => {
              const outcome = ok ? { ok } : { ok, error: new NotCommitted({ reason: "unavailable" }) }
              if (took_ms === 0) done(outcome)
              else setTimeout(done, took_ms, outcome)
            }
          })
        )
      )
    )
  )

/** A voice callback that does not answer in time. */
const overdueCallback = Effect.flatMap(VoiceCallback, ({ ask }) => Effect.ignore(ask({} as never))).pipe(
  Effect.provide(
    MeasuredCalls.layer.pipe(
      Layer.provide([
        Layer.succeed(VoiceCallback)({
          ask: () => Effect.fail(new CallbackFailure({ cause: "callback_timeout", detail: "late" }))
        }),
        Layer.mock(WebhookSender)({})
      ])
    )
  )
)

/** A webhook whose receiver is not reached. */
const unreachedReceiver = Effect.flatMap(WebhookSender, ({ send }) => send({} as never)).pipe(
  Effect.provide(
    MeasuredCalls.layer.pipe(
      Layer.provide([
        Layer.succeed(WebhookSender)({
          send: () =>
            Effect.succeed({
              at: 0,
              duration_ms: 1,
              http_status: null,
              error: "connect_failed",
              response_excerpt: null,
              retry_after_ms: null
            })
        }),
        Layer.mock(VoiceCallback)({})
      ])
    )
  )
)

/** A delivery that is five minutes late. */
const lateDelivery = (failing_since: number | null) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const workspace_id = randomUUID()
    const subscription_id = randomUUID()
    const now = new Date()
    yield* sql`INSERT INTO workspaces ${sql.insert({ id: workspace_id, name: "w", status: "active", tenant_pbx_id: "t", gateway_id: "g1", voice_secret: "s", created_at: now })}`
    yield* sql`INSERT INTO webhook_subscriptions ${sql.insert({ id: subscription_id, workspace_id, version: 1, state: JSON.stringify({ failing_since }), status: "active", kinds: [], number_ids: [], created_at: now })}`
    yield* sql`INSERT INTO deliveries ${sql.insert({ id: randomUUID(), workspace_id, subscription_id, event_id: randomUUID(), event_kind: "call.completed", subject_id: randomUUID(), sequence: 1, status: "retrying", attempts: 1, next_attempt_at: new Date(now.getTime() - 300_000), created_at: now, attempt_log: "[]" })}`
    yield* Effect.provide(readOperationsGauges, gateways("connected"))
  })

const overdueDelivery = lateDelivery(null)

const leapt = Effect.gen(function* () {
  const leaps = yield* Queue.make<ClockLeap>()
  const rechecked = yield* Deferred.make<void>()
  yield* Layer.build(FollowClock.layer).pipe(
    Effect.provide([
      Layer.succeed(ClockLeaps)({
        whileDown: undefined,
        keep: Effect.void,
        common: undefined,
        next: Queue.take(leaps),
        follow: () => {},
        history: () => noLeaps
      }),
      Layer.mock(ActorSystem)({ recheckDeadlines: Effect.asVoid(Deferred.succeed(rechecked, undefined)) })
    ])
  )
  yield* Queue.offer(leaps, { kind: "stood_still", by_ms: 3_600_000 })
  yield* Deferred.await(rechecked)
}).pipe(Effect.scoped)

/** A database at which nobody listens. */
const nowhere = Database.layer({ url: Redacted.make("postgres://a:b@127.0.0.1:1/x"), connections: 1 })

const engineGauges = (late_ms: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const measure = yield* makeEngineGauges
      const late_at = performance.now() + late_ms
      // Node measures the delay every 10 ms: once before the event loop is late, and once after.
      yield* Effect.sleep("30 millis")
      while (performance.now() < late_at) continue
      yield* Effect.sleep("30 millis")
      yield* measure
    })
  ).pipe(
    Effect.provide(
      Layer.mock(ActorSystem)({
        resident: Effect.succeed(1),
        stopped: Effect.succeed(late_ms > 0 ? ([{ type: "Call", id: "c" }] as never) : [])
      })
    )
  )

/** An engine that refuses what it refuses with so many entries waiting for the journal. */
const waiting = (entries: number) =>
  Effect.scoped(
    Effect.andThen(Layer.build(Overload.layer({ max_requests: 1_000, event_loop_ms: 50 })), Effect.sleep("120 millis"))
  ).pipe(
    Effect.provide([
      Layer.succeed(JournalBacklog)({
        read: () => ({ all: { entries, characters: 0 }, of: new Map() }),
        wait: () => 0
      }),
      Layer.succeed(LoadSignals)({ eventLoop: () => ({ late_ms: 0, busy: 0 }), pools: () => new Map() })
    ])
  )

const provoked: Readonly<Record<string, Effect.Effect<unknown, unknown, PgClient.PgClient>>> = {
  TrunklineDatabaseDown: readOperationsGauges.pipe(Effect.provide(gateways("connected")), Effect.provide(nowhere)),
  TrunklineDecisionsNotStored: appended(false, "wallet.low_balance"),
  TrunklineDatabaseSlow: appended(true, "call.ringing", "{}", 400),
  TrunklineGatewayAway: Effect.provide(readOperationsGauges, gateways("away")),
  TrunklineCallsWithoutGateway: answered(new CallGatewayUnavailable()),
  TrunklineInternalErrors: answered(new InternalError()),
  TrunklineCallbacksFail: overdueCallback,
  TrunklineWebhooksLate: overdueDelivery,
  TrunklineReceiversUnreachable: unreachedReceiver,
  TrunklineActorsStopped: engineGauges(400),
  TrunklineClockLeapt: leapt,
  TrunklineEventLoopLate: engineGauges(600),
  TrunklineRefusesCalls: waiting(callsFrom.entries),
  TrunklineRefusesLists: waiting(readsFrom.entries),
  TrunklineCallsStartedLate: appended(true, "call.answer_ignored", JSON.stringify({ step: startedLate })),
  TrunklineSecurityAlert: appended(true, "security.call_burst")
}

const healthy = Effect.gen(function* () {
  yield* Effect.provide(readOperationsGauges, gateways("connected"))
  yield* engineGauges(0)
  yield* waiting(0)
  yield* appended(true, "call.ringing")
})

layer(TestDatabase.layer, { excludeTestServices: true })("the alert", (it) => {
  for (const { condition, name } of alerts.filter(({ name }) => name !== "TrunklineDown")) {
    it.effect(
      `${name} is quiet while all is well, and fires when its condition is provoked`,
      () =>
        Effect.gen(function* () {
          yield* healthy
          const before = yield* PrometheusMetrics.format()
          assert.isFalse(holds(condition, before, before), condition)
          const provoke = provoked[name]
          assert.isDefined(provoke, `${name} is not provoked`)
          if (provoke !== undefined) yield* provoke
          // Some are counted a moment after what they count.
          yield* until(`metrics with ${condition}`, PrometheusMetrics.format(), (after) =>
            holds(condition, before, after)
          )
          yield* (yield* PgClient.PgClient)`DELETE FROM deliveries`
        }),
      30_000
    )
  }
})

layer(TestDatabase.layer, { excludeTestServices: true })("deliveries to a receiver that is down", (it) => {
  it.effect("are counted apart, and no alert fires for them", () =>
    Effect.gen(function* () {
      yield* lateDelivery(Date.now() - 300_000)
      const text = yield* PrometheusMetrics.format()
      assert.deepStrictEqual(valuesOf("trunkline_webhook_deliveries_waiting_for_receiver", text, text), [1])
      assert.deepStrictEqual(valuesOf("trunkline_webhook_deliveries_due", text, text), [0])
      assert.isFalse(holds(alertRules.get("TrunklineWebhooksLate") ?? "", text, text))
    })
  )
})

describe("the dashboard and the alerts", () => {
  it("use metrics that exist, and the page lists them", () => {
    const dashboard = JSON.parse(file("grafana/trunkline.json")) as {
      readonly panels: ReadonlyArray<{ readonly targets: ReadonlyArray<{ readonly expr: string }> }>
    }
    const expressions = [
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...alerts.map(({ condition }) => condition)
    ]
    const page = readFileSync(new URL("../../../docs/deployment.md", import.meta.url), "utf8")
    const names = new Set(expressions.flatMap(metricsIn).map((name) => name.replace(/_(bucket|count|sum)$/, "")))
    assert.isAbove(names.size, 20)
    assert.deepStrictEqual(
      [...names].filter((name) => !page.includes(`\`${name}\``)),
      []
    )
  })
})
