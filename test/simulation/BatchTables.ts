// What PostgreSQL has stored, as the statement of a batch finds and changes it: the tables of the memory journal, with
// the constraints that refuse a batch as a whole.
import type { HoldRow } from "../../src/domain/journal/Rows.ts"
import type { SubscriptionId } from "../../src/domain/BrandedIds.ts"
import { MemoryTables } from "../../src/layers/journal/MemoryTables.ts"
import type { Batch } from "../../src/layers/postgres/journal/JournalBatch.ts"
import { type SnapshotWrite, tableOf } from "../../src/layers/postgres/journal/JournalTables.ts"

/** Returns the name of the constraint that the batch violates. An empty name: an error without a constraint. */
type Constraint = (batch: Batch) => string | undefined

const fence = "journal_batches_fence"

const isRepeated = (keys: ReadonlyArray<string>): boolean => new Set(keys).size < keys.length

export const writesOf = ({ inserted, updated }: Batch): ReadonlyArray<SnapshotWrite> =>
  [inserted, updated].flatMap((tables) => [...tables.values()].flat())

const when = (violated: boolean, name: string): string | undefined => (violated ? name : undefined)

const sessionOf = ({ columns, workspace_id }: SnapshotWrite): string =>
  `${workspace_id} ${String(columns["session_id"])}`

const keyOf = (row: Batch["idempotency"][number]): string =>
  JSON.stringify([row.workspace_id, row.method, row.route, row.key])

export class BatchTables {
  readonly tables = new MemoryTables()
  /** By what they protect. A test takes one away to see that a simulation finds what it prevents. */
  readonly constraints: Map<string, Constraint>
  private readonly batches = new Map<string, { readonly status: "written" | "void"; readonly at: number }>()
  private readonly sessions = new Set<string>()
  private readonly usedHolds = new Set<string>()
  private readonly entries = new Set<string>()
  private readonly charged = new Set<string>()

  constructor() {
    const { charged, entries, sessions, tables, usedHolds } = this
    const holdOf = (id: string) => tables.holds.get(id)
    this.constraints = new Map<string, Constraint>([
      [
        "new actors",
        ({ inserted }) => {
          const taken = [...inserted.values()].flat().find((row) => tables.snapshot(row.actor_type, row.actor_id))
          return taken && `${tableOf(taken.actor_type).name}_pkey`
        }
      ],
      [
        "versions",
        ({ updated }) => {
          const isStale = (row: SnapshotWrite) => tables.snapshot(row.actor_type, row.actor_id)?.version !== row.fence
          return when([...updated.values()].flat().some(isStale), fence)
        }
      ],
      [
        "sessions",
        ({ inserted }) => {
          const calls = [...inserted.values()].flat().filter(({ actor_type }) => actor_type === "Call")
          const placed = calls.map(sessionOf)
          return when(isRepeated(placed) || placed.some((session) => sessions.has(session)), "calls_by_session")
        }
      ],
      [
        "holds in use",
        ({ needed_holds }) => {
          const ids = needed_holds.map(({ id }) => id)
          return when(isRepeated(ids) || ids.some((id) => holdOf(id)?.status !== "open"), fence)
        }
      ],
      [
        "unused holds",
        ({ unused_holds }) =>
          when(
            unused_holds.some(({ id }) => usedHolds.has(id) || holdOf(id)?.status !== "open"),
            fence
          )
      ],
      // One statement changes a row once (PostgreSQL manual, "INSERT", ON CONFLICT).
      [
        "one change of a hold",
        ({ holds, needed_holds, unused_holds }) =>
          when(isRepeated([holds, needed_holds, unused_holds].flatMap((rows) => rows.map(({ id }) => id))), "")
      ],
      [
        "captured holds",
        ({ holds }) =>
          when(
            holds.some(({ id, status }) => status !== "captured" && holdOf(id)?.status === "captured"),
            "holds_captured"
          )
      ],
      [
        "entries",
        ({ ledger }) => {
          const ids = ledger.map(({ id }) => id)
          return when(isRepeated(ids) || ids.some((id) => entries.has(id)), "ledger_entries_pkey")
        }
      ],
      [
        "charges",
        ({ ledger }) => {
          const calls = ledger.filter(({ kind }) => kind === "call_charge").map(({ reference_id }) => reference_id)
          return when(isRepeated(calls) || calls.some((id) => charged.has(id)), "ledger_entries_call_charge")
        }
      ],
      [
        "keys",
        ({ idempotency }) => {
          const keys = idempotency.map(keyOf)
          return when(isRepeated(keys) || keys.some((key) => tables.idempotency.has(key)), "idempotency_keys_pkey")
        }
      ]
    ])
  }

  /** The constraint that refuses the batch. */
  violated(id: string, batch: Batch): string | undefined {
    if (this.batches.has(id)) return "journal_batches_pkey"
    for (const constraint of this.constraints.values()) {
      const name = constraint(batch)
      if (name !== undefined) return name
    }
    return undefined
  }

  /** Writes a batch that violates nothing. Returns the subscriptions that got deliveries. */
  write(id: string, at: number, batch: Batch): ReadonlyArray<SubscriptionId> {
    const { tables } = this
    this.batches.set(id, { status: "written", at })
    const none = { actor_type: "", actor_id: "", workspace_id: null }
    for (const write of writesOf(batch)) {
      const { actor_id, actor_type, fence: replaced, workspace_id, ...snapshot } = write
      tables.write({ actor_type, actor_id, workspace_id, snapshot }, at)
      if (replaced === 0 && actor_type === "Call") this.sessions.add(sessionOf(write))
    }
    for (const { due_at, ...actor } of [...batch.alarms, ...batch.subscription_alarms])
      tables.write({ ...actor, workspace_id: null, alarm: due_at }, at)
    for (const { actor_id, actor_type } of batch.cleared)
      tables.write({ actor_type, actor_id, workspace_id: null, alarm: null }, at)
    const { audit, deliveries, events, ledger, redeliveries, trail } = batch
    tables.write({ ...none, audit, deliveries, events, holds: this.holdsAfter(batch), ledger, redeliveries, trail }, at)
    for (const idempotency of batch.idempotency) tables.write({ ...none, idempotency }, at)
    for (const { id } of batch.needed_holds) this.usedHolds.add(id)
    for (const { id, used } of batch.holds) if (used) this.usedHolds.add(id)
    for (const { id, kind, reference_id } of ledger) {
      this.entries.add(id)
      if (kind === "call_charge") this.charged.add(reference_id)
    }
    return [...new Set(batch.fan_out.flatMap((event) => tables.fanOut(event, at)))]
  }

  /** A batch whose outcome is unknown is never written from now on. */
  claim(id: string, at: number): "written" | "void" {
    const { status } = this.batches.get(id) ?? { status: "void" }
    if (!this.batches.has(id)) this.batches.set(id, { status, at })
    return status
  }

  forget(before: number): void {
    for (const [id, { at }] of this.batches) if (at < before) this.batches.delete(id)
  }

  /** The release of an unused hold changes its status alone. */
  private holdsAfter({ holds, unused_holds }: Batch): ReadonlyArray<HoldRow> {
    const released = unused_holds.flatMap(({ closed_at, id }) => {
      const hold = this.tables.holds.get(id)
      return hold === undefined ? [] : [{ ...hold, status: "released" as const, closed_at }]
    })
    return [...holds.map(({ used: _, ...hold }) => hold), ...released]
  }
}
