import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Ids } from "../../../domain/ports/engine/Ids.ts"
import { IncomingPaymentReferences } from "../../../domain/ports/money/IncomingPaymentReferences.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { accountRef } from "../../../domain/topups/AccountRef.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

/** The last 48 bits of a UUID of version 7 are random. */
const randomBits = (uuid: string): bigint => BigInt(`0x${uuid.slice(-12)}`)

export const layer = Layer.effect(
  IncomingPaymentReferences,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const ids = yield* Ids
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))

    const find = (workspace_id: WorkspaceId) =>
      Effect.map(
        sql<{
          readonly account_ref: string
        }>`SELECT account_ref FROM payin_references WHERE workspace_id = ${workspace_id}`,
        ([row]) => row?.account_ref
      )

    /**
     * Creates a reference. Retries if another process used the same random reference or created one for this workspace.
     */
    const make = (workspace_id: WorkspaceId): Effect.Effect<string, unknown> =>
      Effect.gen(function* () {
        const account_ref = accountRef(randomBits(ids.uuid()))
        yield* sql`INSERT INTO payin_references (account_ref, workspace_id) VALUES (${account_ref}, ${workspace_id}) ON CONFLICT DO NOTHING`
        return (yield* find(workspace_id)) ?? (yield* make(workspace_id))
      })

    return IncomingPaymentReferences.of({
      of: (workspace_id) =>
        Effect.flatMap(find(workspace_id), (found) =>
          found === undefined ? make(workspace_id) : Effect.succeed(found)
        ).pipe(failed),
      workspaceOf: (account_ref) =>
        sql<{
          readonly workspace_id: WorkspaceId
        }>`SELECT workspace_id FROM payin_references WHERE account_ref = ${account_ref}`.pipe(
          Effect.map(([row]) => row?.workspace_id),
          failed
        )
    })
  })
)
