// Every kind of actor must load what the versions before stored, so each is restored through a `storedState` and has a
// fixture of each version that an engine has stored before this one.
import { globSync, readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { AnyDefinition } from "../../src/actors/runtime/Definition.ts"

const actors = new URL("../../src/actors/", import.meta.url)
const fixtures = new URL("../fixtures/states/", import.meta.url)

/** Kinds whose type in the database is older than their name. */
const renamed: Readonly<Record<string, string>> = { PayIn: "IncomingPayment", PayerPhone: "PayerPhoneLock" }
const fileOf = (type: string): string => `${renamed[type] ?? type}.json`

interface Fixture {
  readonly version: number
  readonly id: string
  readonly state: string
}

const isDefinition = (value: unknown): value is AnyDefinition =>
  typeof value === "object" &&
  value !== null &&
  ["type", "restore", "decide", "evolve", "plan", "record", "commands"].every((member) => member in value)

const modules = await Promise.all(
  globSync("**/*.ts", { cwd: actors }).map((path): Promise<object> => import(new URL(path, actors).href))
)
const definitions = new Map(
  modules.flatMap((module) =>
    Object.values(module).flatMap((value) => (isDefinition(value) ? [[value.type, value] as const] : []))
  )
)
const kinds = [...definitions.values()]

describe("the kinds of actors", () => {
  it("are found, and no fixture is left of another", () => {
    assert.deepStrictEqual(kinds.map(({ type }) => fileOf(type)).toSorted(), readdirSync(fixtures).toSorted())
  })

  it.each(kinds)("are restored from a fixture of each version before: $type", ({ restore, type }) => {
    assert.isTrue(Number.isInteger(restore.version), "It is not restored through a storedState")
    const stored: ReadonlyArray<Fixture> = JSON.parse(readFileSync(new URL(fileOf(type), fixtures), "utf8"))
    const versions = Array.from({ length: Math.max(restore.version, 1) }, (_, version) => version)
    assert.includeMembers(
      stored.map(({ version }) => version),
      versions
    )
    for (const { id, state } of stored)
      restore({ version: 1, workspace_id: null, state, alarm: null, holds: [], dialled: [] }, id)
  })
})
