// Counts the calls of sandboxes by the person to whom they belong: a person may have many workspaces, and each has one.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import { forEverybody } from "../../../domain/access/CurrentTenant.ts"
import { quotas } from "../../../domain/access/Quota.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"
import { CallRateLimited } from "../../../domain/errors/CallErrors.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { SandboxCalls } from "../../../domain/ports/calls/SandboxCalls.ts"
import { SharedCounts } from "../../../domain/ports/engine/SharedCounts.ts"

const tooMany = (retry_ms: number) =>
  new CallRateLimited({
    reason: "sandbox_calls_per_day",
    message: `The sandboxes of one person place at most ${quotas.sandbox_calls.burst} calls a day.`,
    resolution: "Wait as long as Retry-After says. Live workspaces have no such limit.",
    retry_after_seconds: Math.ceil(retry_ms / 1_000)
  })

export const layer = Layer.effect(
  SandboxCalls,
  Effect.gen(function* () {
    const shared = yield* SharedCounts
    const sql = yield* PgClient.PgClient

    /** The owner who joined the workspace first. A workspace without one is counted by itself. */
    const personOf = (sandbox_id: WorkspaceId) =>
      sql<{ readonly person: string }>`
        SELECT m.key AS person
        FROM workspaces s
        JOIN workspaces w ON w.id = coalesce((s.state->>'sandbox_of')::uuid, s.id)
        CROSS JOIN LATERAL json_each(w.state->'members') AS m
        WHERE s.id = ${sandbox_id} AND m.value->>'role' = 'owner'
        ORDER BY (m.value->>'joined_at')::int8, m.key LIMIT 1`.pipe(
        Effect.map(([row]) => row?.person ?? sandbox_id),
        Effect.mapError((cause) => new ReadFailed({ cause })),
        forEverybody
      )

    return SandboxCalls.of({
      count: Effect.fnUntraced(
        function* (sandbox_id: WorkspaceId) {
          const person = yield* personOf(sandbox_id)
          const now = yield* Clock.currentTimeMillis
          const verdict = yield* shared.count("sandbox_calls", quotas.sandbox_calls, person, now)
          if (verdict?.admitted === false) return yield* tooMany(verdict.retry_ms)
        },
        // A call is worth more than its count.
        Effect.catchIf(
          (error) => error instanceof ReadFailed,
          () => Effect.void
        )
      )
    })
  })
)
