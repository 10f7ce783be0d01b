// The `webhooks` section of the OpenAPI document: one entry per kind of event that is POSTed to subscriptions.
import { Schema } from "effect"
import { eventTable } from "../../domain/webhooks/EventTable.ts"
import { apiVersion } from "../../domain/webhooks/SubscriptionRecord.ts"
import { WorkspaceId } from "../../domain/BrandedIds.ts"

type Json = Record<string, unknown>
type EventRow = (typeof eventTable)[number]

/** JSON Schema keeps its definitions in `$defs`, OpenAPI in `components/schemas`. */
const withOpenApiReferences = (document: unknown): Json =>
  JSON.parse(JSON.stringify(document).replaceAll(`"$ref":"#/$defs/`, `"$ref":"#/components/schemas/`)) as Json

const envelopeOf = ({ kind, schema }: EventRow) =>
  Schema.Struct({
    id: Schema.String.annotate({
      description: "Id of the event. It is the same for all subscriptions and in a replay.",
      format: "uuid"
    }),
    event_kind: Schema.Literal(kind),
    api_version: Schema.Literal(apiVersion),
    workspace_id: WorkspaceId,
    livemode: Schema.Boolean.annotate({ description: "`false` for an event of the sandbox." }),
    occurred_at: Schema.String.annotate({ format: "date-time" }),
    sequence: Schema.Int.annotate({ description: "The position of the event among those of its subject, from 1." }),
    payload: schema
  })

const jsonSchemaOf = (row: EventRow): { readonly schema: Json; readonly definitions: Json } => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(envelopeOf(row))
  return { schema: withOpenApiReferences(schema), definitions: withOpenApiReferences(definitions) }
}

const exampleOf = ({ example, kind }: EventRow): Json => ({
  id: "01981d5e-6d5e-7b43-9a51-0f4d3a4f2f7b",
  event_kind: kind,
  api_version: apiVersion,
  workspace_id: "01981d5e-0000-7000-8000-000000000001",
  livemode: true,
  occurred_at: "2026-10-01T12:00:00.000Z",
  sequence: 1,
  payload: example
})

const header = (description: string) => ({ description, required: true, schema: { type: "string" } })

const parameters = Object.entries({
  "X-Service-Event": "The kind of the event.",
  "X-Service-Idempotency-Key": "The id of the delivery, the same on every attempt.",
  "X-Service-Signature":
    "`t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 of the body, a dot and `t`, under the subscription's secret."
}).map(([name, description]) => ({ name, in: "header", ...header(description) }))

const operationOf = (row: EventRow, schema: Json): Json => ({
  post: {
    tags: ["webhooks"],
    summary: row.kind,
    operationId: `event.${row.kind}`,
    parameters,
    requestBody: { required: true, content: { "application/json": { schema, example: exampleOf(row) } } },
    responses: { "2XX": { description: "The delivery succeeded. Any other response is retried." } }
  }
})

/** Adds the section to the document. Used in `OpenApi.annotations({ transform })`. */
export const withWebhooks = (document: Json): Json => {
  const schemas: Json = {}
  const webhooks: Json = {}
  for (const row of eventTable) {
    const { definitions, schema } = jsonSchemaOf(row)
    Object.assign(schemas, definitions)
    webhooks[row.kind] = operationOf(row, schema)
  }
  const components = document["components"] as Json
  return {
    ...document,
    webhooks,
    components: { ...components, schemas: { ...schemas, ...(components["schemas"] as Json) } }
  }
}
