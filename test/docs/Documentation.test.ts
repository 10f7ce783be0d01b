import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { render as renderConferences } from "../../scripts/docs/conferences.ts"
import { render } from "../../scripts/docs/configuration.ts"

const markdown = (root: string): ReadonlyArray<string> =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, name))

const pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", ...markdown("docs"), ...markdown("examples")]
const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join("src", name), "utf8"))

/** The anchors of a page, made as GitHub makes them: lower case, without punctuation, blanks as dashes. */
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm)].map((match) =>
      (match[1] ?? "")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
        .replaceAll(" ", "-")
    )
  )

interface Link {
  readonly page: string
  readonly target: string
  readonly anchor: string | undefined
}

const links: ReadonlyArray<Link> = pages.flatMap((page) =>
  [...readFileSync(page, "utf8").matchAll(/\]\(([^)#:\s]*)(?:#([^)\s]*))?\)/g)].map((match) => ({
    page,
    target: match[1] === "" ? page : join(dirname(page), match[1] ?? ""),
    anchor: match[2]
  }))
)

describe("the documentation", () => {
  it("lists the configuration as the program knows it", () => {
    const page = readFileSync("docs/operations.md", "utf8")
    assert.include(page, `\n\n${render()}\n`, "run `node scripts/docs/configuration.ts`")
    assert.isAbove(render().split("\n").length, 25)
  })

  it("shows the states of a conference as its rules decide", () => {
    const page = readFileSync("docs/conferences.md", "utf8")
    assert.include(page, `\n\n${renderConferences()}\n`, "run `node scripts/docs/conferences.ts`")
  })

  it("links to files that exist", () => {
    assert.isAbove(links.length, 100)
    const dead = links.filter(({ target }) => !existsSync(target)).map(({ page, target }) => `${page}: ${target}`)
    assert.deepStrictEqual(dead, [])
  })

  it("links to headings that exist", () => {
    const dead = links
      .filter(({ anchor, target }) => anchor !== undefined && target.endsWith(".md") && existsSync(target))
      .filter(({ anchor, target }) => !anchorsOf(target).has(anchor ?? ""))
      .map(({ anchor, page, target }) => `${page}: ${target}#${anchor}`)
    assert.deepStrictEqual(dead, [])
  })

  it("names source files and folders that exist", () => {
    const named = pages.flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/`((?:src|test|scripts|bench|examples)\/[\w./-]+)`/g)].map((match) => ({
        page,
        path: match[1] ?? ""
      }))
    )
    assert.isAbove(named.length, 20)
    const missing = named.filter(({ path }) => !existsSync(path)).map(({ page, path }) => `${page}: ${path}`)
    assert.deepStrictEqual(missing, [])
  })

  it("quotes messages that the engine prints", () => {
    const [, table] = /## When something is wrong\n([\s\S]*)/.exec(readFileSync("docs/operations.md", "utf8")) ?? []
    // Messages with parts that vary, written as "…", "X" or "N", are compared part by part.
    const quoted = [...(table ?? "").matchAll(/^\| (?:503 [^`]*`Retry-After`, log )?`([^`]+)`/gm)].map(
      (match) => match[1] ?? ""
    )
    assert.isAbove(quoted.length, 6)
    const parts = quoted.flatMap((message) => message.split(/…|^X|N$/)).map((part) => part.trim())
    const unknown = parts.filter((part) => /\w/.test(part) && !sources.some((source) => source.includes(part)))
    assert.deepStrictEqual(unknown, [])
  })

  it("keeps the architecture under 300 lines, so that it can be read in one go", () => {
    assert.isBelow(readFileSync("ARCHITECTURE.md", "utf8").split("\n").length, 300)
  })

  it("has every page in its index", () => {
    const index = readFileSync("docs/README.md", "utf8")
    const missing = readdirSync("docs").filter((name) => name !== "README.md" && !index.includes(`](${name})`))
    assert.deepStrictEqual(missing, [])
  })
})
