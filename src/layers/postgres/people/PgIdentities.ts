// Identity-provider accounts that are linked to people, and helpers that queries about people share.
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { forEverybody } from "../../../domain/access/CurrentTenant.ts"
import { auditRow, type Origin } from "../../../domain/access/Origin.ts"
import { EmailTaken } from "../../../domain/errors/AuthErrors.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import type { SignIns } from "../../../domain/ports/access/SignIns.ts"
import { insertAudit } from "../database/AuditWrites.ts"
import type { Identity } from "../../../domain/access/Identity.ts"
import type { Session } from "../../../domain/access/Session.ts"
import type { User } from "../../../domain/access/User.ts"

/** Runs a query with access to all workspaces, because people belong to none. SQL errors become ReadFailed. */
export const unscoped = <A>(effect: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, ReadFailed> =>
  forEverybody(Effect.mapError(effect, (cause) => new ReadFailed({ cause })))

/** Like `unscoped`, for writes: a unique value that another person has becomes `fault`. */
export const orTaken =
  (fault: EmailTaken) =>
  <A>(effect: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<void, EmailTaken | ReadFailed> =>
    forEverybody(
      Effect.mapError(Effect.asVoid(effect), (cause) =>
        cause.reason._tag === "UniqueViolation" ? fault : new ReadFailed({ cause })
      )
    )

/** The columns of a `User`. */
export const userFields = (sql: PgClient.PgClient) =>
  sql`id, email, email_verified_at IS NOT NULL AS email_verified, idp_subject IS NOT NULL AS idp_linked`

type Identities = Pick<SignIns["Service"], "userByIdentity" | "linkIdentity" | "unlinkIdentity">

export const makeIdentities = (sql: PgClient.PgClient): Identities => {
  const setIdentity = Effect.fnUntraced(function* (
    session: Session,
    identity: Identity | null,
    origin: Origin,
    at: number
  ) {
    const { membership, user_id } = session
    const columns = { idp_issuer: identity?.issuer ?? null, idp_subject: identity?.subject ?? null }
    yield* sql`UPDATE users SET ${sql.update(columns)} WHERE id = ${user_id}`
    if (membership === null) return
    const action_kind = identity === null ? "session.idp_unlinked" : "session.idp_linked"
    const target = { type: "user", id: user_id }
    yield* insertAudit(sql, auditRow(origin, { workspace_id: membership.workspace_id, action_kind, target, at }))
  })

  return {
    userByIdentity: ({ issuer, subject }) =>
      unscoped(
        Effect.map(
          sql<User>`SELECT ${userFields(sql)} FROM users WHERE idp_issuer = ${issuer} AND idp_subject = ${subject}`,
          ([user]) => user
        )
      ),
    linkIdentity: (session, identity, origin, at) =>
      orTaken(new EmailTaken({ message: "This identity is linked to another account." }))(
        sql.withTransaction(setIdentity(session, identity, origin, at))
      ),
    unlinkIdentity: (session, origin, at) => unscoped(sql.withTransaction(setIdentity(session, null, origin, at)))
  }
}
