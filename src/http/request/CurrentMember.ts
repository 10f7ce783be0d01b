import { Effect } from "effect"
import type { Member } from "../../domain/access/Principal.ts"
import { SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { CurrentPrincipal } from "./CurrentPrincipal.ts"
import { requestOrigin } from "./RequestOrigin.ts"

/** The signed-in member who makes the request being served; for routes that no key opens. */
export const currentMember = Effect.flatMap(CurrentPrincipal, (principal): Effect.Effect<Member, SessionInvalid> =>
  principal.kind === "session" ? Effect.succeed(principal) : Effect.fail(new SessionInvalid())
)

/** The same, as who asks something of the workspace. */
export const currentAsker = Effect.gen(function* () {
  const { user_id, workspace_id } = yield* currentMember
  return { workspace_id, by: user_id, origin: yield* requestOrigin }
})
