// What the chat app's provider announces. It repeats, for days, what is not answered with 200.
import { ByteSize, Effect, type Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ChatAppNotices } from "../../actors/ingest/ChatAppNotices.ts"
import { permissionReplies } from "../../domain/chatapp/PermissionReply.ts"
import { BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { ChatAppWebhookAuth } from "../../domain/ports/ChatAppWebhookAuth.ts"
import { parseJson } from "../request/JsonBody.ts"
import { withErrorEnvelope } from "../request/AnswerFailure.ts"
import { unreadable } from "../request/RequestDocument.ts"

const path = "/v1/ingest/chatapp"
/** The provider gathers as much as this in one notification. */
const body_max = ByteSize.mebibytes(3)

/** The number it wants to see again; nothing that a browser would take for a page. */
const challengePattern = /^[\w.-]{1,128}$/

const queryOf = (url: string) => new URLSearchParams(url.split("?")[1] ?? "")

/** It asks once, when it is told of this address, whether this is meant for it. */
const greet = ({ knows }: ChatAppWebhookAuth["Service"]) =>
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
}).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, body_max))

/** To whoever does not sign as the provider does, nothing is here. What concerns nobody is taken, or it would come for days. */
const take = (door: ChatAppWebhookAuth["Service"], news: ChatAppNotices["Service"]) =>
  Effect.gen(function* () {
    const { bytes, signature } = yield* readBody
    if (!door.admits(signature, new Uint8Array(bytes))) return yield* new NotFound()
    const replies = permissionReplies(yield* Effect.fromResult(parseJson(bytes)))
    if (replies === undefined)
      return yield* new BadRequest({ message: "This is no notification of a business account." })
    yield* Effect.forEach(replies, news.replied, { discard: true })
    return HttpServerResponse.jsonUnsafe({ taken: replies.length })
  })

/** The door of the chat app's provider, to be served beside the customer API. */
export const ChatAppRoutes: Layer.Layer<never, never, ChatAppWebhookAuth | ChatAppNotices | HttpRouter.HttpRouter> =
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const door = yield* ChatAppWebhookAuth
      const news = yield* ChatAppNotices
      yield* router.add("GET", path, withErrorEnvelope(greet(door)))
      yield* router.add("POST", path, withErrorEnvelope(take(door, news)))
    })
  )
