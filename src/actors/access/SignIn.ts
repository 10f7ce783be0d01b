// How people come in: by a link that is mailed to them, and with it a session.
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import type { SessionRow, SessionView } from "../../domain/access/AuthRecords.ts"
import { readEmail } from "../../domain/access/Email.ts"
import type { Origin, RequestSource } from "../../domain/access/Origin.ts"
import {
  MagicLinkExpired,
  MagicLinkInvalid,
  MagicLinkUsed,
  SessionInvalid,
  WorkspaceForbidden
} from "../../domain/errors/AuthErrors.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { NotFound } from "../../domain/errors/GeneralErrors.ts"
import { noAccountEmail, signInEmail } from "../../domain/mail/EmailTemplates.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { type Session, Sessions } from "../../domain/ports/Sessions.ts"
import { SignIns, type User } from "../../domain/ports/SignIns.ts"
import { Tokens } from "../../domain/ports/Tokens.ts"
import { makePost } from "../mail/MailboxActor.ts"

/**
 * Who asks for a link is answered after so long, which the work takes well under: neither the memory that an address has
 * left nor what its account makes of it shows in the time.
 */
const answer_after_ms = 50

/** How long a link works. */
const link_life_ms = 15 * 60_000
const purpose = "sign-in link"

type Unhappy = Failure | NotCommitted | ReadFailed

interface Options {
  readonly base_url: string
}

/** A session that was just opened, or that goes on under a new token. */
export interface Opened {
  readonly token: Redacted.Redacted
  readonly view: SessionView
}

export class SignIn extends Context.Service<
  SignIn,
  {
    /** Makes the account and mails its first link. */
    readonly signUp: (email: string) => Effect.Effect<Pick<User, "id" | "email">, Unhappy>
    /** Does the same whether or not the address is known, and takes as long. */
    readonly askForLink: (email: string) => Effect.Effect<void, Unhappy>
    readonly redeem: (token: string, source: RequestSource) => Effect.Effect<Opened, Unhappy>
    /** Signs in somebody who has proved by other means who they are. */
    readonly open: (user_id: string, source: RequestSource, workspace_id?: string) => Effect.Effect<Opened, Unhappy>
    readonly view: (session: Session) => Effect.Effect<SessionView, ReadFailed>
    /** Puts the session into another of the person's workspaces, under a new token. */
    readonly enter: (session: Session, workspace_id: string, source: RequestSource) => Effect.Effect<Opened, Unhappy>
    readonly list: (session: Session) => Effect.Effect<ReadonlyArray<SessionRow>, ReadFailed>
    /** Ends one of the person's sessions. */
    readonly end: (session: Session, id: string, origin: Origin) => Effect.Effect<void, Unhappy>
  }
>()("trunkline/actors/SignIn") {
  static readonly layer = (options: Options) => Layer.effect(SignIn, make(options))
}

/** Links that sign their reader in. */
const makeLinks = Effect.fnUntraced(function* ({ base_url }: Options) {
  const ids = yield* Ids
  const post = yield* makePost
  const store = yield* SignIns
  const tokens = yield* Tokens

  /** A link to nobody is made and kept as well, for the time it takes. */
  const mail = Effect.fnUntraced(function* (email: string, user: User | undefined) {
    const at = yield* Clock.currentTimeMillis
    const expires_at = at + link_life_ms
    const secret = tokens.random()
    yield* store.issueLink({ secret_hash: tokens.hash(secret), user_id: user?.id ?? null, at, expires_at })
    const url = `${base_url}/sign-in?token=${tokens.sign(secret, purpose)}`
    const letter = user === undefined ? noAccountEmail(base_url) : signInEmail(url)
    yield* post({ id: ids.uuid(), to: email, letter, expires_at })
  })

  /** Under what the link is stored; undefined where it was not made here. */
  const hashOf = (signed: string): string | undefined => {
    const secret = tokens.read(signed, purpose)
    return secret === undefined ? undefined : tokens.hash(secret)
  }

  return { mail, hashOf }
})

const make = Effect.fnUntraced(function* (options: Options) {
  const ids = yield* Ids
  const links = yield* makeLinks(options)
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

  return SignIn.of({
    signUp: Effect.fnUntraced(function* (text) {
      const email = yield* Effect.fromResult(readEmail(text))
      const user = yield* store.register({ id: ids.uuid(), email, at: yield* Clock.currentTimeMillis })
      yield* links.mail(email, user)
      return { id: user.id, email }
    }),
    askForLink: Effect.fnUntraced(function* (text) {
      const email = yield* Effect.fromResult(readEmail(text))
      const mailed = Effect.flatMap(store.userByEmail(email), (user) => links.mail(email, user))
      yield* Effect.all([mailed, Effect.sleep(answer_after_ms)], { concurrency: 2, discard: true })
    }),
    redeem: Effect.fnUntraced(function* (signed, source) {
      const secret_hash = links.hashOf(signed)
      if (secret_hash === undefined) return yield* new MagicLinkInvalid()
      const { session, token } = yield* newSession(source)
      const redeemed = yield* store.redeemLink(secret_hash, session)
      if (redeemed._tag === "Used") return yield* new MagicLinkUsed()
      if (redeemed._tag === "Expired") return yield* new MagicLinkExpired()
      return yield* opened(token)
    }),
    open: Effect.fnUntraced(function* (user_id, source, workspace_id) {
      const { session, token } = yield* newSession(source)
      yield* store.openSession(user_id, session, workspace_id)
      return yield* opened(token)
    }),
    view,
    enter: Effect.fnUntraced(function* ({ id, user_id }, workspace_id, source) {
      const own = yield* store.workspacesOf(user_id)
      if (!own.some((workspace) => workspace.id === workspace_id)) return yield* new WorkspaceForbidden()
      const { session, token } = yield* newSession(source)
      yield* store.moveSession(id, session, workspace_id)
      return yield* opened(token)
    }),
    list: Effect.fnUntraced(function* ({ id, user_id }) {
      const rows = yield* store.sessionsOf(user_id, yield* Clock.currentTimeMillis)
      return rows.map((row) => ({ ...row, current: row.id === id }))
    }),
    end: Effect.fnUntraced(function* ({ user_id }, id, origin) {
      const ended = yield* store.endSession(user_id, id, origin, yield* Clock.currentTimeMillis)
      if (!ended) return yield* new NotFound({ message: "You have no such session." })
    })
  })
})
