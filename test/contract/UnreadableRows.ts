// What every implementation of a list does with rows whose stored states are unreadable.
import { assert, layer as provided } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer } from "effect"
import { randomUUID } from "node:crypto"
import {
  type RecordingId,
  type SubscriptionId,
  type TopUpId,
  toWorkspaceId,
  type WorkspaceId
} from "../../src/domain/BrandedIds.ts"
import type { ReadFailed } from "../../src/domain/errors/ReadFailed.ts"
import type { Snapshot } from "../../src/domain/journal/Rows.ts"
import type { After } from "../../src/domain/paging/After.ts"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import { RecordingReads } from "../../src/domain/ports/calls/RecordingReads.ts"
import { SubscriptionReads } from "../../src/domain/ports/webhooks/SubscriptionReads.ts"
import { TopUpReads } from "../../src/domain/ports/money/TopUpReads.ts"
import { Unreadable } from "../../src/domain/state/StoredState.ts"
import { UnreadableRows } from "../../src/layers/state/UnreadableRows.ts"
import { storedFixture } from "../support/StoredStates.ts"
import { recordingId, subscriptionId, topUpId } from "../support/Ids.ts"

const t0 = Date.UTC(2026, 0, 1)
const minute_ms = 60_000

interface Shown {
  readonly id: string
  readonly at: number
}

/** A kind of actor whose rows are listed. */
interface Kind<Reads, Id extends string = string> {
  readonly type: string
  readonly newId: () => Id
  /** A member without which a row cannot be shown. */
  readonly needed: string
  readonly row: (
    workspace_id: WorkspaceId,
    at: number,
    id: string
  ) => Omit<Snapshot, "version" | "state"> & {
    readonly state: object
    /** Absent: the row belongs to no workspace. */
    readonly workspace_id: WorkspaceId | null
  }
  readonly list: (
    workspace_id: WorkspaceId,
    after: After | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Shown>, ReadFailed, Reads>
  readonly find?: (workspace_id: WorkspaceId, id: Id) => Effect.Effect<unknown, ReadFailed, Reads>
}

/** The members of the state of a fixture. */
const membersOf = (kind: string, name: string) => JSON.parse(storedFixture(kind, name).state)

export const topUps: Kind<TopUpReads, TopUpId> = {
  type: "TopUp",
  newId: () => topUpId(randomUUID()),
  needed: "facts",
  row: (workspace_id, created_at) => {
    const stored = membersOf("TopUp", "is requested")
    return {
      workspace_id,
      state: { ...stored, facts: { ...stored.facts, workspace_id, created_at } },
      columns: {
        provider: "mobilemoney",
        status: "pending",
        amount_minor: 150_000,
        provider_reference: null,
        credited_minor: null,
        reversed_minor: 0,
        created_at
      }
    }
  },
  list: (workspace_id, after, limit) =>
    Effect.flatMap(TopUpReads, (reads) =>
      Effect.map(reads.list(workspace_id, {}, after, limit), (rows) =>
        rows.map(({ created_at, topup_id }) => ({ id: topup_id, at: Date.parse(created_at) }))
      )
    ),
  find: (workspace_id, id) => Effect.flatMap(TopUpReads, (reads) => reads.find(workspace_id, id))
}

export const paymentsInSuspense: Kind<TopUpReads> = {
  type: "PayIn",
  newId: () => randomUUID().slice(0, 10).toUpperCase(),
  needed: "arrival",
  row: (_workspace_id, paid_at, receipt) => {
    const stored = membersOf("IncomingPayment", "is in suspense")
    return {
      workspace_id: null,
      state: { ...stored, v: 1, receipt, arrival: { ...stored.arrival, currency: "KES", paid_at } },
      columns: { standing: "suspense", amount_minor: 50_000, account_ref: null, topup_id: null, paid_at }
    }
  },
  list: (_workspace_id, after, limit) =>
    Effect.flatMap(TopUpReads, (reads) =>
      Effect.map(reads.suspended(after, limit), (rows) =>
        rows.map(({ id, paid_at }) => ({ id, at: Date.parse(paid_at) }))
      )
    )
}

export const recordings: Kind<RecordingReads, RecordingId> = {
  type: "Recording",
  newId: () => recordingId(randomUUID()),
  needed: "facts",
  row: (workspace_id, started_at, id) => {
    const stored = membersOf("Recording", "is in progress")
    return {
      workspace_id,
      state: { ...stored, id, facts: { ...stored.facts, workspace_id, started_at } },
      columns: { call_id: stored.facts.call_id, status: "in_progress", created_at: started_at, size_bytes: null }
    }
  },
  list: (workspace_id, after, limit) =>
    Effect.flatMap(RecordingReads, (reads) =>
      Effect.map(reads.list(workspace_id, {}, after, limit), (rows) =>
        rows.map(({ created_at, id }) => ({ id, at: Date.parse(created_at) }))
      )
    ),
  find: (workspace_id, id) => Effect.flatMap(RecordingReads, (reads) => reads.find(workspace_id, id))
}

export const subscriptions: Kind<SubscriptionReads, SubscriptionId> = {
  type: "Subscription",
  newId: () => subscriptionId(randomUUID()),
  needed: "created_at",
  row: (workspace_id, created_at) => ({
    workspace_id,
    state: { ...membersOf("Subscription", "is created"), workspace_id, created_at },
    columns: { status: "active", kinds: [], number_ids: [], created_at }
  }),
  // They are few and have one page.
  list: (workspace_id, after, limit) =>
    Effect.flatMap(SubscriptionReads, (reads) =>
      Effect.map(reads.list(workspace_id), (rows) =>
        rows
          .map(({ created_at, id }) => ({ id, at: Date.parse(created_at) }))
          .filter(({ at }) => after === undefined || at < after.at)
          .slice(0, limit)
      )
    ),
  find: (workspace_id, id) => Effect.flatMap(SubscriptionReads, (reads) => reads.find(workspace_id, id))
}

const healthy = (state: object): object => state
const newer = (state: object): object => ({ ...state, v: 999 })

export const unreadableRowsContract = <Reads, Id extends string = string>(
  name: string,
  kind: Kind<Reads, Id>,
  services: Layer.Layer<Journal | Reads, unknown>
) =>
  provided(services)(name, (it) => {
    const damaged = (state: object): object => ({ ...state, [kind.needed]: undefined })

    /** Stores a row so many minutes after the others, and returns its id. */
    const store = (workspace_id: WorkspaceId, minute: number, damage: (state: object) => object = healthy) =>
      Effect.gen(function* () {
        const { append } = yield* Journal
        const id = kind.newId()
        const { columns, state, ...row } = kind.row(workspace_id, t0 + minute * minute_ms, id)
        yield* Effect.callback<void>((resume) =>
          append(
            {
              actor_type: kind.type,
              actor_id: id,
              workspace_id: row.workspace_id,
              snapshot: { version: 1, state: JSON.stringify(damage(state)), columns }
            },
            (outcome) => resume(outcome.ok ? Effect.void : Effect.die(outcome.error))
          )
        )
        return id
      })

    const list = (workspace_id: WorkspaceId, after: After | undefined, limit: number, among: ReadonlySet<string>) =>
      Effect.map(kind.list(workspace_id, after, limit), (rows) => ({
        rows,
        ids: rows.map(({ id }) => id).filter((id) => among.has(id))
      }))

    it.effect("leaves unreadable rows out, counts them, and shows every other row", () =>
      Effect.gen(function* () {
        const workspace_id = toWorkspaceId(randomUUID())
        const first = yield* store(workspace_id, 1)
        const unreadable = [yield* store(workspace_id, 2, newer), yield* store(workspace_id, 3, damaged)]
        const last = yield* store(workspace_id, 4)
        const rows = new UnreadableRows()
        const { ids } = yield* list(workspace_id, undefined, 50, new Set([first, ...unreadable, last])).pipe(
          Effect.provideService(UnreadableRows.Current, rows)
        )
        assert.deepStrictEqual(ids, [last, first])
        assert.includeMembers(
          [...rows.actors],
          unreadable.map((id) => `${kind.type}/${id}`)
        )
      })
    )

    it.effect("fills a page despite unreadable rows, so that the next page is not lost", () =>
      Effect.gen(function* () {
        const workspace_id = toWorkspaceId(randomUUID())
        const all: Array<string> = []
        for (let minute = 100; minute < 112; minute++) {
          const isDamaged = minute >= 104 && minute < 109
          const id = yield* store(workspace_id, minute, isDamaged ? damaged : healthy)
          if (!isDamaged) all.unshift(id)
        }
        const found: Array<string> = []
        let after: After | undefined
        do {
          const { ids, rows } = yield* list(workspace_id, after, 2, new Set(all))
          found.push(...ids)
          after = rows.length < 2 ? undefined : rows.at(-1)
        } while (after !== undefined && found.length < all.length)
        assert.deepStrictEqual(found, all)
      })
    )

    const { find } = kind
    if (find !== undefined)
      it.effect("fails to read one unreadable row as its actor does", () =>
        Effect.gen(function* () {
          const workspace_id = toWorkspaceId(randomUUID())
          for (const damage of [newer, damaged]) {
            const id = yield* store(workspace_id, 1, damage)
            const exit: Exit.Exit<unknown, ReadFailed> = yield* Effect.exit(find(workspace_id, id))
            const cause: unknown = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
            assert.instanceOf(cause, Unreadable)
            assert.include(String(cause), `${kind.type} ${id} is unreadable`)
          }
          const id = yield* store(workspace_id, 2)
          assert.isDefined(yield* find(workspace_id, id))
        })
      )
  })
