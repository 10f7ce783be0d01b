// Top-up and payment reads over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import { isoInstant } from "../../domain/kit/Instants.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { IncomingPaymentReferences } from "../../domain/ports/money/IncomingPaymentReferences.ts"
import { TopUpReads } from "../../domain/ports/money/TopUpReads.ts"
import { accountRef } from "../../domain/topups/AccountRef.ts"
import { incomingPaymentState } from "../../domain/topups/StoredIncomingPayment.ts"
import { topUpOfState } from "../../domain/topups/StoredTopUp.ts"
import { recordOf, statusOf } from "../../domain/topups/TopUp.ts"
import { readableRows, readRow } from "../state/UnreadableRows.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import { toTopUpId, type WorkspaceId } from "../../domain/BrandedIds.ts"

const rowsOf =
  ({ tables }: MemoryJournal) =>
  (type: string) =>
    [...tables.snapshots.values()].filter(({ actor_type }) => actor_type === type)

const suspendedPayments =
  (rows: ReturnType<typeof rowsOf>): TopUpReads["Service"]["suspended"] =>
  (after, limit) =>
    Effect.map(
      Effect.suspend(() =>
        readableRows(
          rows("PayIn").filter(({ columns }) => columns["standing"] === "suspense"),
          ({ actor_id: id }) => ({ type: "PayIn", id, workspace_id: null }),
          ({ actor_id: id, columns, state }) => ({
            id,
            amount_minor: Number(columns["amount_minor"]),
            currency: incomingPaymentState.view(state).arrival.currency,
            account_ref: columns["account_ref"] as string | null,
            at: Number(columns["paid_at"])
          })
        )
      ),
      (payments) =>
        payments
          .filter(({ at, id }) => after === undefined || at < after.at || (at === after.at && id < after.id))
          .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
          .slice(0, limit)
          .map(({ at, ...payment }) => ({ ...payment, paid_at: isoInstant(at) }))
    )

/** All top-ups of a workspace, oldest first. */
const makeAll = (rows: ReturnType<typeof rowsOf>) => (workspace_id: WorkspaceId) =>
  Effect.map(
    Effect.suspend(() =>
      readableRows(
        rows("TopUp").filter((row) => row.workspace_id === workspace_id),
        ({ actor_id: id }) => ({ type: "TopUp", id, workspace_id }),
        ({ actor_id, state }) => {
          const topup = topUpOfState(toTopUpId(actor_id), state)
          return { topup, record: recordOf(topup) }
        }
      )
    ),
    (found) =>
      found.toSorted(({ topup: a }, { topup: b }) => a.facts.created_at - b.facts.created_at || (a.id < b.id ? -1 : 1))
  )

export const reads = (journal: MemoryJournal) => {
  const { tables } = journal
  const rows = rowsOf(journal)
  const all = makeAll(rows)
  return Layer.succeed(TopUpReads)({
    find: (workspace_id, topup_id) =>
      Effect.suspend(() => {
        const row = tables.snapshot("TopUp", topup_id)
        return row === undefined || row.workspace_id !== workspace_id
          ? Effect.undefined
          : readRow({ type: "TopUp", id: topup_id, workspace_id }, () => recordOf(topUpOfState(topup_id, row.state)))
      }),
    ofReceipt: (workspace_id, receipt) =>
      Effect.map(
        all(workspace_id),
        (topups) =>
          topups.find(({ topup: { facts, proof } }) => facts.provider !== "card" && proof?.receipt === receipt)?.record
      ),
    status: (topup_id) =>
      Effect.suspend(() => {
        const row = tables.snapshot("TopUp", topup_id)
        return row === undefined
          ? Effect.undefined
          : readRow({ type: "TopUp", id: topup_id, workspace_id: row.workspace_id }, () =>
              statusOf(topUpOfState(topup_id, row.state))
            )
      }),
    list: (workspace_id, { status }, after, limit) =>
      Effect.map(all(workspace_id), (topups) =>
        topups
          .filter(({ record }) => status === undefined || record.status === status)
          .filter(({ topup: { facts, id } }) => {
            if (after === undefined) return true
            return facts.created_at < after.at || (facts.created_at === after.at && id < after.id)
          })
          .toReversed()
          .slice(0, limit)
          .map(({ record }) => record)
      ),
    unpaid: (workspace_id, amount_minor, from, to) =>
      Effect.map(all(workspace_id), (topups) =>
        topups
          .filter(
            ({ topup: { facts, proof } }) =>
              facts.provider === "mobilemoney" &&
              proof === null &&
              facts.amount_minor === amount_minor &&
              facts.created_at >= from &&
              facts.created_at <= to
          )
          .map(({ record: { status, topup_id } }) => ({ topup_id, status }))
          .filter(({ status }) => status === "pending" || status === "expired")
      ),
    suspended: suspendedPayments(rows),
    unknownReceipts: (receipts) =>
      Effect.sync(() => new Set(receipts.filter((receipt) => tables.snapshot("PayIn", receipt) === undefined)))
  })
}

/** Shared by all engines of a journal, as a table would be. */
const known = new WeakMap<MemoryJournal, Map<WorkspaceId, string>>()

export const references = (journal: MemoryJournal) =>
  Layer.effect(
    IncomingPaymentReferences,
    Effect.map(Ids, ({ uuid }) => {
      const refs = known.get(journal) ?? new Map<WorkspaceId, string>()
      known.set(journal, refs)
      return IncomingPaymentReferences.of({
        of: (workspace_id) =>
          Effect.sync(() => {
            const ref = refs.get(workspace_id) ?? accountRef(BigInt(`0x${uuid().slice(-12)}`))
            refs.set(workspace_id, ref)
            return ref
          }),
        workspaceOf: (account_ref) => Effect.sync(() => [...refs].find(([, ref]) => ref === account_ref)?.[0])
      })
    })
  )

export const layer = (journal: MemoryJournal) => Layer.merge(reads(journal), references(journal))
