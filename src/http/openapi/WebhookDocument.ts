// The `webhooks` section of the OpenAPI document: one entry per kind of event that is POSTed to subscriptions.
import { Schema } from "effect"
import { eventTable } from "../../domain/events/EventTable.ts"
import { apiVersion } from "../../domain/webhooks/SubscriptionRecord.ts"
import { WorkspaceId } from "../../domain/BrandedIds.ts"
import { type Json, jsonOf, type JsonObject, listAt, objectAt } from "./Json.ts"
import { openApiSchema } from "./OpenApiSchema.ts"
import { withSharedPayloads } from "./SharedPayloads.ts"

type EventRow = (typeof eventTable)[number]

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

/** A whole event for examples, as it is delivered. */
export const eventExampleOf = ({ example, kind }: EventRow): JsonObject => ({
  id: "01981d5e-6d5e-7b43-9a51-0f4d3a4f2f7b",
  event_kind: kind,
  api_version: apiVersion,
  workspace_id: "01981d5e-0000-7000-8000-000000000001",
  livemode: true,
  occurred_at: "2026-10-01T12:00:00.000Z",
  sequence: 1,
  payload: jsonOf(example)
})

const header = (description: string) => ({ description, required: true, schema: { type: "string" } })

/** Every webhook has these headers, so the document describes them once. */
const headers: JsonObject = Object.fromEntries(
  Object.entries({
    "X-Service-Event": "The kind of the event.",
    "X-Service-Idempotency-Key": "The id of the delivery, the same on every attempt.",
    "X-Service-Signature":
      "`t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 of the body, a dot and `t`, under the subscription's secret."
  }).map(([name, description]) => [name, { name, in: "header", ...header(description) }])
)
const parameters = Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` }))

const responses: JsonObject = {
  Delivered: { description: "The delivery succeeded. Any other response is retried." }
}

/** The answer of a receiver. */
export const delivered: JsonObject = { "2XX": { $ref: "#/components/responses/Delivered" } }

const operationOf = (row: EventRow, schema: JsonObject): JsonObject => ({
  post: {
    tags: ["webhooks"],
    summary: row.kind,
    operationId: `event.${row.kind}`,
    parameters,
    requestBody: { required: true, content: { "application/json": { schema, example: eventExampleOf(row) } } },
    responses: delivered
  }
})

/** The schemas of all events, named `Event.<kind>`, and those that they refer to. */
export const eventSchemas = (): JsonObject => {
  const schemas: Record<string, Json> = {}
  const events: Record<string, Json> = {}
  for (const row of eventTable) {
    const { definitions, schema } = openApiSchema(envelopeOf(row))
    Object.assign(schemas, definitions)
    events[`Event.${row.kind}`] = schema
  }
  return { ...schemas, ...withSharedPayloads(events) }
}

/** Adds the section to the document. Used in `OpenApi.annotations({ transform })`. */
export const withWebhooks = (document: JsonObject): JsonObject => {
  const webhooks = Object.fromEntries(
    eventTable.map((row) => [row.kind, operationOf(row, { $ref: `#/components/schemas/Event.${row.kind}` })])
  )
  const components = objectAt(document, "components")
  return {
    ...document,
    tags: [...listAt(document, "tags"), { name: "webhooks", description: "The events that subscriptions receive." }],
    webhooks,
    components: {
      ...components,
      parameters: { ...objectAt(components, "parameters"), ...headers },
      responses: { ...objectAt(components, "responses"), ...responses },
      schemas: { ...eventSchemas(), ...objectAt(components, "schemas") }
    }
  }
}
