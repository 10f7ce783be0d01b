import { Effect } from "effect"
import type { MemberContext } from "../../actors/shared/RequestContext.ts"
import type { Member } from "../../domain/access/Principal.ts"
import { SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { CurrentPrincipal } from "./CurrentPrincipal.ts"
import { requestOrigin } from "./RequestOrigin.ts"

/** The signed-in member who makes the current request. Fails for an API key. */
export const currentMember = Effect.flatMap(CurrentPrincipal, (principal): Effect.Effect<Member, SessionInvalid> =>
  principal.kind === "session" ? Effect.succeed(principal) : Effect.fail(new SessionInvalid())
)

/** The context of a member's request, without its Idempotency-Key. */
export const memberContext = Effect.gen(function* () {
  const { user_id, workspace_id } = yield* currentMember
  const context: MemberContext = { workspace_id, by: user_id, origin: yield* requestOrigin }
  return context
})
