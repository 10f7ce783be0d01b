// Events of one family have most members of their payloads in common. They are stated once, in a schema of the family.
import { isObject, type Json, type JsonObject, listAt, objectAt } from "./Json.ts"

/** With fewer members in common, a schema of its own would say no more than it costs. */
const minimumShared = 5

type Payloads = ReadonlyArray<readonly [name: string, payload: JsonObject]>

const required = (payload: JsonObject): ReadonlyArray<Json> => listAt(payload, "required")

/** The members that all payloads have with the same schema. */
const sharedMembers = (payloads: Payloads): JsonObject => {
  const [first, ...others] = payloads.map(([, payload]) => payload)
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

const without = (payload: JsonObject, shared: JsonObject): JsonObject => ({
  ...payload,
  properties: Object.fromEntries(Object.entries(objectAt(payload, "properties")).filter(([name]) => !(name in shared))),
  required: required(payload).filter((name) => typeof name !== "string" || !(name in shared))
})

/** `call.ringing` is of the family `call`. */
const familyOf = (name: string): string => name.split(".", 2).join(".")

/** `events`: schemas of whole events by their names `Event.<family>.<what>`. */
export const withSharedPayloads = (events: JsonObject): JsonObject => {
  const payloads: Payloads = Object.entries(events).map(([name, event]) => [
    name,
    objectAt(objectAt(event, "properties"), "payload")
  ])
  const made: Record<string, Json> = { ...events }
  for (const [family, members] of Map.groupBy(payloads, ([name]) => familyOf(name))) {
    const shared = sharedMembers(members)
    if (members.length < 2 || Object.keys(shared).length < minimumShared) continue
    const schema = `${family.replace("Event.", "Payload.")}`
    const [first] = members
    made[schema] = {
      type: "object",
      description: `What the payloads of \`${family.replace("Event.", "")}.*\` have in common.`,
      properties: shared,
      required: required(first?.[1] ?? {}).filter((name) => typeof name === "string" && name in shared)
    }
    for (const [name, payload] of members) {
      const event = events[name]
      if (!isObject(event)) continue
      const own = { allOf: [{ $ref: `#/components/schemas/${schema}` }, without(payload, shared)] }
      made[name] = { ...event, properties: { ...objectAt(event, "properties"), payload: own } }
    }
  }
  return made
}
