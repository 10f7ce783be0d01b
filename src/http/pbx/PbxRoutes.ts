import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { receivePbxEvents } from "./PbxEvents.ts"
import { servePbxFeed } from "./PbxFeed.ts"

/** The routes for PBX gateways, served beside the customer API. */
export const PbxRoutes = Layer.mergeAll(
  HttpRouter.use((router) => Effect.flatMap(servePbxFeed, (feed) => router.add("GET", "/v1/pbx/feed", feed))),
  HttpRouter.use((router) =>
    Effect.flatMap(receivePbxEvents(), (events) => router.add("POST", "/v1/webhooks/pbx/events", events))
  )
)
