// What the console writes and reads: figures, files, filters, places in a schema, names of styles.
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { csvOf } from "../../console/src/ui/Csv.ts"
import { amountText, clockText, durationText, moneyText, offsetText, phoneText } from "../../console/src/ui/Format.ts"
import { callsQuery, readCallsSearch } from "../../console/src/pages/calls/CallsSearch.ts"
import { membersOf, schemasAt, stepsOf, valuesOf } from "../../console/src/pages/place/SchemaPath.ts"
import { voiceActionSchema } from "../../src/domain/calls/verbs/VoiceActionSchema.ts"

describe("figures", () => {
  it("are money with two decimals, and a minus that is one", () => {
    assert.strictEqual(moneyText(-123_456, "KES"), "KES\u00a0\u22121,234.56")
    assert.strictEqual(amountText(5), "0.05")
  })
  it("are times as people say them", () => {
    assert.deepStrictEqual([0, 59.9, 75, 3_725].map(clockText), ["0:00", "0:59", "1:15", "1:02:05"])
    assert.deepStrictEqual([59, 60, 102, 7_260].map(durationText), ["59 s", "1 min", "1 min 42 s", "2 h 1 min"])
    assert.deepStrictEqual([158, 6_310, 36_200, 64_200].map(offsetText), ["158 ms", "6.31 s", "36.2 s", "1:04.2"])
  })
  it("are numbers in groups, and leave what is no number", () => {
    assert.strictEqual(phoneText("+254722000018"), "+254\u00a0722\u00a0000\u00a0018")
    assert.strictEqual(phoneText("sip:a@b.example"), "sip:a@b.example")
  })
})

describe("a file of comma-separated values", () => {
  it("quotes what needs it, and gives a spreadsheet no formula", () => {
    const rows = [
      { a: 'say "hi", there', b: "=HYPERLINK(1)" },
      { a: "two\nlines", b: "@SUM" },
      { a: "+254722000000", b: -300 }
    ]
    assert.strictEqual(
      csvOf(["a", "b"], rows),
      'a,b\r\n"say ""hi"", there",\'=HYPERLINK(1)\r\n"two\nlines",\'@SUM\r\n+254722000000,-300\r\n'
    )
  })
})

describe("the filters in an address", () => {
  it("are read, and what makes no sense is left out", () => {
    assert.deepStrictEqual(
      readCallsSearch({ status: "busy", direction: "sideways", to: 254722000000, since: "soon", x: 1 }),
      {
        status: "busy",
        to: "+254722000000"
      }
    )
    assert.deepStrictEqual(readCallsSearch({ status: ["busy"], from: { a: 1 }, until: "2026-13-40" }), {})
  })
  it("become the query of the API, a day from midnight to midnight", () => {
    const { created_after = "", created_before = "" } = callsQuery({ since: "2026-11-20", until: "2026-11-20" })
    assert.strictEqual(Date.parse(created_before) - Date.parse(created_after), 86_400_000)
  })
})

describe("completion from the schema of voice actions", () => {
  const at = (...path: ReadonlyArray<string | number>) => schemasAt(voiceActionSchema, path)
  it("knows all actions, and the members of each, required ones first", () => {
    const verbs = membersOf(at("actions", 0)).map(({ name }) => name)
    for (const verb of ["say", "gather", "dial", "hangup"]) assert.include(verbs, verb)
    assert.strictEqual(membersOf(at("actions", 3, "say"))[0]?.name, "text")
    assert.include(
      membersOf(at("actions", 0, "gather", "prompt")).map(({ name }) => name),
      "play"
    )
  })
  it("knows what each action does", () => {
    for (const { description = "", name } of membersOf(at("actions", 0))) assert.match(description, /^[A-Z].+\.$/, name)
  })
  it("knows the values of a member that has few", () => {
    assert.include(valuesOf(at("actions", 0, "hangup", "reason")), '"busy"')
    assert.deepStrictEqual(valuesOf(at("actions", 0, "dial", "sequential")), ["true", "false"])
  })
  it("knows nothing of a place that the schema has not", () => {
    assert.deepStrictEqual(membersOf(at("actions", 0, "nothing", "at", "all")), [])
  })
  it("reads JSON pointers", () => {
    assert.deepStrictEqual(stepsOf("/actions/1/a~1b/~0"), ["actions", "1", "a/b", "~"])
    assert.deepStrictEqual(stepsOf(""), [])
  })
})

describe("the styles of the console", () => {
  const root = join(import.meta.dirname, "../../console/src")
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"))
  const styleFile = /import styles from "(\.\/[^"]+\.module\.css)"/

  it("have every name that a component uses", () => {
    assert.isAbove(files.length, 20)
    const missing = files.flatMap((name) => {
      const text = readFileSync(join(root, name), "utf8")
      const [, path] = styleFile.exec(text) ?? []
      if (path === undefined) return []
      const css = readFileSync(join(root, name, "..", path), "utf8")
      const used = new Set([...text.matchAll(/\bstyles\.(\w+)/g)].map(([, used = ""]) => used))
      return [...used].filter((each) => !new RegExp(`\\.${each}\\b`).test(css)).map((each) => `${name}: ${each}`)
    })
    assert.deepStrictEqual(missing, [])
  })
})
