// The documents that the engine serves at /openapi.json and /asyncapi.json, for those who have no engine.
import { OpenApi } from "effect/http-api"
import { asyncApiText } from "../http/openapi/AsyncApi.ts"
import { DocumentedApi } from "../http/openapi/DocumentedApi.ts"

/** Both as JSON values. */
export const apiDocuments = {
  openapi: (): unknown => JSON.parse(JSON.stringify(OpenApi.fromApi(DocumentedApi))),
  asyncapi: (): unknown => JSON.parse(asyncApiText())
}
