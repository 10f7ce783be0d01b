import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { keysOf } from "../../../src/domain/KeysOf.ts"
import { sealedMembers, sealedPaths, secretsOf } from "../../../src/domain/state/SealedRow.ts"

interface Fixture {
  readonly state: string
}

/** Where a value has texts of the shape of sealed ones: paths, with `*` for the items of a list. */
const sealedIn = (value: unknown, path: string): ReadonlyArray<string> => {
  if (typeof value === "string") return /^[0-9a-f]{8}\.[\w-]{38,}$/.test(value) ? [path] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => sealedIn(part, `${path}.${Array.isArray(value) ? "*" : name}`))
}

const folder = "test/fixtures/states"
const statesOf = (kind: string) =>
  (JSON.parse(readFileSync(`${folder}/${kind}.json`, "utf8")) as ReadonlyArray<Fixture>).map(({ state }) => state)
const found = new Map(
  readdirSync(folder).map((name) => {
    const kind = name.replace(".json", "")
    return [kind, new Set(statesOf(kind).flatMap((state) => sealedIn(JSON.parse(state), "state")))]
  })
)

describe("the secrets of stored rows", () => {
  it.each(keysOf(sealedMembers).filter((kind) => kind !== "Provider"))("of the kind %s are all on its list", (kind) => {
    const ofState = sealedPaths(kind).filter((path) => path.startsWith("state."))
    assert.deepStrictEqual([...(found.get(kind) ?? [])].sort(), ofState.toSorted())
  })

  it("are in no other kind, but for letters, which are gone once they are sent", () => {
    const others = [...found].filter(([kind, paths]) => !Object.hasOwn(sealedMembers, kind) && paths.size > 0)
    assert.deepStrictEqual(
      others.map(([kind]) => kind),
      ["Mailbox"]
    )
  })

  it("are read with the id to which they are bound", () => {
    const state = {
      credentials: [
        { id: "a", password: "1", previous: { password: "2" }, rotation: null },
        { id: "b", password: "3", previous: null, rotation: { password: "4" } }
      ]
    }
    assert.deepStrictEqual(secretsOf("SipCredentials", { id: "w", row: { workspace_id: "w", state } }), [
      { id: "a", sealed: "1" },
      { id: "a", sealed: "2" },
      { id: "b", sealed: "3" },
      { id: "b", sealed: "4" }
    ])
    assert.deepStrictEqual(secretsOf("SipTrunk", { id: "w", row: { state: { trunk: null } } }), [])
    assert.deepStrictEqual(secretsOf("Provider", { id: "p", row: { id: "p", password: null } }), [])
  })
})
