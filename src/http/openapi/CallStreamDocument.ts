// What the live stream of a call sends, as a union by `kind`: each event has the members of its webhook, and its place
// in the log of the call.
import { callKinds } from "../../domain/events/EventTable.ts"
import { isObject, type Json, type JsonObject, objectAt } from "./Json.ts"

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** Kinds that no webhook has. */
const streamOnly = ["call.progress", "call.bridged", "call.answer_ignored"]

const place: JsonObject = {
  type: "object",
  description: "The place of an event in the log of its call.",
  required: ["call_id", "sequence", "occurred_at", "late"],
  properties: {
    call_id: { type: "string", description: "The id of the call." },
    sequence: { type: "integer", description: "The position among the events of the call, from 1." },
    occurred_at: { type: "string", format: "date-time", description: "When it happened." },
    late: { type: "boolean", description: "Whether it arrived after the end of the call and changed nothing." }
  }
}

const otherEvent: JsonObject = {
  allOf: [
    reference("Payload.call"),
    reference("CallStreamPlace"),
    {
      type: "object",
      required: ["kind"],
      properties: { kind: { enum: streamOnly, description: "What happened." } }
    }
  ]
}

const event: JsonObject = {
  description: "`kind` decides the members. Newer engines send further kinds: ignore those that you do not know.",
  anyOf: [
    ...callKinds.map((kind): Json => ({ allOf: [reference(`Payload.${kind}`), reference("CallStreamPlace")] })),
    otherEvent,
    reference("TranscriptTurn"),
    reference("TranscriptDelta")
  ]
}

const path = "/v1/calls/{id}/stream"

/** Replaces the schema of the stream, which the contract states without the kinds. */
export const withCallStream = (document: JsonObject): JsonObject => {
  const components = objectAt(document, "components")
  const replaced = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(replaced)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === "contentSchema" ? reference("StreamedCallEvent") : replaced(member)
      ])
    )
  }
  const paths = objectAt(document, "paths")
  return {
    ...document,
    paths: { ...paths, [path]: replaced(paths[path] ?? {}) },
    components: {
      ...components,
      schemas: { ...objectAt(components, "schemas"), CallStreamPlace: place, StreamedCallEvent: event }
    }
  }
}
