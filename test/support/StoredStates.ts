// Tests of the stored states of a kind of actor, against states that engines of every version have stored.
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Schema, SchemaAST } from "effect"
import type { Stored } from "../../src/domain/journal/Rows.ts"
import { type Restore, type StoredState, Unreadable } from "../../src/domain/state/StoredState.ts"

interface Fixture {
  /** What the actor has been through. */
  readonly name: string
  /** The version of the state. Version 0 has no `v`. */
  readonly version: number
  readonly id: string
  /** As it is in the database. */
  readonly state: string
}

/** The states of a kind of actor that engines have stored, oldest first. */
export const storedFixtures = (kind: string): ReadonlyArray<Fixture> =>
  JSON.parse(readFileSync(new URL(`../fixtures/states/${kind}.json`, import.meta.url), "utf8"))

/** The state of an actor that has been through what `name` says. */
export const storedFixture = (kind: string, name: string): Fixture => {
  const found = storedFixtures(kind).find((fixture) => fixture.name === name)
  if (found === undefined) throw new Error(`test/fixtures/states/${kind}.json has no ${name}`)
  return found
}

interface Tested<S extends object, State> {
  readonly state: StoredState<S>
  readonly restore: Restore<State>
  readonly stateOf: (state: State) => string
  /** The actor's state for the members that are in the database. `stored` is the parsed JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- members of earlier versions have no type
  readonly expected: (stored: any, id: string) => unknown
  /** A text of a stored state, what damage makes of it, and where the schema finds it. */
  readonly damages: ReadonlyArray<readonly [name: string, valid: string, damaged: string, place: string]>
  /** False: values of the schema cannot be generated. */
  readonly generates?: false
  /** False: some members are in no fixture yet. */
  readonly isComplete?: false
}

const rowOf = (state: string): Stored => ({ version: 3, workspace_id: null, state, alarm: null, holds: [] })

/** Throws anything but `Unreadable` on. */
const refusalOf = (read: () => unknown): string | undefined => {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof Unreadable) return error.message
    throw error
  }
}

/** The places of all members of a schema. Members of records and of arrays are at `*`. */
const membersOf = (ast: SchemaAST.AST, place = ""): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap((type) => membersOf(type, place))
  if (SchemaAST.isArrays(ast)) return [...ast.elements, ...ast.rest].flatMap((type) => membersOf(type, `${place}/*`))
  if (!SchemaAST.isObjects(ast)) return []
  return [
    ...ast.indexSignatures.flatMap(({ type }) => membersOf(type, `${place}/*`)),
    ...ast.propertySignatures.flatMap(({ name, type }) => {
      const member = `${place}/${String(name)}`
      return [member, ...membersOf(type, member)]
    })
  ]
}

/** The places of the members of a value, where each may also be the member of a record. */
const placesOf = (value: unknown, place = ""): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) => [
        `${place}/${name}`,
        ...placesOf(member, `${place}/*`),
        ...placesOf(member, `${place}/${name}`)
      ])

/** Declares the tests. `kind` is the name of the file in test/fixtures/states. */
export const testStoredStates = <S extends object, State>(
  kind: string,
  { damages, expected, generates, isComplete, restore, state, stateOf }: Tested<S, State>
): unknown =>
  describe(`the stored state of ${kind}`, () => {
    const all = storedFixtures(kind)
    const newest = all.at(-1)!

    it.each(all)("is restored where the actor $name (version $version)", ({ id, state: text }) => {
      assert.deepStrictEqual(restore(rowOf(text), id), expected(JSON.parse(text), id))
    })

    it.each(all)("is the same when it is written and restored again: the actor $name", ({ id, state: text }) => {
      const restored = restore(rowOf(text), id)
      const written = stateOf(restored)
      assert.isTrue(written.startsWith(`{"v":${state.version},`), written)
      assert.deepStrictEqual(restore(rowOf(written), id), restored)
    })

    it.each(all)("is the same for reads of many rows: the actor $name", ({ state: text }) => {
      const checked = state.read(text)
      assert.deepStrictEqual(state.view(text), checked)
      assert.deepStrictEqual(state.view(JSON.parse(text) as object), checked)
    })

    if (isComplete !== false)
      it("has a fixture with each of its members", () => {
        const held = new Set(all.flatMap(({ state: text }) => placesOf(state.read(text))))
        const members = membersOf(Schema.toEncoded(state.schema).ast)
        assert.deepStrictEqual(
          [...new Set(members)].filter((member) => !held.has(member)),
          []
        )
      })

    if (generates !== false)
      it.prop("has no value that changes when it is written and read", [state.schema], ([value]) => {
        // JSON has no negative zero.
        const json: unknown = JSON.parse(JSON.stringify(value))
        assert.deepStrictEqual<unknown>(state.read(state.write(value)), json)
      })

    it("is refused where a newer engine wrote it", () => {
      const newer = JSON.stringify({ ...(JSON.parse(newest.state) as object), v: state.version + 1 })
      for (const read of [() => restore(rowOf(newer), newest.id), () => state.view(newer)])
        assert.include(refusalOf(read), `has version ${state.version + 1}; this engine reads 0 to ${state.version}.`)
    })

    it.each(damages)("is refused with %s", (_name, valid, damaged, place) => {
      const whole = all.find((fixture) => fixture.state.includes(valid))
      assert.isDefined(whole, `No state in the fixtures has ${valid}`)
      const text = whole!.state.replace(valid, damaged)
      assert.strictEqual(
        refusalOf(() => restore(rowOf(text), whole!.id)),
        `The stored state does not match its schema at ${place}.`
      )
    })
  })
