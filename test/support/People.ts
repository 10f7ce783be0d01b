// People who sign in to the engine under test with a browser.
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { type Answer, ask, type Question } from "./HttpTester.ts"
import { mailsTo, mailTo, tokenOf } from "./Mails.ts"
import type { WorkspaceId } from "../../src/domain/BrandedIds.ts"
import { workspaceId } from "./Ids.ts"
import { until } from "./Until.ts"

/** The `session=…` pair of an answer that sets it. */
export const cookieOf = ({ headers }: Answer, name = "session"): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(";")[0]!)
    .find((pair) => pair.startsWith(`${name}=`)) ?? ""

export const as = (cookie: string, question: Question) => ask({ ...question, headers: { ...question.headers, cookie } })
export const whoAmI = (cookie: string) => as(cookie, { path: "/v1/auth/session" })
/** Waits for this answer: caches learn of changes in the database with a delay. */
export const soon = <E, R>(question: Effect.Effect<Answer, E, R>, expected: string | undefined) => {
  const code = Effect.map(question, (answer) => answer.code)
  return until(`answer ${expected ?? "without an error"}`, code, (seen) => seen === expected)
}

/** Waits until the session has ended. */
export const ended = (cookie: string) => soon(whoAmI(cookie), "auth.session_invalid")

export const askForLink = (email: string) => ask({ path: "/v1/auth/magic-link", body: { email } })
export const signup = (email: string) => ask({ path: "/v1/auth/signup", body: { email } })
export const verify = (token: string) => ask({ path: "/v1/auth/magic-link/verify", body: { token } })

/** Signs up, or signs in if the account exists. Returns the session cookie. */
export const signedIn = Effect.fnUntraced(function* (email: string) {
  const before = (yield* mailsTo(email)).length
  const { code } = yield* signup(email)
  if (code === "auth.email_taken") yield* askForLink(email)
  return cookieOf(yield* verify(tokenOf(yield* mailTo(email, before + 1))))
})

export const onboard = (cookie: string, name: string, currency = "KES") =>
  as(cookie, { path: "/v1/workspace", body: { name, currency } })

export interface Founder {
  readonly cookie: string
  readonly workspace_id: WorkspaceId
  readonly user_id: string
}

/** A person with a new workspace. */
export const founder = Effect.fnUntraced(function* (email: string) {
  const made = yield* onboard(yield* signedIn(email), `Of ${email}`)
  const cookie = cookieOf(made)
  const {
    user: { id }
  } = (yield* whoAmI(cookie)).body as { user: { id: string } }
  const result: Founder = { cookie, workspace_id: workspaceId((made.body as { id: string }).id), user_id: id }
  return result
})

export const invite = (by: string, email: string, role: string, more: object = {}) =>
  as(by, { path: "/v1/invitations", body: { email, role, ...more } })

/** A person who accepted an invitation to the workspace. */
export const joined = Effect.fnUntraced(function* (by: Founder, email: string, role: string, more: object = {}) {
  const cookie = yield* signedIn(email)
  const before = (yield* mailsTo(email)).length
  yield* invite(by.cookie, email, role, more)
  const accepted = yield* as(cookie, {
    path: "/v1/auth/invite/accept",
    body: { token: tokenOf(yield* mailTo(email, before + 1)) }
  })
  const {
    user: { id }
  } = (yield* whoAmI(cookieOf(accepted))).body as { user: { id: string } }
  return { cookie: cookieOf(accepted), user_id: id, accepted }
})

/** The kinds of the audit entries of a workspace, oldest first, without the sign-ins. */
export const kindsOf = (workspace_id: WorkspaceId) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const rows = yield* sql<{ readonly kind: string }>`
      SELECT action_kind AS kind FROM audit_entries WHERE workspace_id = ${workspace_id} ORDER BY created_at, sequence`
    return rows.map(({ kind }) => kind).filter((kind) => kind !== "session.signed_in")
  })
