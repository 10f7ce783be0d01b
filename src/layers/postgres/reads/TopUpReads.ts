import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { TopUpReads } from "../../../domain/ports/money/TopUpReads.ts"
import { recordOf } from "../../../domain/topups/TopUp.ts"
import { incomingPaymentState } from "../../../domain/topups/StoredIncomingPayment.ts"
import { topUpOfState } from "../../../domain/topups/StoredTopUp.ts"
import { readablePage } from "../../state/ReadablePage.ts"
import { readRow } from "../../state/UnreadableRows.ts"
import type { TopUpStatus } from "../../../domain/topups/TopUpRecord.ts"
import type { TopUpId } from "../../../domain/BrandedIds.ts"

interface Row {
  readonly id: TopUpId
  readonly created_at: Date
  readonly state: object
}

interface SuspendedRow {
  readonly id: string
  readonly amount_minor: bigint
  readonly account_ref: string | null
  readonly paid_at: Date
  readonly state: object
}

const show = ({ id, state }: Row) => recordOf(topUpOfState(id, state))

const showSuspended = ({ account_ref, amount_minor, id, paid_at, state }: SuspendedRow) => ({
  id,
  amount_minor: Number(amount_minor),
  currency: incomingPaymentState.view(state).arrival.currency,
  account_ref,
  paid_at: paid_at.toISOString()
})

const makeOfReceipt =
  (sql: PgClient.PgClient): TopUpReads["Service"]["ofReceipt"] =>
  (workspace_id, receipt) =>
    sql<Row>`
      SELECT id, state FROM topups
      WHERE workspace_id = ${workspace_id} AND provider_reference = ${receipt} AND (provider = 'card') = false`.pipe(
      Effect.mapError((cause) => new ReadFailed({ cause })),
      Effect.flatMap(([row]) =>
        row === undefined ? Effect.undefined : readRow({ type: "TopUp", id: row.id, workspace_id }, () => show(row))
      )
    )

export const layer = Layer.effect(
  TopUpReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return TopUpReads.of({
      find: (workspace_id, topup_id) =>
        sql<Row>`SELECT id, state FROM topups WHERE id = ${topup_id} AND workspace_id = ${workspace_id}`.pipe(
          failed,
          Effect.flatMap(([row]) =>
            row === undefined ? Effect.undefined : readRow({ type: "TopUp", id: row.id, workspace_id }, () => show(row))
          )
        ),
      ofReceipt: makeOfReceipt(sql),
      status: (topup_id) =>
        sql<{ readonly status: TopUpStatus }>`SELECT status FROM topups WHERE id = ${topup_id}`.pipe(
          Effect.map(([row]) => row?.status),
          failed
        ),
      list: (workspace_id, { status }, after, limit) =>
        readablePage({
          after,
          limit,
          rows: (after) =>
            failed(sql<Row>`
              SELECT id, created_at, state FROM topups
              WHERE ${sql.and([
                sql`workspace_id = ${workspace_id}`,
                ...(status === undefined ? [] : [sql`status = ${status}`]),
                ...(after === undefined ? [] : [sql`(created_at, id) < (${new Date(after.at)}, ${after.id}::uuid)`])
              ])}
              ORDER BY created_at DESC, id DESC LIMIT ${limit}`),
          of: ({ id }) => ({ type: "TopUp", id, workspace_id }),
          placeOf: ({ created_at, id }) => ({ at: created_at.getTime(), id }),
          show
        }),
      unpaid: (workspace_id, amount_minor, from, to) =>
        sql<{ readonly topup_id: TopUpId; readonly status: TopUpStatus }>`
          SELECT id AS topup_id, status FROM topups
          WHERE workspace_id = ${workspace_id} AND amount_minor = ${amount_minor} AND provider = 'mobilemoney'
            AND status IN ('pending', 'expired') AND provider_reference IS NULL
            AND created_at BETWEEN ${new Date(from)} AND ${new Date(to)}
          ORDER BY created_at, id`.pipe(failed),
      suspended: (after, limit) =>
        readablePage({
          after,
          limit,
          rows: (after) =>
            failed(sql<SuspendedRow>`
              SELECT receipt AS id, amount_minor, account_ref, paid_at, state FROM payins
              WHERE standing = 'suspense' ${after === undefined ? sql`` : sql`AND (paid_at, receipt) < (${new Date(after.at)}, ${after.id})`}
              ORDER BY paid_at DESC, receipt DESC LIMIT ${limit}`),
          of: ({ id }) => ({ type: "PayIn", id, workspace_id: null }),
          placeOf: ({ id, paid_at }) => ({ at: paid_at.getTime(), id }),
          show: showSuspended
        }),
      unknownReceipts: (receipts) =>
        sql<{ readonly receipt: string }>`
          SELECT listed.receipt FROM unnest(${receipts}::text[]) AS listed (receipt)
          WHERE NOT EXISTS (SELECT FROM payins p WHERE p.receipt = listed.receipt)`.pipe(
          Effect.map((rows) => new Set(rows.map(({ receipt }) => receipt))),
          failed
        )
    })
  })
)
