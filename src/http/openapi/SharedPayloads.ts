// All events have the same envelope, and events of one family most members of their payloads. What is common is stated
// once: in `EventEnvelope`, and in a schema of the family.
import { isObject, type Json, type JsonObject, listAt, objectAt } from "./Json.ts"

/** With fewer members in common, a schema of its own would say no more than it costs. */
const minimumShared = 5

type Named = ReadonlyArray<readonly [name: string, schema: JsonObject]>

const required = (schema: JsonObject): ReadonlyArray<Json> => listAt(schema, "required")

/** The members that all these objects have with the same schema. */
const sharedMembers = (objects: Named): JsonObject => {
  const [first, ...others] = objects.map(([, schema]) => schema)
  return Object.fromEntries(
    Object.entries(objectAt(first, "properties")).filter(([name, member]) =>
      others.every(
        (other) =>
          JSON.stringify(objectAt(other, "properties")[name]) === JSON.stringify(member) &&
          required(other).includes(name) === required(first ?? {}).includes(name)
      )
    )
  )
}

const without = (schema: JsonObject, shared: JsonObject): JsonObject => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(objectAt(schema, "properties")).filter(([name]) => !(name in shared))),
  required: required(schema).filter((name) => typeof name !== "string" || !(name in shared))
})

/** The objects with what they share in a schema of its own, or `undefined` if that is too little. */
const sharing = (title: string, description: string, objects: Named) => {
  const properties = sharedMembers(objects)
  const [first] = objects
  if (objects.length < 2 || Object.keys(properties).length < minimumShared) return undefined
  const shared: JsonObject = {
    type: "object",
    description,
    properties,
    required: required(first?.[1] ?? {}).filter((name) => typeof name === "string" && name in properties)
  }
  const common = { $ref: `#/components/schemas/${title}` }
  return {
    shared,
    own: objects.map(([name, schema]) => [name, { allOf: [common, without(schema, properties)] }] as const)
  }
}

/** `call.ringing` is of the family `call`. */
const familyOf = (name: string): string => name.split(".", 2).join(".")

/** `events`: schemas of whole events by their names `Event.<family>.<what>`. */
export const withSharedPayloads = (events: JsonObject): JsonObject => {
  const whole: Named = Object.entries(events).flatMap(([name, event]) => (isObject(event) ? [[name, event]] : []))
  const families: Record<string, Json> = {}
  const made = new Map<string, JsonObject>(whole)
  for (const [family, members] of Map.groupBy(whole, ([name]) => familyOf(name))) {
    const kind = family.replace("Event.", "")
    const payloads = members.map(([name, event]) => [name, objectAt(objectAt(event, "properties"), "payload")] as const)
    const common = sharing(`Payload.${kind}`, `What the payloads of \`${kind}.*\` have in common.`, payloads)
    if (common === undefined) continue
    families[`Payload.${kind}`] = common.shared
    for (const [name, payload] of common.own) {
      const event = made.get(name)
      const title = name.replace("Event.", "Payload.")
      // The live stream of a call has the payloads of its events, too.
      const isNamed = family === "Event.call"
      if (isNamed) families[title] = payload
      const shown = isNamed ? { $ref: `#/components/schemas/${title}` } : payload
      made.set(name, { ...event, properties: { ...objectAt(event, "properties"), payload: shown } })
    }
  }
  const envelope = sharing("EventEnvelope", "What all events have in common.", [...made])
  if (envelope === undefined) return { ...Object.fromEntries(made), ...families }
  return { EventEnvelope: envelope.shared, ...Object.fromEntries(envelope.own), ...families }
}
