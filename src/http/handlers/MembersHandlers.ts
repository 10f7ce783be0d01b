import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Members } from "../../actors/workspace/Members.ts"
import { SignIn } from "../../actors/access/SignIn.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { memberContext, currentMember } from "../request/CurrentMember.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { IdempotencyContext } from "../request/JsonWrite.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { requestSource } from "../request/RequestOrigin.ts"
import { setSession } from "../request/SessionCookie.ts"
import type { UserId, WorkspaceId } from "../../domain/BrandedIds.ts"

const json = (status: number, body: unknown) => HttpServerResponse.jsonUnsafe(body, { status })

export const MembersHandlers = group(
  Api,
  "members",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    const signIn = yield* SignIn
    const limits = yield* RateLimits

    /**
     * A change of their own membership ends the session of the person who makes the request. Opens a new one: in
     * `workspace_id`, or else in the workspace that they joined first.
     */
    const renewOwnSession = Effect.fnUntraced(function* (
      user_id: UserId,
      response: HttpServerResponse.HttpServerResponse,
      workspace_id?: WorkspaceId
    ) {
      const me = yield* currentMember
      if (me.user_id !== user_id) return response
      const { token } = yield* signIn.open(user_id, yield* requestSource, workspace_id)
      return yield* setSession(token)(response)
    })

    /** Limits invitations, because each is an e-mail to somebody who may not want it. */
    const inviterContext = Effect.gen(function* () {
      const context = yield* memberContext
      yield* limits.count("invitation", context.workspace_id)
      const { request } = yield* IdempotencyContext
      return { ...context, ...(request && { idempotency: request }) }
    })

    return handlers.handleAll({
      members: () => Effect.flatMap(CurrentPrincipal, ({ workspace_id }) => members.list(workspace_id)),
      changeMember: Effect.fnUntraced(function* ({ params, payload }) {
        const context = yield* memberContext
        const member = yield* members.change(context, params.user_id, payload)
        return yield* renewOwnSession(params.user_id, json(200, member), context.workspace_id)
      }),
      removeMember: Effect.fnUntraced(function* ({ params }) {
        yield* members.remove(yield* memberContext, params.user_id)
        return yield* renewOwnSession(params.user_id, HttpServerResponse.empty({ status: 204 }))
      }),
      invite: Effect.fnUntraced(function* ({ payload }) {
        return json(201, yield* members.invite(yield* inviterContext, payload))
      }),
      invitations: () => Effect.flatMap(CurrentPrincipal, ({ workspace_id }) => members.invitations(workspace_id)),
      revoke: Effect.fnUntraced(function* ({ params }) {
        yield* members.revoke(yield* memberContext, params.id)
      }),
      resend: Effect.fnUntraced(function* ({ params }) {
        return json(202, yield* members.resend(yield* inviterContext, params.id))
      })
    })
  })
)
