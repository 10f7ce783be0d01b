import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { KeyUse } from "../../../domain/ports/access/KeyUse.ts"
import { makeLastUse } from "./LastUse.ts"

/** Keeps `api_keys.last_used_at` up to date. */
export const layer = Layer.effect(
  KeyUse,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const used = yield* makeLastUse(
      "API keys",
      (ids, times) =>
        sql`
        UPDATE api_keys SET last_used_at = greatest(last_used_at, u.at)
        FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS u (id, at) WHERE api_keys.id = u.id`
    )
    return KeyUse.of({ used })
  })
)
