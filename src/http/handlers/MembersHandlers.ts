import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Members } from "../../actors/workspace/Members.ts"
import { SignIn } from "../../actors/access/SignIn.ts"
import { Api } from "../api/Api.ts"
import { group } from "../server/RequestServices.ts"
import { currentAsker, currentMember } from "../request/CurrentMember.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { IdempotencyContext } from "../middleware/JsonWrite.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { requestSource } from "../request/RequestOrigin.ts"
import { setSession } from "../request/SessionCookie.ts"

const json = (status: number, body: unknown) => HttpServerResponse.jsonUnsafe(body, { status })

export const MembersHandlers = group(
  Api,
  "members",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    const signIn = yield* SignIn
    const limits = yield* RateLimits

    /** Whose own membership has changed has no session any more: they get another, in the workspace or in one that is left. */
    const goOn = Effect.fnUntraced(function* (
      user_id: string,
      response: HttpServerResponse.HttpServerResponse,
      workspace_id?: string
    ) {
      const me = yield* currentMember
      if (me.user_id !== user_id) return response
      const { token } = yield* signIn.open(user_id, yield* requestSource, workspace_id)
      return yield* setSession(token)(response)
    })

    /** Each is a mail to somebody who may not want it. */
    const asker = Effect.tap(currentAsker, ({ workspace_id }) => limits.count("invitation", workspace_id))

    return handlers.handleAll({
      members: () => Effect.flatMap(CurrentPrincipal, ({ workspace_id }) => members.list(workspace_id)),
      changeMember: Effect.fnUntraced(function* ({ params, payload }) {
        const asker = yield* currentAsker
        const member = yield* members.change(asker, params.user_id, payload)
        return yield* goOn(params.user_id, json(200, member), asker.workspace_id)
      }),
      removeMember: Effect.fnUntraced(function* ({ params }) {
        yield* members.remove(yield* currentAsker, params.user_id)
        return yield* goOn(params.user_id, HttpServerResponse.empty({ status: 204 }))
      }),
      invite: Effect.fnUntraced(function* ({ payload }) {
        const { request } = yield* IdempotencyContext
        return json(201, yield* members.invite(yield* asker, payload, request))
      }),
      invitations: () => Effect.flatMap(CurrentPrincipal, ({ workspace_id }) => members.invitations(workspace_id)),
      revoke: Effect.fnUntraced(function* ({ params }) {
        yield* members.revoke(yield* currentAsker, params.id)
      }),
      resend: Effect.fnUntraced(function* ({ params }) {
        const { request } = yield* IdempotencyContext
        return json(202, yield* members.resend(yield* asker, params.id, request))
      })
    })
  })
)
