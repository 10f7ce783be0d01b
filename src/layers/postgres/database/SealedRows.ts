import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { SealedRows } from "../../../domain/ports/engine/SealedRows.ts"
import type { SealedKind, SealedRow } from "../../../domain/state/SealedRow.ts"

const places: Readonly<Record<SealedKind, { readonly table: string; readonly key: string }>> = {
  Workspace: { table: "workspaces", key: "id" },
  Subscription: { table: "webhook_subscriptions", key: "id" },
  SipCredentials: { table: "sip_credentials", key: "workspace_id" },
  SipTrunk: { table: "sip_trunks", key: "workspace_id" },
  Provider: { table: "number_providers", key: "id" }
}

const first = "00000000-0000-0000-0000-000000000000"

/** `current`: id of the current master key; undefined if no key was replaced, and then `others` finds nothing. */
export const layer = (current: string | undefined) =>
  Layer.effect(
    SealedRows,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const pattern = `"(?!${current})[0-9a-f]{8}\\.[A-Za-z0-9_-]{38,}"`
      return SealedRows.of({
        current,
        others: (kind, after = first, limit) => {
          const { key, table } = places[kind]
          return sql
            .unsafe<SealedRow>(
              `SELECT t.${key}::text AS id, to_json(t)::text AS row FROM ${table} t
             WHERE t.${key} > $1::text::uuid AND to_json(t)::text ~ $2::text ORDER BY t.${key} LIMIT $3::int`,
              [after, pattern, limit]
            )
            .pipe(Effect.mapError((cause) => new ReadFailed({ cause })))
        },
        replacePassword: (provider_id, sealed, replacement) =>
          sql`UPDATE number_providers SET password = ${replacement} WHERE id = ${provider_id} AND password = ${sealed}`.pipe(
            Effect.asVoid,
            Effect.mapError((cause) => new ReadFailed({ cause }))
          )
      })
    })
  )
