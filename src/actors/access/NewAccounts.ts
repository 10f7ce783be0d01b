// Whether an address without an account may get one (SIGN_UP).
import { Clock, Context, Effect } from "effect"
import { type SignUpPolicy, signUpRefusal } from "../../domain/access/SignUpPolicy.ts"
import type { SignUpClosed } from "../../domain/errors/AuthErrors.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { SignIns } from "../../domain/ports/access/SignIns.ts"

export class AccountSettings extends Context.Service<
  AccountSettings,
  {
    readonly sign_up: SignUpPolicy
    /** The e-mail addresses of operators, in lower case. */
    readonly operators: ReadonlySet<string>
  }
>()("trunkline/actors/AccountSettings") {}

/** Fails if the address may have no account. `email`: in lower case. */
export const makeNewAccounts = Effect.gen(function* () {
  const { operators, sign_up } = yield* AccountSettings
  const { isInvited } = yield* SignIns
  return (email: string): Effect.Effect<void, SignUpClosed | ReadFailed> =>
    Effect.gen(function* () {
      if (sign_up === "open") return
      const is_invited = sign_up === "invited" && (yield* isInvited(email, yield* Clock.currentTimeMillis))
      const refusal = signUpRefusal(sign_up, { is_operator: operators.has(email), is_invited })
      if (refusal !== undefined) return yield* refusal
    })
})
