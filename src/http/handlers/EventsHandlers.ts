import { Effect, Result } from "effect"
import { ApiKeyScopeDenied } from "../../domain/errors/ApiKeyErrors.ts"
import { WebhookEventUnsupported } from "../../domain/errors/WebhookErrors.ts"
import type { Principal } from "../../domain/access/Principal.ts"
import type { EventKind } from "../../domain/events/EventTable.ts"
import { judgeFollowing, mayFollow, readableKinds, scopeOfEvent } from "../../domain/webhooks/ReadableEvents.ts"
import { selectors } from "../../domain/webhooks/Selectors.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { WorkspaceStream } from "../stream/WorkspaceStream.ts"
import { CurrentPrincipal, StillAdmitted } from "../request/CurrentPrincipal.ts"

type Refusal = NotAllowed | WebhookEventUnsupported

type NotAllowed = ReturnType<typeof judgeFollowing> extends Result.Result<unknown, infer E> ? E : never

const refusalOf = (principal: Principal, kind: EventKind): ReadonlyArray<NotAllowed> => {
  const judged = judgeFollowing(principal, kind)
  if (Result.isSuccess(judged)) return []
  if (principal.kind === "session") return [judged.failure]
  const message = `The API key lacks the scope ${scopeOfEvent(kind)}, which the event ${kind} requires.`
  return [new ApiKeyScopeDenied({ message })]
}

/** The kinds that a request asks for. A kind that it names, and may not read, is refused; wildcards leave it out. */
const askedKinds = (
  principal: Principal,
  given: string | undefined
): Result.Result<ReadonlyArray<EventKind>, Refusal> => {
  if (given === undefined) return Result.succeed(readableKinds(principal))
  const asked = given.split(",").map((selector) => selector.trim())
  const chosen = selectors(asked)
  if (Result.isFailure(chosen)) {
    const details = chosen.failure.details?.map((detail) => ({ ...detail, field: "kinds" })) ?? []
    return Result.fail(new WebhookEventUnsupported({ details }))
  }
  const { kinds } = chosen.success
  const named = kinds.filter((kind) => asked.includes(kind))
  const refusal = named.flatMap((kind) => refusalOf(principal, kind))[0]
  if (refusal !== undefined) return Result.fail(refusal)
  return Result.succeed(kinds.filter((kind) => mayFollow(principal, kind)))
}

export const EventsHandlers = group(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const streams = yield* WorkspaceStream
    return handlers.handleAll({
      stream: Effect.fnUntraced(function* ({ headers, query }) {
        const principal = yield* CurrentPrincipal
        const kinds = yield* Effect.fromResult(askedKinds(principal, query.kinds))
        return yield* streams.open({
          principal,
          admitted: yield* StillAdmitted,
          kinds,
          seen: headers["last-event-id"],
          since: query.since
        })
      })
    })
  })
)
