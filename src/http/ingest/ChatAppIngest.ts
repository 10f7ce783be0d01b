// The webhook of the chat app's provider. It repeats for days each notification that is not answered with 200.
import { ByteSize, Effect, type Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ChatAppNotices } from "../../actors/ingest/ChatAppNotices.ts"
import { permissionReplies } from "../../domain/chatapp/PermissionReply.ts"
import { BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { ChatAppWebhookAuth } from "../../domain/ports/pbx/ChatAppWebhookAuth.ts"
import { parseJson } from "../request/JsonBody.ts"
import { withErrorEnvelope } from "../request/AnswerFailure.ts"
import { unreadable } from "../request/RequestDocument.ts"

const path = "/v1/ingest/chatapp"
/** The provider's limit for one notification. */
const maxBody = ByteSize.mebibytes(3)

/** The challenge is sent back, so it must not be anything that a browser would render. */
const challengePattern = /^[\w.-]{1,128}$/

const queryOf = (url: string) => new URLSearchParams(url.split("?")[1] ?? "")

/** Verifies the URL of the webhook, once, when it is configured at the provider. */
const verify = ({ knows }: ChatAppWebhookAuth["Service"]) =>
  Effect.gen(function* () {
    const query = queryOf((yield* HttpServerRequest.HttpServerRequest).url)
    const challenge = query.get("hub.challenge") ?? ""
    const known = query.get("hub.mode") === "subscribe" && knows(query.get("hub.verify_token") ?? "")
    return known && challengePattern.test(challenge) ? HttpServerResponse.text(challenge) : yield* new NotFound()
  })

const readBody = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const bytes = yield* Effect.mapError(request.arrayBuffer, unreadable)
  return { bytes, signature: request.headers["x-hub-signature-256"] ?? "" }
}).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, maxBody))

/** An unsigned request gets 404. A notification that concerns no number here is accepted, or it would be repeated. */
const take = (auth: ChatAppWebhookAuth["Service"], notices: ChatAppNotices["Service"]) =>
  Effect.gen(function* () {
    const { bytes, signature } = yield* readBody
    if (!auth.admits(signature, new Uint8Array(bytes))) return yield* new NotFound()
    const replies = permissionReplies(yield* Effect.fromResult(parseJson(bytes)))
    if (replies === undefined)
      return yield* new BadRequest({ message: "The document is not a notification of a business account." })
    yield* Effect.forEach(replies, notices.replied, { discard: true })
    return HttpServerResponse.jsonUnsafe({ taken: replies.length })
  })

/** Routes for the chat app's provider, beside the customer API. */
export const ChatAppRoutes: Layer.Layer<never, never, ChatAppWebhookAuth | ChatAppNotices | HttpRouter.HttpRouter> =
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const auth = yield* ChatAppWebhookAuth
      const notices = yield* ChatAppNotices
      yield* router.add("GET", path, withErrorEnvelope(verify(auth)))
      yield* router.add("POST", path, withErrorEnvelope(take(auth, notices)))
    })
  )
