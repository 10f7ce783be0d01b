// What clients of the API rely on, in a form that is small and easy to compare: the members of each request and each
// answer, with their types, the codes of errors, and the events.

/** A schema with its alternatives merged: it has the members of all of them, and requires what all of them require. */
export interface Shape {
  readonly types?: ReadonlyArray<string>
  readonly values?: ReadonlyArray<string>
  readonly members?: Readonly<Record<string, Shape>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Shape
  /** Limits of numbers, texts and lists. */
  readonly least?: number
  readonly most?: number
}

export interface Operation {
  /** The name of the method of the client. */
  readonly name: string
  /** By place and name, for example "query limit". */
  readonly parameters: Readonly<Record<string, Shape & { readonly needed: boolean }>>
  /** By content type. */
  readonly bodies: Readonly<Record<string, Shape>>
  readonly needsBody: boolean
  /** Answers without an error, by status. */
  readonly answers: Readonly<Record<string, Shape>>
  readonly codes: ReadonlyArray<string>
}

export interface ApiDigest {
  /** By method and path. */
  readonly operations: Readonly<Record<string, Operation>>
  /** The bodies of webhooks, by kind. */
  readonly events: Readonly<Record<string, Shape>>
}

type Json = Readonly<Record<string, unknown>>
const at = (value: unknown, name: string): unknown => (value as Json | undefined)?.[name]
const listAt = (value: unknown, name: string): ReadonlyArray<unknown> =>
  (at(value, name) as ReadonlyArray<unknown> | undefined) ?? []
const objectAt = (value: unknown, name: string): Json => (at(value, name) as Json | undefined) ?? {}

const sorted = (texts: Iterable<string>): ReadonlyArray<string> => [...new Set(texts)].sort()

const keyed = <A>(value: Readonly<Record<string, A>>): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))

/** Without what says nothing. */
const tidy = (shape: Shape): Shape => {
  const { required, ...rest } = shape
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(required !== undefined && required.length > 0 && { required })
  }
}

const limit = (values: ReadonlyArray<number | undefined>, widest: (...all: Array<number>) => number) =>
  values.some((value) => value === undefined) ? undefined : widest(...(values as ReadonlyArray<number>))

const membersOf = (shapes: ReadonlyArray<Shape>, merge: (of: ReadonlyArray<Shape>) => Shape) => {
  const names = sorted(shapes.flatMap(({ members = {} }) => Object.keys(members)))
  if (names.length === 0) return undefined
  return Object.fromEntries(names.map((name) => [name, merge(shapes.flatMap(({ members }) => members?.[name] ?? []))]))
}

/** Whatever one of them allows. */
const either = (shapes: ReadonlyArray<Shape>): Shape => {
  const [first] = shapes
  if (first !== undefined && shapes.length === 1) return first
  const objects = shapes.filter(({ members }) => members !== undefined)
  const items = shapes.flatMap((shape) => shape.items ?? [])
  const texts = shapes.filter(({ types }) => types?.some((type) => type !== "null") ?? true)
  return tidy({
    types: shapes.some(({ types }) => types === undefined)
      ? undefined
      : sorted(shapes.flatMap(({ types = [] }) => types)),
    values: texts.some(({ values }) => values === undefined)
      ? undefined
      : sorted(texts.flatMap(({ values = [] }) => values)),
    members: membersOf(shapes, either),
    required: sorted(objects[0]?.required ?? []).filter((name) =>
      objects.every(({ required = [] }) => required.includes(name))
    ),
    items: items.length === 0 ? undefined : either(items),
    least: limit(
      texts.map(({ least }) => least),
      Math.min
    ),
    most: limit(
      texts.map(({ most }) => most),
      Math.max
    )
  } as Shape)
}

/** What all of them allow. */
const both = (shapes: ReadonlyArray<Shape>): Shape => {
  const said = <A>(pick: (shape: Shape) => A | undefined): ReadonlyArray<A> =>
    shapes.flatMap((shape) => pick(shape) ?? [])
  const common = (pick: (shape: Shape) => ReadonlyArray<string> | undefined) => {
    const lists = shapes.flatMap((shape) => (pick(shape) === undefined ? [] : [pick(shape) ?? []]))
    return lists.length === 0
      ? undefined
      : sorted(lists[0] ?? []).filter((each) => lists.every((list) => list.includes(each)))
  }
  const items = said(({ items }) => items)
  return tidy({
    types: common(({ types }) => types),
    values: common(({ values }) => values),
    members: membersOf(shapes, both),
    required: sorted(shapes.flatMap(({ required = [] }) => required)),
    items: items.length === 0 ? undefined : both(items),
    least: said(({ least }) => least).length === 0 ? undefined : Math.max(...said(({ least }) => least)),
    most: said(({ most }) => most).length === 0 ? undefined : Math.min(...said(({ most }) => most))
  } as Shape)
}

const numberIn = (schema: unknown, ...names: ReadonlyArray<string>): number | undefined =>
  names.map((name) => at(schema, name)).find((value) => typeof value === "number")

/** What one schema says itself, apart from its alternatives. */
const plain = (schema: unknown, inner: (schema: unknown) => Shape): Shape => {
  const type = at(schema, "type")
  const properties = objectAt(schema, "properties")
  const others = at(schema, "additionalProperties")
  const members = {
    ...Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, inner(value)])),
    ...(typeof others === "object" && others !== null && { "*": inner(others) })
  }
  const values = at(schema, "const") === undefined ? at(schema, "enum") : [at(schema, "const")]
  return tidy({
    types: type === undefined ? undefined : sorted((Array.isArray(type) ? type : [type]).map(String)),
    values:
      values === undefined
        ? undefined
        : sorted((values as ReadonlyArray<unknown>).filter((each) => each !== null).map(String)),
    members: Object.keys(members).length === 0 ? undefined : keyed(members),
    required: sorted(listAt(schema, "required") as ReadonlyArray<string>),
    items: at(schema, "items") === undefined ? undefined : inner(at(schema, "items")),
    least: numberIn(schema, "minimum", "minLength", "minItems"),
    most: numberIn(schema, "maximum", "maxLength", "maxItems")
  } as Shape)
}

const reader = (document: unknown) => {
  const target = (reference: string): unknown =>
    reference
      .slice(2)
      .split("/")
      .reduce((value: unknown, name) => at(value, name.replaceAll("~1", "/").replaceAll("~0", "~")), document)
  const resolve = (value: unknown): unknown => {
    const reference = at(value, "$ref")
    return typeof reference === "string" ? resolve(target(reference)) : value
  }
  /** A schema that contains itself ends where it would begin again. */
  const shape = (schema: unknown, within: ReadonlyArray<string> = []): Shape => {
    const reference = at(schema, "$ref")
    if (typeof reference === "string")
      return within.includes(reference) ? {} : shape(target(reference), [...within, reference])
    const inner = (value: unknown): Shape => shape(value, within)
    const own = plain(schema, inner)
    const alternatives = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")].map(inner)
    const parts = listAt(schema, "allOf").map(inner)
    return both([own, ...parts, ...(alternatives.length === 0 ? [] : [either(alternatives)])])
  }
  return { resolve, shape }
}

const successful = /^[123]/

export const digestOf = (document: unknown): ApiDigest => {
  const { resolve, shape } = reader(document)
  const contents = (value: unknown) =>
    Object.entries(objectAt(value, "content")).map(([type, content]) => [type, shape(at(content, "schema"))] as const)
  const operation = (described: unknown): Operation => {
    const body = resolve(at(described, "requestBody"))
    const responses = Object.entries(objectAt(described, "responses")).map(
      ([status, value]) => [status, resolve(value)] as const
    )
    const parameters = listAt(described, "parameters").map((value) => resolve(value))
    const failures = responses.filter(([status]) => !successful.test(status)).flatMap(([, value]) => contents(value))
    return {
      name: String(at(described, "operationId")),
      parameters: keyed(
        Object.fromEntries(
          parameters.map((each) => [
            `${String(at(each, "in"))} ${String(at(each, "name"))}`,
            { ...shape(at(each, "schema")), needed: at(each, "required") === true }
          ])
        )
      ),
      bodies: keyed(Object.fromEntries(contents(body))),
      needsBody: at(body, "required") === true,
      answers: keyed(
        Object.fromEntries(
          responses
            .filter(([status]) => successful.test(status))
            .map(([status, value]) => [status, either(contents(value).map(([, each]) => each))])
        )
      ),
      codes: sorted(failures.flatMap(([, { members }]) => members?.["error"]?.members?.["code"]?.values ?? []))
    }
  }
  const methods = ["get", "post", "put", "patch", "delete"]
  return {
    operations: keyed(
      Object.fromEntries(
        Object.entries(objectAt(document, "paths")).flatMap(([path, item]) =>
          Object.entries(item as Json)
            .filter(([method]) => methods.includes(method))
            .map(([method, described]) => [`${method.toUpperCase()} ${path}`, operation(described)])
        )
      )
    ),
    events: keyed(
      Object.fromEntries(
        Object.entries(objectAt(document, "webhooks")).map(([kind, item]) => [
          kind,
          either(contents(resolve(at(at(item, "post"), "requestBody"))).map(([, each]) => each))
        ])
      )
    )
  }
}
