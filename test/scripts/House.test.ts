import { assert, describe, it } from "@effect/vitest"
import { figures } from "../../scripts/house/Figures.ts"
import { shapesOf, twinsOf } from "../../scripts/house/Members.ts"
import { readSources } from "../../scripts/house/ReadSources.ts"
import { arrowsInto, largeFolders, twoWayPairs } from "../../scripts/house/Rooms.ts"
import { importGraph } from "../support/TidyTree.ts"

/** What each figure may be at most. Lower it with the figure; raise none without a reason in the commit. */
const limits: Readonly<Record<string, number>> = {
  "imports of src/app/Engine.ts": 30,
  "imports of actors by compositions": 203,
  "members declared as an interface and as a schema": 88,
  "files of src for a member of a stored record, at most": 21,
  "lines of src/http/api for an endpoint": 18.3,
  "rooms of src/http that import each other": 0,
  "rooms of src/domain that import each other": 0,
  "rooms of src/actors that import each other": 1,
  "rooms of src/layers that import each other": 0,
  "folders of src with more than 35 files": 0
}

describe("the figures of the house", () => {
  it("stay within their limits, and each has one", () => {
    const found = figures(readSources("src", "test", "bench"))
    assert.deepStrictEqual(
      found.map(({ name }) => name),
      Object.keys(limits)
    )
    for (const { found: what, name, value } of found) {
      assert.isAtMost(value, limits[name] ?? 0, `${name}: ${what.join(", ")}`)
    }
  })

  it("count members that an interface and a schema of one area share", () => {
    const twins = (text: string) =>
      twinsOf(shapesOf("A.ts", text)).map(({ interface: { line }, schema, shared }) => [line, schema.line, shared])
    const schema = "const A = Schema.Struct({\n  id: Id,\n  at: Schema.Int,\n  cost: Schema.Int\n})\n"
    assert.deepStrictEqual(twins(`${schema}interface A {\n  readonly id: string\n  readonly at: number\n}`), [
      [6, 1, 2]
    ])
    assert.deepStrictEqual(twins(`${schema}type A = typeof A.Type`), [])
    assert.deepStrictEqual(twins(`${schema}type B = { readonly id: string; readonly cost: number }`), [[6, 1, 2]])
    assert.deepStrictEqual(twins(`${schema}interface C { readonly id: string }`), [])
    assert.deepStrictEqual(twins(`${schema}interface D {\n  id: string\n  at: number\n  w: 1\n  x: 1\n  y: 1\n}`), [])
    assert.deepStrictEqual(
      twins(
        `const fields = { id: Id, at: At } satisfies Record<"id" | "at", Schema.Top>\ninterface E { id: 1; at: 2 }`
      ),
      [[2, 1, 2]]
    )
  })

  it("count rooms that import each other, imports of actors, and long folders", () => {
    const graph = importGraph([
      { path: "src/domain/a/A.ts", text: `import type { B } from "../b/B.ts"\nimport { C } from "../c/C.ts"` },
      { path: "src/domain/b/B.ts", text: `import type { A } from "../a/A.ts"` },
      { path: "src/domain/c/C.ts", text: "" },
      { path: "src/app/Engine.ts", text: `import { x } from "../actors/X.ts"\nimport { A } from "../domain/a/A.ts"` },
      { path: "src/actors/X.ts", text: "" }
    ])
    assert.deepStrictEqual(twoWayPairs(graph, "src/domain"), ["a <-> b (1/1)"])
    assert.strictEqual(arrowsInto(graph, /^src\/app\//, "src/actors"), 1)
    assert.deepStrictEqual(largeFolders(["src/a/A.ts", "src/a/B.ts", "src/b/C.ts"], 1), ["src/a (2)"])
  })
})
