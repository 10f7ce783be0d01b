import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"

const [, text = ""] = /## Checklists\n([\s\S]*)/.exec(readFileSync("CONTRIBUTING.md", "utf8")) ?? []

interface Step {
  readonly path: string
  /** Names that the file must contain. */
  readonly names: ReadonlyArray<string>
}

/** The files of a checklist, each with the names in the parentheses behind it. */
const stepsOf = (section: string): ReadonlyArray<Step> =>
  [...section.matchAll(/`((?:src|test|scripts|docs)\/[^`]+)`(?: \(((?:`[^`]+`(?:, )?)+)\))?/g)].map(
    ([, path = "", names = ""]) => ({ path, names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name) })
  )

const sections = text.split(/^### /m).slice(1)

const complaint = ({ names, path }: Step): ReadonlyArray<string> => {
  if (!existsSync(path)) return [`${path} does not exist`]
  if (names.length === 0) return []
  const content = readFileSync(path, "utf8")
  return names.filter((name) => !content.includes(name)).map((name) => `${path} has no ${name}`)
}

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
})
