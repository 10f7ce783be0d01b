// Sign-up, sign-in by a link in an e-mail, and the sessions of a person.
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import type { SessionRow, SessionView } from "../../domain/access/AuthRecords.ts"
import { readEmail } from "../../domain/access/Email.ts"
import type { Origin, RequestSource } from "../../domain/access/Origin.ts"
import {
  type EmailTaken,
  MagicLinkExpired,
  MagicLinkInvalid,
  MagicLinkUsed,
  SessionInvalid,
  type SignUpClosed,
  WorkspaceForbidden
} from "../../domain/errors/AuthErrors.ts"
import { type BadRequest, NotFound, type RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { noAccountEmail, signInEmail } from "../../domain/mail/EmailTemplates.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Sessions } from "../../domain/ports/access/Sessions.ts"
import { SignIns } from "../../domain/ports/access/SignIns.ts"
import { Tokens } from "../../domain/ports/access/Tokens.ts"
import { makePost } from "../mail/MailboxActor.ts"
import { toUserId, type UserId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"
import type { Session } from "../../domain/access/Session.ts"
import type { User } from "../../domain/access/User.ts"
import { makeNewAccounts } from "./NewAccounts.ts"
import { PublicUrl } from "../shared/PublicUrl.ts"

/**
 * A request for a link takes at least this long, which is more than the work takes. So the response time does not tell
 * whether the address has an account.
 */
const minResponseTime_ms = 50

/** How long a link is valid. */
const linkLife_ms = 15 * 60_000
/** What the tokens of links are signed for. */
const purpose = "sign-in link"

/** The address is malformed, or too many messages wait for it, or they could not be stored. */
type MailRefused = BadRequest | RateLimited | NotCommitted | ReadFailed

/** A session with a new token. */
export interface Opened {
  readonly token: Redacted.Redacted
  readonly view: SessionView
}

export class SignIn extends Context.Service<
  SignIn,
  {
    /** Creates an account and mails its first link. */
    readonly signUp: (
      email: string
    ) => Effect.Effect<Pick<User, "id" | "email">, EmailTaken | SignUpClosed | MailRefused>
    /** Mails a link. The response and its time are the same whether or not the address has an account. */
    readonly askForLink: (email: string) => Effect.Effect<void, MailRefused>
    /** Signs in with the token of a link, which can be used once. */
    readonly redeem: (
      token: string,
      source: RequestSource
    ) => Effect.Effect<Opened, MagicLinkExpired | MagicLinkInvalid | MagicLinkUsed | SessionInvalid | ReadFailed>
    /** Signs in a person who was identified by other means. */
    readonly open: (
      user_id: UserId,
      source: RequestSource,
      workspace_id?: WorkspaceId
    ) => Effect.Effect<Opened, SessionInvalid | ReadFailed>
    readonly view: (session: Session) => Effect.Effect<SessionView, ReadFailed>
    /** Moves a session to another workspace of the person, under a new token. */
    readonly enter: (
      session: Session,
      workspace_id: WorkspaceId,
      source: RequestSource
    ) => Effect.Effect<Opened, SessionInvalid | WorkspaceForbidden | ReadFailed>
    readonly list: (session: Session) => Effect.Effect<ReadonlyArray<SessionRow>, ReadFailed>
    /** Ends a session of the person. */
    readonly end: (session: Session, id: string, origin: Origin) => Effect.Effect<void, NotFound | ReadFailed>
  }
>()("trunkline/actors/SignIn") {
  static readonly layer = Layer.effect(
    SignIn,
    Effect.suspend(() => make())
  )
}

/** Creates and checks the links that sign their reader in. */
const makeLinks = Effect.fnUntraced(function* () {
  const { base_url } = yield* PublicUrl
  const ids = yield* Ids
  const post = yield* makePost
  const store = yield* SignIns
  const tokens = yield* Tokens

  /** Without a user a link is created and stored, too, because that takes as long. */
  const mail = Effect.fnUntraced(function* (email: string, user: User | undefined) {
    const at = yield* Clock.currentTimeMillis
    const expires_at = at + linkLife_ms
    const secret = tokens.random()
    yield* store.issueLink({ secret_hash: tokens.hash(secret), user_id: user?.id ?? null, at, expires_at })
    const url = `${base_url}/sign-in?token=${tokens.sign(secret, purpose)}`
    const letter = user === undefined ? noAccountEmail(base_url) : signInEmail(url)
    yield* post({ id: ids.uuid(), to: email, letter, expires_at })
  })

  /** The hash under which a link is stored; undefined if the token was not signed here. */
  const hashOf = (signed: string): string | undefined => {
    const secret = tokens.read(signed, purpose)
    return secret === undefined ? undefined : tokens.hash(secret)
  }

  return { mail, hashOf }
})

/** Opens sessions under new tokens, and reads what a session shows of its person. */
const makeOpener = Effect.gen(function* () {
  const ids = yield* Ids
  const sessions = yield* Sessions
  const store = yield* SignIns
  const tokens = yield* Tokens

  const newSession = (source: RequestSource) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      const token = tokens.random()
      return {
        token: Redacted.make(token),
        session: { id: ids.uuid(), token_hash: tokens.hash(token), at, origin: source }
      }
    })

  const view = (session: Session): Effect.Effect<SessionView, ReadFailed> =>
    Effect.map(store.workspacesOf(session.user_id), (workspaces) => ({
      user: { id: session.user_id, email: session.email },
      operator: session.operator,
      workspace_id: session.membership?.workspace_id ?? null,
      workspaces
    }))

  const opened = Effect.fnUntraced(function* (token: Redacted.Redacted) {
    const session = yield* sessions.find(token)
    return session === undefined ? yield* new SessionInvalid() : { token, view: yield* view(session) }
  })

  return { newSession, opened, view }
})

const make = Effect.fnUntraced(function* () {
  const ids = yield* Ids
  const links = yield* makeLinks()
  const mayHaveAccount = yield* makeNewAccounts
  const { newSession, opened, view } = yield* makeOpener
  const store = yield* SignIns

  return SignIn.of({
    signUp: traced("SignIn.signUp")(function* (text) {
      const email = yield* Effect.fromResult(readEmail(text))
      yield* mayHaveAccount(email)
      const user = yield* store.register({ id: toUserId(ids.uuid()), email, at: yield* Clock.currentTimeMillis })
      yield* links.mail(email, user)
      return { id: user.id, email }
    }),
    askForLink: traced("SignIn.askForLink")(function* (text) {
      const email = yield* Effect.fromResult(readEmail(text))
      const mailed = Effect.flatMap(store.userByEmail(email), (user) => links.mail(email, user))
      yield* Effect.all([mailed, Effect.sleep(minResponseTime_ms)], { concurrency: 2, discard: true })
    }),
    redeem: traced("SignIn.redeem")(function* (signed, source) {
      const secret_hash = links.hashOf(signed)
      if (secret_hash === undefined) return yield* new MagicLinkInvalid()
      const { session, token } = yield* newSession(source)
      const redeemed = yield* store.redeemLink(secret_hash, session)
      if (redeemed._tag === "Used") return yield* new MagicLinkUsed()
      if (redeemed._tag === "Expired") return yield* new MagicLinkExpired()
      return yield* opened(token)
    }),
    open: traced("SignIn.open")(function* (user_id, source, workspace_id) {
      const { session, token } = yield* newSession(source)
      yield* store.openSession(user_id, session, workspace_id)
      return yield* opened(token)
    }),
    view,
    enter: traced("SignIn.enter")(function* ({ id, user_id }, workspace_id, source) {
      const own = yield* store.workspacesOf(user_id)
      if (!own.some((workspace) => workspace.id === workspace_id)) return yield* new WorkspaceForbidden()
      const { session, token } = yield* newSession(source)
      yield* store.moveSession(id, session, workspace_id)
      return yield* opened(token)
    }),
    list: traced("SignIn.list")(function* ({ id, user_id }) {
      const rows = yield* store.sessionsOf(user_id, yield* Clock.currentTimeMillis)
      return rows.map((row) => ({ ...row, current: row.id === id }))
    }),
    end: traced("SignIn.end")(function* ({ user_id }, id, origin) {
      const ended = yield* store.endSession(user_id, id, origin, yield* Clock.currentTimeMillis)
      if (!ended) return yield* new NotFound({ message: "You have no such session." })
    })
  })
})
