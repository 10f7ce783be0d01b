// Adds a description to every member of every schema of a document that has none.
import { isObject, type Json, type JsonObject, mapMembers } from "./Json.ts"
import { textOf } from "./MemberTable.ts"

type Owners = ReadonlyArray<string>

const describedMember = (member: Json, name: string, owners: Owners): Json => {
  const within = described(member, [name, ...owners])
  if (!isObject(within) || "description" in within) return within
  const description = textOf(owners, name)
  return description === undefined ? within : { ...within, description }
}

/** A schema, with a description at each of its members. `owners`: the names around it, the innermost first. */
export const described = (schema: Json, owners: Owners): Json => {
  if (Array.isArray(schema)) return schema.map((each: Json) => described(each, owners))
  if (!isObject(schema)) return schema
  return mapMembers(schema, (member, name) =>
    name === "properties" && isObject(member)
      ? mapMembers(member, (property, of) => describedMember(property, of, owners))
      : name === "example" || name === "examples" || name === "enum" || name === "const"
        ? member
        : described(member, owners)
  )
}

/** Schemas of parameters that arrive as text and are read as something else. */
const parameterSchemas: Readonly<Record<string, JsonObject>> = {
  limit: { type: "integer", minimum: 1, default: 50 },
  created_after: { type: "string", format: "date-time" },
  created_before: { type: "string", format: "date-time" }
}

/** Parameters of an operation: each has a description. */
export const describedParameters = (parameters: ReadonlyArray<Json>): ReadonlyArray<Json> =>
  parameters.map((parameter) => {
    if (!isObject(parameter)) return parameter
    const { description: inner, ...schema } = isObject(parameter["schema"]) ? parameter["schema"] : {}
    const name = typeof parameter["name"] === "string" ? parameter["name"] : ""
    const description = parameter["description"] ?? inner ?? parameterTexts[name]
    const shown = { ...parameter, schema: parameterSchemas[name] ?? schema }
    return description === undefined ? shown : { ...shown, description }
  })

/** Parameters that their schemas do not describe. A member of the same name means something else. */
const parameterTexts: Readonly<Record<string, string>> = {
  id: "The id.",
  status: "Only rows with this status.",
  kind: "Only rows of this kind.",
  direction: "Only rows in this direction.",
  number_id: "Only rows of this number.",
  call_id: "Only rows of this call.",
  client_reference: "Only calls with this reference of yours.",
  created_after: "Only rows that were created at this time or later (RFC 3339).",
  created_before: "Only rows that were created before this time (RFC 3339).",
  from: "From when on (RFC 3339).",
  to: "Until when, exclusive (RFC 3339).",
  currency: "Only rows in this currency.",
  country: "Only rows of this country (ISO 3166-1 alpha-2).",
  type: "Only rows of this type.",
  delivery_id: "The id of the delivery.",
  credential_id: "The id of the credential.",
  user_id: "The id of the person.",
  workspace_id: "The id of the workspace.",
  receipt: "The provider's receipt.",
  token: "The token in the link.",
  name: "Only conferences of this name.",
  source: "Only numbers of this source.",
  prefix: "Only rates of this prefix.",
  series_id: "Only prices of this series.",
  provider_id: "Only series of this provider.",
  action_kind: "Only entries of this kind.",
  event_kind: "Only deliveries of this kind of event.",
  capability: "Only numbers with this capability.",
  actor_id: "Only entries of this person or key.",
  target_id: "Only entries about this object.",
  "if-range": "Sends the range only if the audio still has this `ETag` (RFC 9110, section 13.1.5)."
}

/** Every schema of a section of named schemas. */
export const describedSchemas = (schemas: JsonObject): JsonObject =>
  mapMembers(schemas, (schema, name) => described(schema, [name]))
