import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { receivePbxEvents } from "./PbxEvents.ts"
import { servePbxFeed } from "./PbxFeed.ts"

/** The routes for PBX gateways, served beside the customer API. */
export const PbxRoutes = Layer.mergeAll(
  HttpRouter.add("GET", "/v1/pbx/feed", servePbxFeed),
  HttpRouter.add("POST", "/v1/webhooks/pbx/events", receivePbxEvents)
)
