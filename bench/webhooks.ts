// Webhook deliveries from end to end: events stored, deliveries created, signed, sent to a receiver in another process
// and recorded; compared with the same POSTs as jobs of graphile-worker, on the same server, in the same run.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, type Redacted, type Scope } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { ActorSystem } from "../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../src/actors/runtime/LocalSystem.ts"
import { NotifyAdmins } from "../src/actors/mail/NotifyAdmins.ts"
import { VoiceSecrets } from "../src/actors/webhooks/VoiceSecrets.ts"
import { SubscriptionCommands } from "../src/domain/webhooks/SubscriptionCommand.ts"
import * as SubscriptionActor from "../src/actors/webhooks/SubscriptionActor.ts"
import { sealContext } from "../src/actors/shared/SealedResponse.ts"
import { webhookSecret } from "../src/actors/webhooks/WebhookResponses.ts"
import { systemOrigin } from "../src/domain/access/Origin.ts"
import { Ids } from "../src/domain/ports/engine/Ids.ts"
import { Journal } from "../src/domain/ports/engine/Journal.ts"
import { Vault } from "../src/domain/ports/engine/Vault.ts"
import { HttpWebhookSender } from "../src/layers/http-client/HttpWebhookSender.ts"
import * as SystemIds from "../src/layers/ids/SystemIds.ts"
import { AesVault } from "../src/layers/keyring/AesVault.ts"
import * as Database from "../src/layers/postgres/database/Database.ts"
import * as DeliveryReads from "../src/layers/postgres/reads/DeliveryReads.ts"
import * as PostgresJournal from "../src/layers/postgres/journal/Journal.ts"
import { jobsPerSecond } from "./GraphileJobs.ts"
import type { Receipts } from "./ReceiverChild.ts"
import { type BenchRow, median } from "./Row.ts"
import { numberId, workspaceId } from "../test/support/Ids.ts"
import { toNumberId, toSubscriptionId } from "../src/domain/BrandedIds.ts"

export interface WebhooksBenchOptions {
  /** A database that may be filled. */
  readonly url: Redacted.Redacted
  /** Another database, for graphile-worker. */
  readonly rival_url: Redacted.Redacted
  /** Deliveries of each round. */
  readonly deliveries: number
  readonly rounds: number
  /** How long deliveries are sent at a fixed rate. */
  readonly duration_ms: number
}

const payload = JSON.stringify({
  kind: "call.completed",
  status: "completed",
  metadata: { note: "a word ".repeat(40) }
})

interface Receiver {
  readonly origin: string
  readonly ask: (what: "count" | "report") => Effect.Effect<Receipts>
}

const receiver: Effect.Effect<Receiver, never, Scope.Scope> = Effect.gen(function* () {
  const child: ChildProcess = yield* Effect.acquireRelease(
    Effect.sync(() => fork(join(import.meta.dirname, "ReceiverChild.ts"))),
    (child) => Effect.sync(() => child.kill())
  )
  const answer = <A>() => Effect.promise(async () => (await once(child, "message"))[0] as A)
  const { port } = yield* answer<{ readonly port: number }>()
  return {
    origin: `http://127.0.0.1:${port}`,
    ask: (what) =>
      Effect.suspend(() => {
        child.send(what)
        return answer<Receipts>()
      })
  }
})

/** The part of the engine that webhooks need. */
const engine = (url: Redacted.Redacted) =>
  Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ start }) => start)).pipe(
    Layer.provideMerge(SubscriptionActor.layer),
    Layer.provideMerge(LocalSystem.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        PostgresJournal.layer,
        DeliveryReads.layer,
        HttpWebhookSender({ policy: { allow_insecure: true, allow_private: true } }),
        AesVault(new Uint8Array(32).fill(7)),
        NotifyAdmins.none,
        VoiceSecrets.none,
        SystemIds.layer
      )
    ),
    Layer.provideMerge(Database.layer({ url }))
  )

/** A workspace with a subscription for each path, each for the events of a different number. */
const subscribed = (origin: string, paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { uuid } = yield* Ids
    const system = yield* ActorSystem
    const vault = yield* Vault
    const workspace_id = workspaceId(uuid())
    const number_ids = paths.map(() => toNumberId(uuid()))
    const sql = yield* PgClient.PgClient
    yield* sql`
      INSERT INTO workspaces ${sql.insert({
        id: workspace_id,
        name: "Bench",
        tenant_pbx_id: workspace_id,
        gateway_id: "default",
        voice_secret: "",
        created_at: new Date(),
        version: 1,
        state: "{}"
      })}`
    yield* Effect.forEach(
      paths,
      (path, index) => {
        const id = workspaceId(uuid())
        const facts = {
          workspace_id,
          url: origin + path,
          description: "",
          events: ["call.*"],
          kinds: ["call.completed"],
          number_ids: [number_ids[index]!],
          signature_format: "timestamped",
          api_version: "2026-10-01",
          source: "api",
          secret: vault.seal(vault.newSecret(), sealContext(webhookSecret, id, workspace_id))
        } as const
        return system.ask(SubscriptionCommands.Create, toSubscriptionId(id), { facts, origin: systemOrigin })
      },
      { concurrency: 16, discard: true }
    )
    return { workspace_id, number_ids }
  })

type Subscribed = Effect.Success<ReturnType<typeof subscribed>>

/** Commits an event of each number in turn. */
const makeHappen = ({ number_ids, workspace_id }: Subscribed) =>
  Effect.gen(function* () {
    const journal = yield* Journal
    const { uuid } = yield* Ids
    let turn = 0
    return Effect.flatMap(Clock.currentTimeMillis, (occurred_at) =>
      Effect.callback<void>((resume) => {
        const subject_id = uuid()
        const number_id = number_ids[turn++ % number_ids.length]!
        journal.append(
          {
            actor_type: "Bench",
            actor_id: subject_id,
            workspace_id: workspaceId(workspace_id),
            snapshot: { version: 1, state: "{}", columns: {} },
            events: [
              {
                id: uuid(),
                workspace_id: workspaceId(workspace_id),
                subject_id,
                sequence: 1,
                kind: "call.completed",
                occurred_at,
                late: false,
                payload,
                number_id: numberId(number_id),
                fan_out: true
              }
            ]
          },
          (outcome) => resume(outcome.ok ? Effect.void : Effect.die(outcome.error))
        )
      })
    )
  })

const received = ({ ask }: Receiver, count: number) =>
  Effect.repeat(Effect.delay(ask("count"), "5 millis"), { until: (receipts) => receipts.count >= count })

/** Deliveries a second, from the first event stored to the last one delivered. */
const rate = (to: Receiver, subscribed: Subscribed, deliveries: number) =>
  Effect.gen(function* () {
    const happen = yield* makeHappen(subscribed)
    const start = performance.now()
    yield* Effect.all(
      Array.from({ length: deliveries }, () => happen),
      { concurrency: 256, discard: true }
    )
    yield* received(to, deliveries)
    const per_second = (deliveries / (performance.now() - start)) * 1_000
    const { doubled } = yield* to.ask("report")
    return { per_second, doubled }
  })

/** The latency of events at a fixed rate, as the receiver sees it. */
const paced = (to: Receiver, subscribed: Subscribed, per_second: number, duration_ms: number) =>
  Effect.gen(function* () {
    const happen = yield* makeHappen(subscribed)
    const events = Math.round((per_second * duration_ms) / 1_000)
    const start = performance.now()
    for (let n = 0; n < events; n++) {
      const ahead_ms = start + (n / per_second) * 1_000 - performance.now()
      if (ahead_ms > 1) yield* Effect.sleep(ahead_ms)
      yield* Effect.forkChild(happen)
    }
    yield* Effect.sleep(1_000)
    return yield* to.ask("report")
  })

const paths = (count: number, prefix: string) => Array.from({ length: count }, (_, n) => `/${prefix}/${n}`)

export const webhooksBench = ({
  deliveries,
  duration_ms,
  rival_url,
  rounds,
  url
}: WebhooksBenchOptions): Effect.Effect<ReadonlyArray<BenchRow>, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const to = yield* receiver
    const rows = yield* Effect.gen(function* () {
      const twenty = yield* subscribed(to.origin, paths(20, "ok"))
      yield* rate(to, twenty, Math.min(deliveries, 1_000))
      const runs = yield* Effect.all(Array.from({ length: rounds }, () => rate(to, twenty, deliveries)))
      const steady = yield* paced(to, twenty, 400, duration_ms)
      const mixed = yield* subscribed(to.origin, [...paths(50, "ok"), ...paths(50, "hole")])
      const beside = yield* paced(to, mixed, 100, duration_ms * 2)
      return { runs, steady, beside }
    }).pipe(Effect.provide(Layer.fresh(engine(url))))
    const ours = median(rows.runs.map(({ per_second }) => per_second))
    const body = { origin: to.origin, deliveries, payload, done: received(to, deliveries) }
    const plain = yield* jobsPerSecond(rival_url, body, "plain")
    yield* to.ask("report")
    const tuned = yield* jobsPerSecond(rival_url, body, "tuned")
    return [
      { name: "webhook deliveries, end to end", value: ours, unit: "deliveries/s" },
      { name: "the same POSTs as jobs of graphile-worker", value: plain, unit: "jobs/s" },
      { name: "the same, with its local queue and batches", value: tuned, unit: "jobs/s" },
      { name: "deliveries, relative to jobs", value: ours / plain, unit: "times" },
      { name: "deliveries, relative to jobs in batches", value: ours / tuned, unit: "times" },
      {
        name: "deliveries sent twice",
        value: rows.runs.reduce((sum, { doubled }) => sum + doubled, 0),
        unit: "",
        goal: { most: 0 }
      },
      {
        name: "from event to first byte at 400 a second, p99",
        value: rows.steady.p99_ms,
        unit: "ms",
        goal: { most: 1_000 }
      },
      {
        name: "from event to first byte beside 50 black holes of 100, p99",
        value: rows.beside.p99_ms,
        unit: "ms",
        goal: { most: 200 }
      }
    ]
  })
