import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const [, text = ""] = /## Checklists\n([\s\S]*)/.exec(readFileSync("CONTRIBUTING.md", "utf8")) ?? []

interface Step {
  readonly path: string
  /** Names that the file must contain. */
  readonly names: ReadonlyArray<string>
}

/** The files of a checklist, each with the names in the parentheses behind it. */
const stepsOf = (section: string): ReadonlyArray<Step> =>
  [...section.matchAll(/`((?:src|test|scripts|docs|console)\/[^`]+)`(?: \(((?:`[^`]+`(?:, )?)+)\))?/g)].map(
    ([, path = "", names = ""]) => ({ path, names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name) })
  )

const sections = text.split(/^### /m).slice(1)

const complaint = ({ names, path }: Step): ReadonlyArray<string> => {
  if (!existsSync(path)) return [`${path} does not exist`]
  if (names.length === 0) return []
  const content = readFileSync(path, "utf8")
  return names.filter((name) => !content.includes(name)).map((name) => `${path} has no ${name}`)
}

/** Written files in which a change of the kind that a list describes may be needed. */
const searched = ["src", "console/src", "docs"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => /\.(?:tsx?|md)$/.test(path) && !path.includes("/generated/"))
)

/** The files that hold a sample of the list and that the list does not name. */
const forgotten = (section: string, sample: string): ReadonlyArray<string> => {
  const named = new Set(stepsOf(section).map(({ path }) => path))
  return searched.filter((path) => !named.has(path) && readFileSync(path, "utf8").includes(sample))
}

const sampleOf = (section: string): string | undefined => /^Sample: `([^`]+)`/m.exec(section)?.[1]

describe("the checklists of CONTRIBUTING.md", () => {
  it("cover the commonest changes", () => {
    assert.deepStrictEqual(
      sections.map((section) => section.split("\n")[0]),
      [
        "Add a voice verb",
        "Add an endpoint",
        "Add a webhook event",
        "Add a row to the threat model",
        "Add an error code",
        "Add a setting",
        "Add a member to a stored record",
        "Add an actor kind",
        "Add a mobile-money vendor",
        "Add a card vendor"
      ]
    )
  })

  for (const section of sections) {
    const [title = ""] = section.split("\n")
    it(`${title}: names files that exist and hold what it says`, () => {
      const steps = stepsOf(section)
      const numbered = section.match(/^\d+\. /gm) ?? []
      assert.isAbove(numbered.length, 2)
      for (const item of section.match(/^\d+\. .*$/gm) ?? []) {
        assert.match(item, /^\d+\. `[^`]+` \(`[^`]+`/, "each item begins with a file and what to look for in it")
      }
      assert.deepStrictEqual(steps.flatMap(complaint), [])
    })
  }

  it("name every file that a change of their kind touches", () => {
    const samples = sections.flatMap((section) => {
      const sample = sampleOf(section)
      return sample === undefined ? [] : [{ title: section.split("\n")[0], found: forgotten(section, sample) }]
    })
    assert.deepStrictEqual(
      samples.filter(({ found }) => found.length > 0),
      []
    )
    assert.deepStrictEqual(
      samples.map(({ title }) => title),
      [
        "Add a voice verb",
        "Add an endpoint",
        "Add a webhook event",
        "Add an error code",
        "Add a member to a stored record"
      ]
    )
    assert.include(forgotten("1. `src/http/api/StorageApi.ts`: nothing else", "/v1/storage/tier"), "docs/storage.md")
  })
})
