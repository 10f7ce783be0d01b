// Who is signed in, from memory. What ends a session, be it a sign-out or a change of its membership, is heard as soon as
// it is committed.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Redacted } from "effect"
import type { Role } from "../../../domain/access/Role.ts"
import { isAlive, type SessionTimes } from "../../../domain/access/SessionLife.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { type Session, Sessions } from "../../../domain/ports/Sessions.ts"
import { Tokens } from "../../../domain/ports/Tokens.ts"
import { ChangeFeed } from "../cache/ChangeFeed.ts"
import { makeLastUse } from "./LastUse.ts"
import { readThroughCache } from "../cache/ReadThroughCache.ts"

interface Row {
  readonly id: string
  readonly user_id: string
  readonly email: string
  readonly workspace_id: string | null
  readonly generation: number | null
  readonly last_seen_at: Date
  readonly expires_at: Date
  /** What the person is in the session's workspace now. */
  readonly member: { readonly role: Role; readonly read_only: boolean; readonly generation: number } | null
}

interface Known {
  readonly session: Session
  readonly times: { last_seen_at: number } & SessionTimes
}

/** A session belongs to one membership: when that has changed, or is gone, so is the session. */
const knownOf = ({ member, ...row }: Row, operators: ReadonlySet<string>): Known | undefined => {
  if (row.generation !== (member?.generation ?? null)) return undefined
  const membership =
    row.workspace_id !== null && member !== null
      ? { workspace_id: row.workspace_id, role: member.role, read_only: member.read_only }
      : null
  return {
    session: { id: row.id, user_id: row.user_id, email: row.email, operator: operators.has(row.email), membership },
    times: { last_seen_at: row.last_seen_at.getTime(), expires_at: row.expires_at.getTime() }
  }
}

/** `operators` are the addresses of those who run the platform, in lower case. */
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
          ([row]) => row && knownOf(row, operators)
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
          // Rare, and cheaper than to know whose sessions are of which workspace.
          else if (what === "workspace") sessions.forgetAll()
        }
      })

      return Sessions.of({
        find: Effect.fnUntraced(function* (token) {
          const known = yield* Effect.mapError(
            sessions.get(tokens.hash(Redacted.value(token))),
            (cause) => new ReadFailed({ cause })
          )
          const now = yield* Clock.currentTimeMillis
          if (known === undefined || !isAlive(known.times, now)) return undefined
          known.times.last_seen_at = now
          used(known.session.id)
          return known.session
        })
      })
    })
  )
