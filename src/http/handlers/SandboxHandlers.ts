import { Effect } from "effect"
import { SandboxFunds } from "../../actors/topups/SandboxFunds.ts"
import { TestModeRequired } from "../../domain/errors/ApiKeyErrors.ts"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { Api } from "../api/Api.ts"
import { IdempotencyContext } from "../request/JsonWrite.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { requestOrigin } from "../request/RequestOrigin.ts"
import { group } from "../request/RequestServices.ts"

/** The request of a sandbox. Fails for a live workspace. */
const sandboxRequest = Effect.gen(function* () {
  const { workspace_id } = yield* CurrentPrincipal
  if (!isSandbox(workspace_id)) return yield* new TestModeRequired()
  const { request: idempotency } = yield* IdempotencyContext
  return { workspace_id, idempotency }
})

export const SandboxHandlers = group(
  Api,
  "sandbox",
  Effect.fnUntraced(function* (handlers) {
    const directory = yield* Directory
    const funds = yield* SandboxFunds
    return handlers.handleAll({
      credit: Effect.fnUntraced(function* ({ payload: { amount_minor } }) {
        const request = yield* sandboxRequest
        const { balance_minor } = yield* funds.credit({ ...request, amount_minor, origin: yield* requestOrigin })
        const currency = (yield* directory.workspace(request.workspace_id))?.currency
        return { balance_minor, currency: currency ?? (yield* new WalletNotFound()) }
      }),
      payIn: Effect.fnUntraced(function* ({ payload: { account_ref, amount_minor } }) {
        return yield* funds.payIn({ ...(yield* sandboxRequest), amount_minor, account_ref })
      })
    })
  })
)
