// Which tests a file declares, read from its syntax: a title in a comment, or of a test that is skipped, is none.
import { readFileSync } from "node:fs"
import { parseAst } from "rolldown/parseAst"

export interface DeclaredTest {
  /** As it is written: with the placeholders of a table, as `%s`. */
  readonly title: string
  /** It never runs: it is marked, or in a group that is, or it has no body. `skipIf` and `runIf` are no such marks. */
  readonly skipped: boolean
}

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { readonly type?: unknown }).type === "string"

const childrenOf = (node: Node): ReadonlyArray<Node> => Object.values(node).flat().filter(isNode)

/** The words of `it.live.each(table)`: `it`, `live`, `each`. Empty for what is called otherwise. */
const wordsOf = (callee: unknown): ReadonlyArray<string> => {
  if (!isNode(callee)) return []
  switch (callee.type) {
    case "Identifier":
      return [String(callee["name"])]
    case "MemberExpression": {
      const { property } = callee
      return isNode(property) ? [...wordsOf(callee["object"]), String(property["name"])] : []
    }
    case "CallExpression":
      return wordsOf(callee["callee"])
    default:
      return []
  }
}

const textOf = (value: unknown): string | undefined =>
  isNode(value) && value.type === "Literal" && typeof value["value"] === "string" ? value["value"] : undefined

const never = new Set(["skip", "todo", "fails"])
/** `scenario` of test/support/Scenario.ts makes a test. */
const tests = new Set(["it", "test", "scenario"])

/** The tests of a file's text in TypeScript. */
export const testsIn = (text: string): ReadonlyArray<DeclaredTest> => {
  const found: Array<DeclaredTest> = []
  const visit = (node: Node, skipped: boolean): void => {
    if (node.type !== "CallExpression") return childrenOf(node).forEach((child) => visit(child, skipped))
    const words = wordsOf(node["callee"])
    const isMarked = skipped || words.some((word) => never.has(word))
    const given = node["arguments"] as ReadonlyArray<unknown>
    const title = textOf(given[0])
    if (tests.has(words[0] ?? "") && title !== undefined) found.push({ title, skipped: isMarked || given.length < 2 })
    const isGroup = tests.has(words[0] ?? "") || words[0] === "describe" || words[0]?.startsWith("layer") === true
    for (const child of childrenOf(node)) visit(child, isGroup ? isMarked : skipped)
  }
  visit(parseAst(text, { lang: "ts" }) as unknown as Node, false)
  return found
}

/** Whether a file declares a test with this title that runs. */
export const hasTest = (path: string, title: string): boolean =>
  testsIn(readFileSync(path, "utf8")).some((test) => test.title === title && !test.skipped)
