import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { SealedRows } from "../../../domain/ports/engine/SealedRows.ts"
import { type SealedKind, sealedPaths, type SealedRow } from "../../../domain/state/SealedRow.ts"

const places: Readonly<Record<SealedKind, { readonly table: string; readonly key: string }>> = {
  Workspace: { table: "workspaces", key: "id" },
  Subscription: { table: "webhook_subscriptions", key: "id" },
  SipCredentials: { table: "sip_credentials", key: "workspace_id" },
  SipTrunk: { table: "sip_trunks", key: "workspace_id" },
  Provider: { table: "number_providers", key: "id" }
}

/** The paths of a kind's secrets, as `jsonpath`. */
const jsonPaths = (kind: SealedKind): ReadonlyArray<string> =>
  sealedPaths(kind).map((path) => `$.${path.replaceAll(".*", "[*]")}`)

const first = "00000000-0000-0000-0000-000000000000"

/** `current`: id of the current master key; undefined if no key was replaced, and then `others` finds nothing. */
export const layer = (current: string | undefined) =>
  Layer.effect(
    SealedRows,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      return SealedRows.of({
        current,
        others: (kind, after = first, limit) => {
          const { key, table } = places[kind]
          return sql
            .unsafe<SealedRow>(
              `SELECT t.${key}::text AS id, to_json(t) AS row FROM ${table} t
             WHERE t.${key} > $1::text::uuid AND EXISTS (
               SELECT FROM unnest($2::text[]) AS path, jsonb_path_query(to_jsonb(t), path::jsonpath) AS secret
               WHERE jsonb_typeof(secret) = 'string' AND secret #>> '{}' <> '' AND NOT starts_with(secret #>> '{}', $3::text)
             )
             ORDER BY t.${key} LIMIT $4::int`,
              [after, jsonPaths(kind), `${current}.`, limit]
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
