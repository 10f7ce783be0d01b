import { OpenApi } from "effect/http-api"
import { withPlainPatterns } from "../../domain/kit/PlainPatterns.ts"
import { Api } from "../api/Api.ts"
import { withBodyExamples } from "./BodyExamples.ts"
import { withCallStream } from "./CallStreamDocument.ts"
import { described, describedParameters, describedSchemas } from "./DescribedMembers.ts"
import { otherPaths, otherTags, pbxEventSchemas, pbxSecret } from "./EngineRoutes.ts"
import { contact } from "./DocumentInfo.ts"
import { isObject, type Json, type JsonObject, listAt, mapMembers, objectAt } from "./Json.ts"
import { withSharedErrors } from "./SharedErrors.ts"
import { withSharedParameters } from "./SharedParameters.ts"
import { withSharedResponses } from "./SharedResponses.ts"
import { withSharedSchemas } from "./SharedSchemas.ts"
import { tidyDocument } from "./TidyDocument.ts"
import { withVoice } from "./VoiceDocument.ts"
import { withWebhooks } from "./WebhookDocument.ts"

const description = `A prepaid voice-calling platform: JSON over HTTPS, under \`/v1\`.

- Amounts are integers in minor units: 100 make 1.00 of the currency. Times are RFC 3339, UTC. Numbers are E.164.
- Every response carries \`X-Request-Id\`; send a UUID of your own in that header to set it.
- Every POST takes an \`Idempotency-Key\`: for 24 hours, a repetition of the request gets the first response again.
- An API key may read 20 times a second (bursts of 100) and write 10 times a second (bursts of 50). \`RateLimit-Remaining\`
  shows what is left.
- Lists are bare arrays; \`X-Next-Cursor\` leads to the next page.
- All errors have the same body; branch on its \`code\`. Unknown members of a request are ignored and listed in
  \`X-Service-Warnings\`.

A request may name the version that it is written for in the header \`X-Service-Version\`; one that is not supported is answered
with 400 \`validation.bad_request\`, on every route.`

const withContact = (document: JsonObject): JsonObject => ({
  ...document,
  info: { ...objectAt(document, "info"), contact }
})

const withOtherRoutes = (document: JsonObject): JsonObject => {
  const components = objectAt(document, "components")
  const schemes = mapMembers(objectAt(components, "securitySchemes"), (scheme) =>
    // Names of schemes are case-insensitive (RFC 9110, section 11.1), but some readers of the document expect this one.
    isObject(scheme) && scheme["type"] === "http"
      ? { ...scheme, scheme: String(scheme["scheme"]).toLowerCase() }
      : scheme
  )
  return {
    ...document,
    tags: [...listAt(document, "tags"), ...otherTags],
    paths: { ...objectAt(document, "paths"), ...otherPaths },
    components: {
      ...components,
      schemas: { ...objectAt(components, "schemas"), ...pbxEventSchemas },
      securitySchemes: { ...schemes, pbx_secret: pbxSecret }
    }
  }
}

const describedOperation = (operation: Json): Json =>
  isObject(operation) && "parameters" in operation
    ? { ...operation, parameters: describedParameters(listAt(operation, "parameters")) }
    : operation

const withDescriptions = (document: JsonObject): JsonObject => {
  const components = objectAt(document, "components")
  return {
    ...document,
    paths: mapMembers(objectAt(document, "paths"), (methods) =>
      isObject(methods) ? mapMembers(methods, (each) => describedOperation(described(each, []))) : methods
    ),
    webhooks: described(objectAt(document, "webhooks"), []),
    components: { ...components, schemas: describedSchemas(objectAt(components, "schemas")) }
  }
}

const steps: ReadonlyArray<(document: JsonObject) => JsonObject> = [
  tidyDocument,
  withContact,
  withWebhooks,
  withCallStream,
  withOtherRoutes,
  withSharedErrors,
  withVoice,
  withDescriptions,
  withSharedParameters,
  (document) => withBodyExamples(document),
  withSharedResponses,
  withSharedSchemas,
  withPlainPatterns
]

/** The customer API with the texts of its OpenAPI document. Clients import `Api` instead, which is smaller. */
export const DocumentedApi = Api.annotateMerge(
  OpenApi.annotations({
    title: "trunkline",
    version: "2026-10-01",
    description,
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    // Relative to the URL of the document.
    servers: [{ url: "/" }],
    transform: (document) => steps.reduce((made, step) => step(made), document as JsonObject) as Record<string, unknown>
  })
)
