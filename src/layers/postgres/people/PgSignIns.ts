import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Schedule } from "effect"
import { auditRow, type Origin } from "../../../domain/access/Origin.ts"
import { session_idle_ms, session_life_ms } from "../../../domain/access/SessionLife.ts"
import { EmailTaken } from "../../../domain/errors/AuthErrors.ts"
import { SignIns } from "../../../domain/ports/access/SignIns.ts"
import { insertAudit } from "../database/AuditWrites.ts"
import { unscoped, makeIdentities, orTaken, userFields } from "./PgIdentities.ts"
import type { UserId, WorkspaceId } from "../../../domain/BrandedIds.ts"
import { expectPresent } from "../../../domain/ExpectPresent.ts"
import type { NewSession, SessionRecord } from "../../../domain/access/Session.ts"
import type { OwnWorkspace } from "../../../domain/access/AuthRecords.ts"
import type { User } from "../../../domain/access/User.ts"

/** Expired links stay for a day, so that a late visitor learns that the link has expired. */
const expiredLinkRetention_ms = 86_400_000
const sweepInterval = "1 hour"

interface SessionRow extends Omit<SessionRecord, "created_at" | "last_seen_at" | "expires_at"> {
  readonly created_at: Date
  readonly last_seen_at: Date
  readonly expires_at: Date
}

const sessionRecord = ({ created_at, expires_at, last_seen_at, ...row }: SessionRow): SessionRecord => ({
  ...row,
  created_at: created_at.toISOString(),
  last_seen_at: last_seen_at.toISOString(),
  expires_at: expires_at.toISOString()
})

const makeSessions = (sql: PgClient.PgClient) => {
  /** The membership of a new session: in the given workspace, or else in the one that the person joined first. */
  const membershipOf = (user_id: UserId, workspace_id?: WorkspaceId) =>
    Effect.map(
      sql<{ readonly workspace_id: WorkspaceId; readonly generation: number }>`
        SELECT id AS workspace_id, (state->'members'->${user_id}::text->>'generation')::int AS generation FROM workspaces
        WHERE member_ids @> ARRAY[${user_id}]::text[] AND ${workspace_id === undefined ? sql`status <> 'closed'` : sql`id = ${workspace_id}`}
        ORDER BY (state->'members'->${user_id}::text->>'joined_at')::int8 LIMIT 1`,
      ([row]) => row ?? { workspace_id: null, generation: null }
    )

  /** Records the sign-in in the audit log of the workspace that the session enters. */
  const auditEntry = Effect.fnUntraced(function* (
    user_id: UserId,
    id: string,
    workspace_id: WorkspaceId | null,
    { at, origin }: NewSession
  ) {
    if (workspace_id === null) return
    const [user] = yield* sql<{ readonly email: string }>`SELECT email FROM users WHERE id = ${user_id}`
    const actor = { type: "user", id: user_id, label: user?.email ?? null } as const
    const target = { type: "session", id }
    yield* insertAudit(
      sql,
      auditRow({ ...origin, actor }, { workspace_id, action_kind: "session.signed_in", target, at })
    )
  })

  const open = Effect.fnUntraced(function* (user_id: UserId, session: NewSession, chosen_workspace_id?: WorkspaceId) {
    const { at, id, origin, token_hash } = session
    const { generation, workspace_id } = yield* membershipOf(user_id, chosen_workspace_id)
    const now = new Date(at)
    yield* sql`INSERT INTO sessions ${sql.insert({
      id,
      token_hash,
      user_id,
      workspace_id,
      generation,
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(at + session_life_ms),
      ip: origin.ip,
      user_agent: origin.user_agent
    })}`
    yield* auditEntry(user_id, id, workspace_id, session)
  })

  const end = Effect.fnUntraced(function* (user_id: UserId, id: string, origin: Origin, at: number) {
    const [ended] = yield* sql<{ readonly workspace_id: WorkspaceId | null }>`
      DELETE FROM sessions WHERE id = ${id} AND user_id = ${user_id} RETURNING workspace_id`
    if (ended === undefined) return false
    const { workspace_id } = ended
    const target = { type: "session", id }
    if (workspace_id !== null) {
      yield* insertAudit(sql, auditRow(origin, { workspace_id, action_kind: "session.signed_out", target, at }))
    }
    return true
  })

  const move = Effect.fnUntraced(function* (id: string, session: NewSession, to_workspace_id: WorkspaceId) {
    const { at, token_hash } = session
    const [old] = yield* sql<{ readonly user_id: UserId }>`SELECT user_id FROM sessions WHERE id = ${id}`
    if (old === undefined) return
    const { generation, workspace_id } = yield* membershipOf(old.user_id, to_workspace_id)
    yield* sql`
      UPDATE sessions SET ${sql.update({ token_hash, workspace_id, generation, last_seen_at: new Date(at) })} WHERE id = ${id}`
    yield* auditEntry(old.user_id, id, workspace_id, session)
  })

  return { open, end, move }
}

/** If a link is redeemed several times at once, the row lock lets one succeed. The others find the link used. */
const makeRedeem = (sql: PgClient.PgClient, open: ReturnType<typeof makeSessions>["open"]) =>
  Effect.fnUntraced(function* (secret_hash: string, session: NewSession) {
    const now = new Date(session.at)
    const [link] = yield* sql<{ readonly user_id: UserId }>`
      UPDATE magic_links SET used_at = ${now}
      WHERE secret_hash = ${secret_hash} AND used_at IS NULL AND expires_at > ${now} AND user_id IS NOT NULL RETURNING user_id`
    if (link === undefined) {
      const [spent] = yield* sql<{ readonly used: boolean }>`
        SELECT used_at IS NOT NULL AS used FROM magic_links WHERE secret_hash = ${secret_hash}`
      return spent?.used === true ? ({ _tag: "Used" } as const) : ({ _tag: "Expired" } as const)
    }
    const [user] = yield* sql<User>`
      UPDATE users SET email_verified_at = coalesce(email_verified_at, ${now}) WHERE id = ${link.user_id} RETURNING ${userFields(sql)}`
    yield* open(link.user_id, session)
    return { _tag: "SignedIn", user: expectPresent(user, "The user of a sign-in link") } as const
  })

/** Deletes expired links and sessions every hour. */
const sweep = (sql: PgClient.PgClient) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    yield* sql`DELETE FROM magic_links WHERE expires_at < ${new Date(now - expiredLinkRetention_ms)}`
    yield* sql`DELETE FROM sessions WHERE expires_at < ${new Date(now)} OR last_seen_at < ${new Date(now - session_idle_ms)}`
  }).pipe(
    Effect.catch((error) => Effect.logWarning("Deleting expired sessions failed; retrying in an hour", error.message)),
    Effect.repeat(Schedule.spaced(sweepInterval))
  )

export const layer = Layer.effect(
  SignIns,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const { end, move, open } = makeSessions(sql)
    const redeem = makeRedeem(sql, open)
    yield* Effect.forkScoped(sweep(sql))
    return SignIns.of({
      userByEmail: (email) =>
        unscoped(Effect.map(sql<User>`SELECT ${userFields(sql)} FROM users WHERE email = ${email}`, ([user]) => user)),
      register: ({ at, email, id, identity }) =>
        sql`INSERT INTO users ${sql.insert({
          id,
          email,
          created_at: new Date(at),
          idp_issuer: identity?.issuer ?? null,
          idp_subject: identity?.subject ?? null
        })}`.pipe(
          orTaken(new EmailTaken()),
          Effect.as({ id, email, email_verified: false, idp_linked: identity !== undefined })
        ),
      isInvited: (email, now) =>
        unscoped(
          Effect.map(
            sql<{ readonly found: boolean }>`
              SELECT EXISTS (
                SELECT FROM workspaces w, json_each(w.state -> 'invitations') i
                WHERE w.status NOT IN ('closed', 'suspended') AND i.value ->> 'email' = ${email}
                  AND i.value ->> 'status' = 'pending' AND (i.value ->> 'expires_at')::int8 > ${String(now)}::int8
              ) AS found`,
            ([row]) => row?.found === true
          )
        ),
      ...makeIdentities(sql),
      workspacesOf: (user_id) =>
        unscoped(sql<OwnWorkspace>`
          SELECT id, name, status, state->'members'->${user_id}::text->>'role' AS role,
            (state->'members'->${user_id}::text->>'read_only')::bool AS read_only
          FROM workspaces WHERE member_ids @> ARRAY[${user_id}]::text[]
          ORDER BY status = 'closed', (state->'members'->${user_id}::text->>'joined_at')::int8`),
      issueLink: ({ at, expires_at, secret_hash, user_id }) =>
        unscoped(
          Effect.asVoid(
            sql`INSERT INTO magic_links ${sql.insert({
              secret_hash,
              user_id,
              created_at: new Date(at),
              expires_at: new Date(expires_at)
            })}`
          )
        ),
      redeemLink: (secret_hash, session) => unscoped(sql.withTransaction(redeem(secret_hash, session))),
      openSession: (user_id, session, workspace_id) =>
        unscoped(sql.withTransaction(open(user_id, session, workspace_id))),
      moveSession: (id, session, workspace_id) => unscoped(sql.withTransaction(move(id, session, workspace_id))),
      sessionsOf: (user_id, now) =>
        unscoped(
          Effect.map(
            sql<SessionRow>`
            SELECT s.id, s.workspace_id, s.created_at, s.last_seen_at, s.expires_at, s.ip, s.user_agent
            FROM sessions s LEFT JOIN workspaces w ON w.id = s.workspace_id
            WHERE s.user_id = ${user_id} AND s.expires_at > ${new Date(now)} AND s.last_seen_at > ${new Date(now - session_idle_ms)}
              AND s.generation IS NOT DISTINCT FROM (w.state->'members'->s.user_id::text->>'generation')::int
            ORDER BY s.created_at DESC, s.id DESC LIMIT 200`,
            (rows) => rows.map(sessionRecord)
          )
        ),
      endSession: (user_id, id, origin, at) => unscoped(sql.withTransaction(end(user_id, id, origin, at)))
    })
  })
)
