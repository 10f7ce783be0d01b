// Voice actions and the questions to voice callbacks in the document: where a document of actions is taken, and as
// `callbacks` of the request that names the URL.
import { VoiceActions, maxActions } from "../../domain/calls/verbs/VoiceAction.ts"
import { VoiceQuestion } from "../../domain/calls/views/VoiceQuestion.ts"
import { eventKinds, eventTable } from "../../domain/events/EventTable.ts"
import { isObject, type Json, type JsonObject, mapMembers, objectAt } from "./Json.ts"
import { openApiSchema } from "./OpenApiSchema.ts"
import { delivered, eventExampleOf } from "./WebhookDocument.ts"

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** The schema of one action, and of a document of actions. */
const actionSchemas = (): JsonObject => {
  const { definitions, schema } = openApiSchema(VoiceActions, { onExcessProperty: "error" })
  const list = objectAt(objectAt(schema, "properties"), "actions")
  const VoiceAction: JsonObject = {
    description: "One action: an object with one key, which names the action.",
    ...(isObject(list["items"]) ? list["items"] : {})
  }
  return {
    ...definitions,
    VoiceAction,
    VoiceActions: {
      description: "The answer of a voice callback.",
      type: "object",
      required: ["actions"],
      additionalProperties: false,
      properties: {
        actions: {
          type: "array",
          maxItems: maxActions,
          items: reference("VoiceAction"),
          description: "The actions, in order. After the last one the call is hung up."
        }
      }
    }
  }
}

const questionSchemas = (): JsonObject => {
  const { definitions, schema } = openApiSchema(VoiceQuestion)
  return { VoiceQuestion: schema, ...definitions }
}

const json = (schema: Json) => ({ "application/json": { schema } })

const signatureHeaders: ReadonlyArray<readonly [string, string]> = [
  [
    "X-Service-Signature",
    "`t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 of the body, a dot and `t`, under the workspace's voice secret."
  ],
  ["X-Service-Call-Id", "The id of the call."],
  ["X-Service-Idempotency-Key", "The same when the same question is asked again."]
]

const headers = signatureHeaders.map(([name, description]) => ({
  name,
  in: "header",
  description,
  required: true,
  schema: { type: "string" }
}))

const callbackOperation: JsonObject = {
  post: {
    operationId: "voiceCallback",
    summary: "Ask for voice actions",
    description:
      "Answer within 10 seconds with a document of actions. After a 5xx, or if the URL cannot be reached, " +
      "`voice_fallback_url` is asked. Other answers end the call with `callback_failed`.",
    parameters: headers,
    requestBody: { required: true, content: json(reference("VoiceQuestion")) },
    responses: {
      "2XX": { description: "The voice actions.", content: json(reference("VoiceActions")) },
      "4XX": { description: "The call ends with `callback_failed`." }
    }
  }
}

const eventsOperation: JsonObject = {
  post: {
    operationId: "callEvents",
    summary: "An event of the call",
    description: "Sent like a webhook and signed with the workspace's voice secret.",
    parameters: headers.filter(({ name }) => name !== "X-Service-Call-Id"),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            anyOf: eventKinds.filter((kind) => kind.startsWith("call.")).map((kind) => reference(`Event.${kind}`))
          },
          example: eventExampleOf(eventTable[0])
        }
      }
    },
    responses: { ...delivered, "4XX": { description: "The event is sent again." } }
  }
}

const takesActions = new Set(["OriginateRequest", "UpdateCallRequest", "SimulationRequest"])

const withActionItems = (schema: Json): Json => {
  const properties = objectAt(schema, "properties")
  if (!isObject(schema) || !isObject(properties["actions"])) return schema
  const actions = { ...properties["actions"], items: reference("VoiceAction") }
  return { ...schema, properties: { ...properties, actions } }
}

/** What tells a call what to do: one of both. */
const sources: ReadonlyArray<Json> = [{ required: ["voice_callback_url"] }, { required: ["actions"] }]

const withOneSource = (schema: Json): Json => (isObject(schema) ? { ...schema, oneOf: sources } : schema)

/** The schemas of a request, by name, with what is said of their actions. */
const changed = (schema: Json, name: string): Json => {
  const shown = takesActions.has(name) ? withActionItems(schema) : schema
  return name === "OriginateRequest" ? withOneSource(shown) : shown
}

/** Adds them to a document that has the schemas of events. */
export const withVoice = (document: JsonObject): JsonObject => {
  const components = objectAt(document, "components")
  const schemas = mapMembers(objectAt(components, "schemas"), changed)
  const callbacks = {
    voice: { "{$request.body#/voice_callback_url}": callbackOperation },
    events: { "{$request.body#/events_url}": eventsOperation }
  }
  const validated = { required: true, content: json({ description: "A document of actions, valid or not." }) }
  const paths = mapMembers(objectAt(document, "paths"), (methods) =>
    isObject(methods)
      ? mapMembers(methods, (operation) => {
          if (!isObject(operation)) return operation
          if (operation["operationId"] === "calls.originate") return { ...operation, callbacks }
          return operation["operationId"] === "voiceActions.validate"
            ? { ...operation, requestBody: validated }
            : operation
        })
      : methods
  )
  return {
    ...document,
    paths,
    components: { ...components, schemas: { ...schemas, ...actionSchemas(), ...questionSchemas() } }
  }
}
