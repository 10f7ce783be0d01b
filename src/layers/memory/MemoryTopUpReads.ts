// Top-up and payment reads over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import { Ids } from "../../domain/ports/Ids.ts"
import { IncomingPaymentReferences } from "../../domain/ports/IncomingPaymentReferences.ts"
import { TopUpReads } from "../../domain/ports/TopUpReads.ts"
import { accountRef } from "../../domain/topups/AccountRef.ts"
import { incomingPaymentState } from "../../domain/topups/StoredIncomingPayment.ts"
import { topUpOfState } from "../../domain/topups/StoredTopUp.ts"
import { recordOf, statusOf } from "../../domain/topups/TopUp.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

const reads = ({ tables }: MemoryJournal) => {
  const all = (workspace_id?: WorkspaceId) =>
    [...tables.snapshots.values()]
      .filter((row) => row.actor_type === "TopUp" && (workspace_id === undefined || row.workspace_id === workspace_id))
      .map((row) => topUpOfState(row.actor_id, row.state))
      .sort((a, b) => a.facts.created_at - b.facts.created_at || (a.id < b.id ? -1 : 1))
  const find = (topup_id: string, workspace_id?: WorkspaceId) => all(workspace_id).find(({ id }) => id === topup_id)
  return Layer.succeed(TopUpReads)({
    find: (workspace_id, topup_id) =>
      Effect.sync(() => {
        const topup = find(topup_id, workspace_id)
        return topup && recordOf(topup)
      }),
    status: (topup_id) =>
      Effect.sync(() => {
        const topup = find(topup_id)
        return topup && statusOf(topup)
      }),
    list: (workspace_id, { status }, after, limit) =>
      Effect.sync(() =>
        all(workspace_id)
          .filter((topup) => status === undefined || statusOf(topup) === status)
          .filter(({ facts: { created_at }, id }) => {
            if (after === undefined) return true
            return created_at < after.at || (created_at === after.at && id < after.id)
          })
          .reverse()
          .slice(0, limit)
          .map(recordOf)
      ),
    unpaid: (workspace_id, amount_minor, from, to) =>
      Effect.sync(() =>
        all(workspace_id)
          .filter(
            ({ facts, proof }) =>
              facts.provider === "mobilemoney" &&
              proof === null &&
              facts.amount_minor === amount_minor &&
              facts.created_at >= from &&
              facts.created_at <= to
          )
          .map((topup) => ({ topup_id: topup.id, status: statusOf(topup) }))
          .filter(({ status }) => status === "pending" || status === "expired")
      ),
    suspended: (after, limit) =>
      Effect.sync(() =>
        [...tables.snapshots.values()]
          .filter((row) => row.actor_type === "PayIn" && row.columns["standing"] === "suspense")
          .map(({ actor_id: id, columns, state }) => ({ id, columns, state, at: Number(columns["paid_at"]) }))
          .filter(({ at, id }) => after === undefined || at < after.at || (at === after.at && id < after.id))
          .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
          .slice(0, limit)
          .map(({ at, columns, id, state }) => ({
            id,
            amount_minor: Number(columns["amount_minor"]),
            currency: incomingPaymentState.view(state).arrival.currency,
            account_ref: columns["account_ref"] as string | null,
            paid_at: new Date(at).toISOString()
          }))
      ),
    unknownReceipts: (receipts) =>
      Effect.sync(() => new Set(receipts.filter((receipt) => tables.snapshot("PayIn", receipt) === undefined)))
  })
}

/** Shared by all engines of a journal, as a table would be. */
const known = new WeakMap<MemoryJournal, Map<WorkspaceId, string>>()

const references = (journal: MemoryJournal) =>
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
