// The documents that the engine serves at /openapi.json and /asyncapi.json, for those who have no engine.
import { makeDocument } from "../http/openapi/DocumentTexts.ts"

/** Both as JSON values. */
export const apiDocuments = {
  openapi: (): unknown => JSON.parse(makeDocument.openapi()),
  asyncapi: (): unknown => JSON.parse(makeDocument.asyncapi())
}
