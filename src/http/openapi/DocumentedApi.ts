import { OpenApi } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { tidyDocument } from "./TidyDocument.ts"
import { withWebhooks } from "./WebhookDocument.ts"

const description = `A prepaid voice-calling platform: JSON over HTTPS, under \`/v1\`.

- Amounts are integers in minor units: 100 make 1.00 of the currency. Times are RFC 3339, UTC. Numbers are E.164.
- Every response carries \`X-Request-Id\`; send a UUID of your own in that header and it is kept.
- Every POST takes an \`Idempotency-Key\`: the same request again gets the same answer for 24 hours.
- A key may read 20 times a second, 100 at once, and write 10 times, 50 at once: see \`RateLimit-Remaining\`.
- Lists are bare arrays; \`X-Next-Cursor\` leads to the next page.
- Errors have one body; decide by its \`code\`. Members of a request that are unknown are ignored and listed in
  \`X-Service-Warnings\`.`

/** The customer API with all that its OpenAPI document says beside the endpoints. A client does not need it. */
export const DocumentedApi = Api.annotateMerge(
  OpenApi.annotations({
    title: "trunkline",
    version: "2026-10-01",
    description,
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    // Relative to the URL of the document.
    servers: [{ url: "/" }],
    transform: (document) => tidyDocument(withWebhooks(document))
  })
)
