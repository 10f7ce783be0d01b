// Questions about top-ups and payments, answered from the memory journal as PostgreSQL would answer them.
import { Effect, Layer } from "effect"
import { Ids } from "../../domain/ports/Ids.ts"
import { IncomingPaymentReferences } from "../../domain/ports/IncomingPaymentReferences.ts"
import { TopUpReads } from "../../domain/ports/TopUpReads.ts"
import { accountRef } from "../../domain/topups/AccountRef.ts"
import { incomingPaymentOfState, unrecordedCurrency } from "../../domain/topups/IncomingPayment.ts"
import { type Kept, recordOf, statusOf } from "../../domain/topups/TopUp.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"

const reads = ({ tables }: MemoryJournal) => {
  const all = (workspace_id?: string) =>
    [...tables.snapshots.values()]
      .filter((row) => row.actor_type === "TopUp" && (workspace_id === undefined || row.workspace_id === workspace_id))
      .map(({ actor_id, state }) => ({ id: actor_id, kept: JSON.parse(state) as Kept }))
      .sort((a, b) => a.kept.facts.created_at - b.kept.facts.created_at || (a.id < b.id ? -1 : 1))
  return Layer.succeed(TopUpReads)({
    find: (workspace_id, topup_id) =>
      Effect.sync(
        () =>
          all(workspace_id)
            .filter(({ id }) => id === topup_id)
            .map(({ id, kept }) => recordOf(id, kept))[0]
      ),
    status: (topup_id) =>
      Effect.sync(
        () =>
          all()
            .filter(({ id }) => id === topup_id)
            .map(({ kept }) => statusOf(kept))[0]
      ),
    list: (workspace_id, { status }, after, limit) =>
      Effect.sync(() =>
        all(workspace_id)
          .filter(({ kept }) => status === undefined || statusOf(kept) === status)
          .filter(
            ({
              id,
              kept: {
                facts: { created_at }
              }
            }) => after === undefined || created_at < after.at || (created_at === after.at && id < after.id)
          )
          .reverse()
          .slice(0, limit)
          .map(({ id, kept }) => recordOf(id, kept))
      ),
    unpaid: (workspace_id, amount_minor, from, to) =>
      Effect.sync(() =>
        all(workspace_id)
          .filter(
            ({ kept: { facts, proof } }) =>
              facts.provider === "mobilemoney" &&
              proof === null &&
              facts.amount_minor === amount_minor &&
              facts.created_at >= from &&
              facts.created_at <= to
          )
          .map(({ id, kept }) => ({ topup_id: id, status: statusOf(kept) }))
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
            currency: incomingPaymentOfState({ state }).arrival?.currency ?? unrecordedCurrency,
            account_ref: columns["account_ref"] as string | null,
            paid_at: new Date(at).toISOString()
          }))
      ),
    unknownReceipts: (receipts) =>
      Effect.sync(() => new Set(receipts.filter((receipt) => tables.snapshot("PayIn", receipt) === undefined)))
  })
}

/** They outlive the engines of a journal, as a table does. */
const known = new WeakMap<MemoryJournal, Map<string, string>>()

const references = (journal: MemoryJournal) =>
  Layer.effect(
    IncomingPaymentReferences,
    Effect.map(Ids, ({ uuid }) => {
      const refs = known.get(journal) ?? new Map<string, string>()
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
