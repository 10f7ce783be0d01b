// Whether an address without an account may get one (SIGN_UP).
import { Clock, Effect } from "effect"
import { type SignUpPolicy, signUpRefusal } from "../../domain/access/SignUpPolicy.ts"
import type { SignUpClosed } from "../../domain/errors/AuthErrors.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { SignIns } from "../../domain/ports/access/SignIns.ts"

export interface NewAccountsOptions {
  readonly sign_up: SignUpPolicy
  /** In lower case. */
  readonly operators: ReadonlySet<string>
}

/** Fails if the address may have no account. `email`: in lower case. */
export const makeNewAccounts = ({ operators, sign_up }: NewAccountsOptions) =>
  Effect.map(
    SignIns,
    ({ isInvited }) =>
      (email: string): Effect.Effect<void, SignUpClosed | ReadFailed> =>
        Effect.gen(function* () {
          if (sign_up === "open") return
          const is_invited = sign_up === "invited" && (yield* isInvited(email, yield* Clock.currentTimeMillis))
          const refusal = signUpRefusal(sign_up, { is_operator: operators.has(email), is_invited })
          if (refusal !== undefined) return yield* refusal
        })
  )
