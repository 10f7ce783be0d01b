import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { render } from "../../scripts/docs/configuration.ts"

const pages = ["README.md", "ARCHITECTURE.md", ...readdirSync("docs").map((name) => join("docs", name))]

describe("the documentation", () => {
  it("lists the configuration as it is", () => {
    const page = readFileSync("docs/operations.md", "utf8")
    assert.include(page, `\n\n${render()}\n`, "run `node scripts/docs/configuration.ts`")
    assert.isAbove(render().split("\n").length, 25)
  })

  it("links to files that exist", () => {
    const dead = pages.flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
        .map((match) => join(dirname(page), match[1] ?? ""))
        .filter((target) => !existsSync(target))
        .map((target) => `${page} links to ${target}`)
    )
    assert.deepStrictEqual(dead, [])
  })

  it("has every page in its index", () => {
    const index = readFileSync("docs/README.md", "utf8")
    const missing = readdirSync("docs").filter((name) => name !== "README.md" && !index.includes(`](${name})`))
    assert.deepStrictEqual(missing, [])
  })
})
