// What of a new version of the API breaks a client of the old one. Clients ignore members, values, events and codes
// that they do not know (docs/api.md), so that whatever is new breaks nobody.
import type { ApiDigest, Operation, Shape } from "./ApiDigest.ts"

/** For example "GET /v1/calls: query status no longer takes busy". */
export interface Breaking {
  /** The method and path of an operation, or the kind of an event. */
  readonly where: string
  readonly what: string
}

const missing = (before: ReadonlyArray<string> = [], after: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  before.filter((each) => !after.includes(each))

const isNarrower = (before: Shape, after: Shape): boolean =>
  (after.most !== undefined && (before.most === undefined || after.most < before.most)) ||
  (after.least !== undefined && (before.least === undefined || after.least > before.least))

/** An integer is a number. */
const typesOf = ({ types }: Shape): ReadonlyArray<string> | undefined =>
  types?.includes("number") === true ? [...types, "integer"] : types

const inner = (
  before: Shape,
  after: Shape,
  at: string,
  compare: (before: Shape, after: Shape, at: string) => ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...Object.entries(before.members ?? {}).flatMap(([name, member]) => {
    const other = after.members?.[name]
    return other === undefined ? [`${at}/${name} is gone`] : compare(member, other, `${at}/${name}`)
  }),
  ...(before.items === undefined || after.items === undefined ? [] : compare(before.items, after.items, `${at}/[]`))
]

/** What a client may no longer send. */
const narrowed = (before: Shape, after: Shape, at: string): ReadonlyArray<string> => [
  ...(after.types === undefined ? [] : missing(typesOf(before) ?? [], typesOf(after))).map(
    (type) => `${at} no longer takes ${type}`
  ),
  ...(before.types === undefined && after.types !== undefined ? [`${at} takes ${after.types.join(" or ")} only`] : []),
  ...(after.values === undefined ? [] : missing(before.values, after.values)).map(
    (value) => `${at} no longer takes ${value}`
  ),
  ...(before.values === undefined && after.values !== undefined ? [`${at} takes ${after.values.join(", ")} only`] : []),
  ...(isNarrower(before, after) ? [`${at} has a narrower limit`] : []),
  ...missing(after.required, before.required).map((name) => `${at}/${name} is required`),
  ...inner(before, after, at, narrowed)
]

/** What a client may no longer rely on when it reads. */
const weakened = (before: Shape, after: Shape, at: string): ReadonlyArray<string> => [
  ...(before.types === undefined ? [] : missing(typesOf(after) ?? ["anything"], typesOf(before))).map(
    (type) => `${at} may be ${type}`
  ),
  ...missing(before.required, after.required)
    .filter((name) => after.members?.[name] !== undefined)
    .map((name) => `${at}/${name} may be absent`),
  ...inner(before, after, at, weakened)
]

const parametersOf = (before: Operation, after: Operation): ReadonlyArray<string> => [
  ...Object.entries(before.parameters).flatMap(([name, parameter]) => {
    const other = after.parameters[name]
    if (other === undefined) return [`${name} is gone`]
    return [...(other.needed && !parameter.needed ? [`${name} is required`] : []), ...narrowed(parameter, other, name)]
  }),
  ...Object.entries(after.parameters)
    .filter(([name, { needed }]) => needed && before.parameters[name] === undefined)
    .map(([name]) => `${name} is required`)
]

const operationChanges = (before: Operation, after: Operation): ReadonlyArray<string> => [
  ...(before.name === after.name ? [] : [`the client calls it ${after.name}, no longer ${before.name}`]),
  ...parametersOf(before, after),
  ...(after.needsBody && !before.needsBody ? ["a body is required"] : []),
  ...Object.entries(before.bodies).flatMap(([type, body]) => {
    const other = after.bodies[type]
    return other === undefined ? [`no longer takes ${type}`] : narrowed(body, other, "body")
  }),
  ...Object.entries(before.answers).flatMap(([status, answer]) => {
    const other = after.answers[status]
    return other === undefined ? [`no longer answers ${status}`] : weakened(answer, other, `answer ${status}`)
  })
]

const codesOf = ({ operations }: ApiDigest): ReadonlyMap<string, string> =>
  new Map(Object.entries(operations).flatMap(([where, { codes }]) => codes.map((code) => [code, where] as const)))

/** All that breaks. A code breaks something if no operation has it any more: it has then been renamed. */
export const breakingChanges = (before: ApiDigest, after: ApiDigest): ReadonlyArray<Breaking> => {
  const codes = codesOf(after)
  return [
    ...Object.entries(before.operations).flatMap(([where, operation]) => {
      const other = after.operations[where]
      const changes = other === undefined ? ["is gone"] : operationChanges(operation, other)
      return changes.map((what) => ({ where, what }))
    }),
    ...Object.entries(before.events).flatMap(([where, event]) => {
      const other = after.events[where]
      return (other === undefined ? ["is gone"] : weakened(event, other, "body")).map((what) => ({ where, what }))
    }),
    ...[...codesOf(before)]
      .filter(([code]) => !codes.has(code))
      .map(([code, where]) => ({ where, what: `the code ${code} is gone` }))
  ]
}
