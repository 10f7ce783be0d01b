// The `webhooks` section of the OpenAPI document: what is POSTed to subscriptions, kind by kind.
import { Schema } from "effect"
import { eventExamples } from "../../domain/webhooks/EventExamples.ts"
import { type EventKind, eventKinds } from "../../domain/webhooks/EventKinds.ts"
import { eventPayloads } from "../../domain/webhooks/EventPayloads.ts"
import { apiVersion } from "../../domain/webhooks/SubscriptionRecord.ts"

type Json = Record<string, unknown>

/** JSON Schema names its definitions otherwise than OpenAPI does. */
const placed = (document: unknown): Json =>
  JSON.parse(JSON.stringify(document).replaceAll(`"$ref":"#/$defs/`, `"$ref":"#/components/schemas/`)) as Json

const envelopeOf = (kind: EventKind) =>
  Schema.Struct({
    id: Schema.String.annotate({
      description: "Of the event: the same for all subscriptions, and in a replay.",
      format: "uuid"
    }),
    event_kind: Schema.Literal(kind),
    api_version: Schema.Literal(apiVersion),
    workspace_id: Schema.String,
    occurred_at: Schema.String.annotate({ format: "date-time" }),
    sequence: Schema.Int.annotate({ description: "Counts the events of one subject from 1." }),
    payload: eventPayloads[kind]
  })

export const eventSchema = (kind: EventKind): { readonly schema: Json; readonly definitions: Json } => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(envelopeOf(kind))
  return { schema: placed(schema), definitions: placed(definitions) }
}

export const eventExample = (kind: EventKind): Json => ({
  id: "01981d5e-6d5e-7b43-9a51-0f4d3a4f2f7b",
  event_kind: kind,
  api_version: apiVersion,
  workspace_id: "01981d5e-0000-7000-8000-000000000001",
  occurred_at: "2026-10-01T12:00:00.000Z",
  sequence: 1,
  payload: eventExamples[kind]
})

const header = (description: string) => ({ description, required: true, schema: { type: "string" } })

const parameters = Object.entries({
  "X-Service-Event": "The kind of the event.",
  "X-Service-Idempotency-Key": "The id of the delivery, the same on every attempt.",
  "X-Service-Signature":
    "`t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 of the body, a dot and `t`, under the subscription's secret."
}).map(([name, description]) => ({ name, in: "header", ...header(description) }))

const operationOf = (kind: EventKind, schema: Json): Json => ({
  post: {
    tags: ["webhooks"],
    summary: kind,
    operationId: `event.${kind}`,
    parameters,
    requestBody: { required: true, content: { "application/json": { schema, example: eventExample(kind) } } },
    responses: { "2XX": { description: "Taken. Anything else is tried again." } }
  }
})

/** For `OpenApi.annotations({ transform })`. */
export const withWebhooks = (document: Json): Json => {
  const schemas: Json = {}
  const webhooks: Json = {}
  for (const kind of eventKinds) {
    const { definitions, schema } = eventSchema(kind)
    Object.assign(schemas, definitions)
    webhooks[kind] = operationOf(kind, schema)
  }
  const components = document["components"] as Json
  return {
    ...document,
    webhooks,
    components: { ...components, schemas: { ...schemas, ...(components["schemas"] as Json) } }
  }
}
