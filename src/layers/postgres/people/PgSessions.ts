// Sessions of signed-in people, cached in memory. A sign-out or a changed membership applies as soon as it is
// committed.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Redacted } from "effect"
import { type Rights, rightsOf } from "../../../domain/access/Role.ts"
import { isAlive, type SessionTimes } from "../../../domain/access/SessionLife.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { Sessions } from "../../../domain/ports/access/Sessions.ts"
import { Tokens } from "../../../domain/ports/access/Tokens.ts"
import { ChangeFeed } from "../cache/ChangeFeed.ts"
import { makeLastUse } from "./LastUse.ts"
import { readThroughCache } from "../cache/ReadThroughCache.ts"
import type { UserId, WorkspaceId } from "../../../domain/BrandedIds.ts"
import type { Session } from "../../../domain/access/Session.ts"

interface Row {
  readonly id: string
  readonly user_id: UserId
  readonly email: string
  readonly workspace_id: WorkspaceId | null
  readonly generation: number | null
  readonly last_seen_at: Date
  readonly expires_at: Date
  /** The person's current membership of the session's workspace. */
  readonly member: (Rights & { readonly generation: number }) | null
}

interface CachedSession {
  readonly session: Session
  readonly times: { last_seen_at: number } & SessionTimes
}

/** A session belongs to one membership. It ends when that membership changes or ends. */
const cachedSession = ({ member, ...row }: Row, operators: ReadonlySet<string>): CachedSession | undefined => {
  if (row.generation !== (member?.generation ?? null)) return undefined
  const membership =
    row.workspace_id !== null && member !== null ? { workspace_id: row.workspace_id, ...rightsOf(member) } : null
  return {
    session: { id: row.id, user_id: row.user_id, email: row.email, operator: operators.has(row.email), membership },
    times: { last_seen_at: row.last_seen_at.getTime(), expires_at: row.expires_at.getTime() }
  }
}

/** `operators`: e-mail addresses of the platform's operators, in lower case. */
export const layer = (operators: ReadonlySet<string>) =>
  Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const changes = yield* ChangeFeed
      const tokens = yield* Tokens
      const sessions = readThroughCache(changes.listening, (token_hash) =>
        Effect.map(
          sql<Row>`
            SELECT s.id, s.user_id, u.email, s.workspace_id, s.generation, s.last_seen_at, s.expires_at,
              w.state->'members'->s.user_id::text AS member
            FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN workspaces w ON w.id = s.workspace_id
            WHERE s.token_hash = ${token_hash}`,
          ([row]) => row && cachedSession(row, operators)
        )
      )
      const used = yield* makeLastUse(
        "sessions",
        (ids, times) =>
          sql`
          UPDATE sessions SET last_seen_at = greatest(last_seen_at, u.at)
          FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS u (id, at) WHERE sessions.id = u.id`
      )

      yield* changes.subscribe({
        connected: Effect.sync(sessions.forgetAll),
        changed: (what, ...of) => {
          if (what === "session") sessions.forget(of.join(" "))
          // Workspaces change rarely, so no index from workspace to sessions is kept.
          else if (what === "workspace") sessions.forgetAll()
        }
      })

      const alive = Effect.fnUntraced(function* (token: Redacted.Redacted, now: number) {
        const cached = yield* Effect.mapError(
          sessions.get(tokens.hash(Redacted.value(token))),
          (cause) => new ReadFailed({ cause })
        )
        return cached !== undefined && isAlive(cached.times, now) ? cached : undefined
      })

      return Sessions.of({
        find: Effect.fnUntraced(function* (token) {
          const now = yield* Clock.currentTimeMillis
          const cached = yield* alive(token, now)
          if (cached === undefined) return undefined
          cached.times.last_seen_at = now
          used(cached.session.id)
          return cached.session
        }),
        look: Effect.fnUntraced(function* (token) {
          const cached = yield* alive(token, yield* Clock.currentTimeMillis)
          return cached?.session
        }),
        knows: (token) =>
          Effect.map(Clock.currentTimeMillis, (now) => sessions.has(tokens.hash(Redacted.value(token)), now))
      })
    })
  )
