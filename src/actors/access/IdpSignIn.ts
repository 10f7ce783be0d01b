// How people come in through an identity provider, and how they link one to their account.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import {
  CannotUnlinkOnlyAuth,
  EmailTaken,
  IdpExchangeFailed,
  IdpStateMismatch
} from "../../domain/errors/AuthErrors.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { NotFound } from "../../domain/errors/GeneralErrors.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import { type Identity, IdentityProvider } from "../../domain/ports/IdentityProvider.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import type { Session } from "../../domain/ports/Sessions.ts"
import { SignIns } from "../../domain/ports/SignIns.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { type Opened, SignIn } from "./SignIn.ts"

type Unhappy = Failure | NotCommitted | ReadFailed

/** How long a person may take at the provider. */
export const idp_state_ms = 10 * 60_000

const State = Schema.Struct({
  state: Schema.String,
  nonce: Schema.String,
  code_verifier: Schema.String,
  return_to: Schema.String,
  /** Whose account the identity is to be linked to; null: it signs in. */
  link_to: Schema.NullOr(Schema.String),
  expires_at: Schema.Int
})
const decodeState = Schema.decodeUnknownEffect(Schema.fromJsonString(State))
const bound = "cookies/idp_state"

/** A path of this host: a URL that leads elsewhere would make the engine vouch for it. */
const ownPath = (text: string | undefined): string =>
  text !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : "/docs"

export interface CameBack {
  /** Absent where an identity was linked: the session goes on. */
  readonly opened?: Opened
  readonly return_to: string
}

export class IdpSignIn extends Context.Service<
  IdpSignIn,
  {
    /** `kept` is for a cookie of the browser. With a session the identity is linked to its person's account. */
    readonly start: (
      session: Session | undefined,
      return_to: string | undefined
    ) => Effect.Effect<{ readonly url: string; readonly kept: string }, Unhappy>
    /** `path` is what the provider sent the person back to, with its query. */
    readonly comeBack: (
      path: string,
      kept: string | undefined,
      session: Session | undefined,
      origin: Origin
    ) => Effect.Effect<CameBack, Unhappy>
    readonly unlink: (session: Session, origin: Origin) => Effect.Effect<void, Unhappy>
  }
>()("trunkline/actors/IdpSignIn") {
  static readonly layer = (options: { readonly base_url: string }) => Layer.effect(IdpSignIn, make(options))
}

const make = Effect.fnUntraced(function* ({ base_url }: { readonly base_url: string }) {
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

  /** Whom the identity signs in: who linked it, else somebody new. Who has an account must link it themselves. */
  const userOf = Effect.fnUntraced(function* (identity: Identity) {
    const known = yield* store.userByIdentity(identity)
    if (known !== undefined) return known
    const { email } = identity
    if (email === null)
      return yield* new IdpExchangeFailed({ message: "The identity provider gave no verified e-mail address." })
    const at = yield* Clock.currentTimeMillis
    return yield* Effect.mapError(store.register({ id: ids.uuid(), email, at, identity }), (error) =>
      error._tag === "auth.email_taken"
        ? new EmailTaken({ resolution: "Sign in with a magic link, then link the identity provider to your account." })
        : error
    )
  })

  return IdpSignIn.of({
    start: Effect.fnUntraced(function* (session, return_to) {
      const { question, url } = yield* provider.ask(`${base_url}/v1/auth/idp/callback`)
      const expires_at = (yield* Clock.currentTimeMillis) + idp_state_ms
      const state: typeof State.Type = {
        ...question,
        return_to: ownPath(return_to),
        link_to: session?.user_id ?? null,
        expires_at
      }
      return { url, kept: vault.seal(JSON.stringify(state), bound) }
    }),
    comeBack: Effect.fnUntraced(function* (path, kept, session, origin) {
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
    unlink: Effect.fnUntraced(function* (session, origin) {
      const user = yield* store.userByEmail(session.email)
      if (user?.idp_linked !== true)
        return yield* new NotFound({ message: "No identity provider is linked to your account." })
      if (!user.email_verified) return yield* new CannotUnlinkOnlyAuth()
      yield* store.unlinkIdentity(session, origin, yield* Clock.currentTimeMillis)
    })
  })
})
