// TypeScript types from the JSON Schemas of the OpenAPI document.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly items?: Schema
  readonly prefixItems?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: ReadonlyArray<string>
  readonly description?: string
}

/** Names that mean something else in TypeScript. */
const renamed: Readonly<Record<string, string>> = { Number: "PhoneNumber", Error: "ErrorBody" }

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The name of the type of a component: `Event.call.no_answer` is `EventCallNoAnswer`. */
export const typeName = (component: string): string =>
  renamed[component] ??
  component
    .split(/\W/)
    .map((part) => part.split("_").map(capitalised).join(""))
    .join("")

export const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

/** The first paragraph of a description, as a comment. */
export const commentOf = (description: string | undefined, indent: string): string => {
  const [paragraph = ""] = (description ?? "").replaceAll("*/", "* /").split("\n\n")
  const text = paragraph.replaceAll("\n", " ")
  if (text === "") return ""
  if (indent.length + text.length <= 110) return `${indent}/** ${text} */\n`
  const lines = [""]
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? ""
    if (line !== "" && indent.length + line.length + word.length > 112) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`
}

const choice = (types: ReadonlyArray<string>): string => [...new Set(types)].join(" | ")

const inParentheses = (type: string): string => (/ [|&] /.test(type) ? `(${type})` : type)

const saysSomething = (schema: Schema): boolean =>
  ["$ref", "type", "properties", "anyOf", "oneOf", "enum", "const", "items"].some((name) => name in schema)

const objectType = ({ additionalProperties, properties = {}, required = [] }: Schema, indent: string): string => {
  const members = Object.entries(properties)
  const inner = `${indent}  `
  const rest =
    typeof additionalProperties === "object"
      ? `{ readonly [name: string]: ${typeOf(additionalProperties, inner)} }`
      : "{ readonly [name: string]: unknown }"
  if (members.length === 0) return rest
  const lines = members.map(
    ([name, schema]) =>
      `${commentOf(schema.description, inner)}${inner}readonly ${memberName(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema, inner)}`
  )
  return `{\n${lines.join("\n")}\n${indent}}`
}

/** The members of which a choice requires some each: `{ oneOf: [{ required: ["a"] }, { required: ["b"] }] }`. */
const requiredChoices = (schema: Schema): ReadonlyArray<ReadonlyArray<string>> => {
  const choices = schema.oneOf ?? []
  const names = choices.flatMap(({ required, ...others }) =>
    required === undefined || Object.keys(others).length > 0 ? [] : [required]
  )
  return schema.properties !== undefined && names.length === choices.length ? names : []
}

/** An object that has the members of one of the choices. */
const choiceType = (schema: Schema, choices: ReadonlyArray<ReadonlyArray<string>>, indent: string): string => {
  const { oneOf: _, ...own } = schema
  const { properties = {} } = schema
  const each = choices.map(
    (names) =>
      `{ ${names.map((name) => `readonly ${memberName(name)}: ${typeOf(properties[name] ?? {}, indent)}`).join("; ")} }`
  )
  return `${objectType(own, indent)} & (${each.join(" | ")})`
}

const allOfType = (schema: Schema, indent: string): string => {
  const { allOf = [], ...own } = schema
  const parts = [...(saysSomething(own) ? [own] : []), ...allOf.filter(saysSomething)]
  return parts.length === 0 ? "unknown" : parts.map((part) => inParentheses(typeOf(part, indent))).join(" & ")
}

const plainType = (schema: Schema, indent: string): string => {
  switch (schema.type) {
    case "string":
      return "string"
    case "integer":
    case "number":
      return "number"
    case "boolean":
      return "boolean"
    case "null":
      return "null"
    case "array":
      return schema.prefixItems === undefined
        ? `ReadonlyArray<${schema.items === undefined ? "unknown" : typeOf(schema.items, indent)}>`
        : `readonly [${schema.prefixItems.map((item) => typeOf(item, indent)).join(", ")}]`
    case "object":
      return objectType(schema, indent)
    default:
      return schema.properties === undefined ? "unknown" : objectType(schema, indent)
  }
}

export const typeOf = (schema: Schema, indent = ""): string => {
  if (schema.$ref !== undefined) return typeName(schema.$ref.split("/").at(-1) ?? "")
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return choice(schema.enum.map((value) => JSON.stringify(value)))
  if (schema.allOf !== undefined) return allOfType(schema, indent)
  const required = requiredChoices(schema)
  if (required.length > 0) return choiceType(schema, required, indent)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choice(choices.map((each) => typeOf(each, indent)))
  const { type } = schema
  return Array.isArray(type)
    ? choice(type.map((each: string) => typeOf({ ...schema, type: each }, indent)))
    : plainType(schema, indent)
}
