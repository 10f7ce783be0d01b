// Sign-in through an identity provider (OpenID Connect), and linking one to an account.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import {
  CannotUnlinkOnlyAuth,
  EmailTaken,
  IdpExchangeFailed,
  type IdpNotConfigured,
  IdpStateMismatch,
  type SessionInvalid,
  type SignUpClosed
} from "../../domain/errors/AuthErrors.ts"
import { NotFound } from "../../domain/errors/GeneralErrors.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { IdentityProvider } from "../../domain/ports/access/IdentityProvider.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { SignIns } from "../../domain/ports/access/SignIns.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { type Opened, SignIn } from "./SignIn.ts"
import { traced } from "../../domain/Traced.ts"
import { toUserId } from "../../domain/BrandedIds.ts"
import type { Identity } from "../../domain/access/Identity.ts"
import type { Session } from "../../domain/access/Session.ts"
import { makeNewAccounts } from "./NewAccounts.ts"
import { PublicUrl } from "../shared/PublicUrl.ts"

/** How long a person may take to sign in at the provider. */
export const idpStateLife_ms = 10 * 60_000

const State = Schema.Struct({
  state: Schema.String,
  nonce: Schema.String,
  code_verifier: Schema.String,
  return_to: Schema.String,
  /** The user to whose account the identity is linked; null: the identity signs in. */
  link_to: Schema.NullOr(Schema.String),
  expires_at: Schema.Int
})
const decodeState = Schema.decodeUnknownEffect(Schema.fromJsonString(State))
/** What the state is sealed for. */
const bound = "cookies/idp_state"

/** A path of this host, `/docs` for anything else: an open redirect would lend this host to phishing. */
const ownPath = (text: string | undefined): string =>
  text !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : "/docs"

export interface IdpReturn {
  /** Absent where an identity was linked: the session continues. */
  readonly opened?: Opened
  readonly return_to: string
}

export class IdpSignIn extends Context.Service<
  IdpSignIn,
  {
    /**
     * Starts a sign-in. `url` is the page of the provider, `kept` the sealed state for a cookie of the browser. With a
     * session, the identity will be linked to the account of its person.
     */
    readonly start: (
      session: Session | undefined,
      return_to: string | undefined
    ) => Effect.Effect<{ readonly url: string; readonly kept: string }, IdpNotConfigured | IdpExchangeFailed>
    /**
     * Finishes a sign-in. `path` is where the provider redirected to, with its query; `kept` the value of the cookie.
     */
    readonly comeBack: (
      path: string,
      kept: string | undefined,
      session: Session | undefined,
      origin: Origin
    ) => Effect.Effect<
      IdpReturn,
      EmailTaken | IdpExchangeFailed | IdpNotConfigured | IdpStateMismatch | SessionInvalid | SignUpClosed | ReadFailed
    >
    /** Unlinks the identity provider. Fails for an account that has no other way to sign in. */
    readonly unlink: (
      session: Session,
      origin: Origin
    ) => Effect.Effect<void, NotFound | CannotUnlinkOnlyAuth | ReadFailed>
  }
>()("trunkline/actors/IdpSignIn") {
  static readonly layer = Layer.effect(
    IdpSignIn,
    Effect.suspend(() => make())
  )
}

const make = Effect.fnUntraced(function* () {
  const { base_url } = yield* PublicUrl
  const mayHaveAccount = yield* makeNewAccounts
  const ids = yield* Ids
  const provider = yield* IdentityProvider
  const signIn = yield* SignIn
  const store = yield* SignIns
  const vault = yield* Vault

  const readState = Effect.fnUntraced(function* (kept: string | undefined, path: string) {
    const text = kept === undefined ? undefined : vault.open(kept, bound)
    const state = yield* Effect.mapError(decodeState(text), () => new IdpStateMismatch())
    const given = new URLSearchParams(path.split("?", 2)[1]).get("state")
    const now = yield* Clock.currentTimeMillis
    return given === state.state && now < state.expires_at ? state : yield* new IdpStateMismatch()
  })

  /** The user of an identity. An unknown identity creates an account, unless its address already has one. */
  const userOf = Effect.fnUntraced(function* (identity: Identity) {
    const known = yield* store.userByIdentity(identity)
    if (known !== undefined) return known
    const { email } = identity
    if (email === null)
      return yield* new IdpExchangeFailed({ message: "The identity provider gave no verified e-mail address." })
    yield* mayHaveAccount(email.toLowerCase())
    const at = yield* Clock.currentTimeMillis
    return yield* Effect.mapError(store.register({ id: toUserId(ids.uuid()), email, at, identity }), (error) =>
      error instanceof EmailTaken
        ? new EmailTaken({ resolution: "Sign in with a magic link, then link the identity provider to your account." })
        : error
    )
  })

  return IdpSignIn.of({
    start: traced("IdpSignIn.start")(function* (session, return_to) {
      const { question, url } = yield* provider.ask(`${base_url}/v1/auth/idp/callback`)
      const expires_at = (yield* Clock.currentTimeMillis) + idpStateLife_ms
      const state: typeof State.Type = {
        ...question,
        return_to: ownPath(return_to),
        link_to: session?.user_id ?? null,
        expires_at
      }
      return { url, kept: vault.seal(JSON.stringify(state), bound) }
    }),
    comeBack: traced("IdpSignIn.comeBack")(function* (path, kept, session, origin) {
      const { link_to, return_to, ...question } = yield* readState(kept, path)
      if (link_to !== null && session?.user_id !== link_to) return yield* new IdpStateMismatch()
      const identity = yield* provider.answer(base_url + path, question)
      if (session !== undefined && link_to !== null) {
        yield* store.linkIdentity(session, identity, origin, yield* Clock.currentTimeMillis)
        return { return_to }
      }
      const { id } = yield* userOf(identity)
      return { opened: yield* signIn.open(id, origin), return_to }
    }),
    unlink: traced("IdpSignIn.unlink")(function* (session, origin) {
      const user = yield* store.userByEmail(session.email)
      if (user?.idp_linked !== true)
        return yield* new NotFound({ message: "No identity provider is linked to your account." })
      if (!user.email_verified) return yield* new CannotUnlinkOnlyAuth()
      yield* store.unlinkIdentity(session, origin, yield* Clock.currentTimeMillis)
    })
  })
})
