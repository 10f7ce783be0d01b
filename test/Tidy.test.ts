import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readSources } from "../scripts/house/ReadSources.ts"
import { longComments, type Source, textComparisons, untidy } from "./support/Tidy.ts"
import { weakComments } from "./support/TidyComments.ts"
import {
  contractLeaks,
  importCircles,
  importGraph,
  looseFiles,
  misnamedTests,
  unmadeErrors
} from "./support/TidyTree.ts"
import { handMadeWaits } from "./support/TidyWaits.ts"

const sources = readSources("src", "test", "scripts", "bench", "examples", "console")

/** The linter's output for files with these texts, named A.ts, B.ts and C.ts. */
const lintWith = (config: string, texts: ReadonlyArray<string>): string => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-tidy-"))
  try {
    for (const [index, text] of texts.entries()) writeFileSync(join(folder, `${"ABC"[index]}.ts`), text)
    return spawnSync("node_modules/.bin/oxlint", ["--config", config, folder], { encoding: "utf8" }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const lint = (...texts: ReadonlyArray<string>): string => lintWith(".oxlintrc.json", texts)

const lines = (count: number) => Array.from({ length: count }, (_, index) => `  use(${index})`).join("\n")

describe("the source tree", () => {
  it("breaks no rule in any file", () => {
    assert.isAbove(sources.length, 20)
    assert.deepStrictEqual(sources.flatMap(untidy), [])
  })

  it("has no comment wider than 120 columns", () => {
    assert.deepStrictEqual(sources.flatMap(longComments), [])
  })

  it("compares no reply and no error code as text", () => {
    assert.deepStrictEqual(sources.flatMap(textComparisons), [])
  })

  it("keeps every file of the actors, of HTTP and of PostgreSQL in an area folder", () => {
    assert.deepStrictEqual(looseFiles(sources.map(({ path }) => path)), [])
  })

  it("keeps the HTTP contract apart from the server", () => {
    assert.deepStrictEqual(contractLeaks(sources), [])
  })

  it("has no import circle, type imports included", () => {
    const graph = importGraph(sources.filter(({ path }) => /^(?:src|console)\//.test(path)))
    assert.deepStrictEqual(importCircles(graph), [])
  })

  it("has no comment that cannot be read alone", () => {
    assert.deepStrictEqual(sources.flatMap(weakComments), [])
  })

  it("makes every error of its catalogue somewhere", () => {
    assert.deepStrictEqual(unmadeErrors(sources), [])
  })

  it("waits with a bound in every test, and reserves its ports", () => {
    assert.deepStrictEqual(sources.filter(({ path }) => path !== "test/Tidy.test.ts").flatMap(handMadeWaits), [])
  })

  it("names every test after what it starts: nothing, a database or a program", () => {
    assert.deepStrictEqual(misnamedTests(sources), [])
  })
})

describe("the rules for one file", () => {
  const accepts = (path: string, text: string) => assert.deepStrictEqual(untidy({ path, text }), [])
  const refuses = (path: string, text: string, complaint: string) =>
    assert.deepStrictEqual(untidy({ path, text }), [`${path} ${complaint}`])

  it("let imports run from domain over actors and http to src/app", () => {
    accepts(
      "src/domain/calls/Call.ts",
      `import { Data } from "effect"\nimport { x } from "../Money.ts"\nexport class Call {}`
    )
    accepts("src/actors/CallActor.ts", `import { Entity } from "effect/cluster"\nexport const callActor = 1`)
    accepts(
      "src/http/Edge.ts",
      `import { HttpRouter } from "effect/http"\nimport "../actors/Calls.ts"\nexport const edge = 1`
    )
    accepts(
      "src/layers/mail/Smtp.ts",
      `import { x } from "nodemailer"\nexport { y } from "../node/MakeFolder.ts"\nexport const layer = 1`
    )
    accepts("src/app/Server.ts", `import { edge } from "../http/Edge.ts"\nexport const server = 1`)
    accepts("src/main.ts", `import { server } from "./app/Server.ts"`)
  })
  it("refuse imports against that direction, in every form of import", () => {
    const call = "src/domain/calls/Call.ts"
    const body = "\nexport class Call {}"
    refuses(call, `import { Sql } from "effect/sql"${body}`, "imports package effect/sql")
    refuses(call, `import type {\n  Calls\n} from "../../actors/Calls.ts"${body}`, "imports src/actors/Calls.ts")
    refuses(call, `export { x } from "../../layers/X.ts"${body}`, "imports src/layers/X.ts")
    refuses(call, `import "node:fs"${body}`, "imports package node:fs")
    refuses(call, `const x = await import("jose")${body}`, "imports package jose")
    refuses("src/cli/Do.ts", `import { x } from "../app/X.ts"\nexport const doIt = 1`, "imports src/app/X.ts")
    refuses("src/cli/Do.ts", `export const doIt = () => import("../layers/X.ts")`, "imports src/layers/X.ts")
    refuses("src/actors/Calls.ts", `import { x } from "../http/X.ts"\nexport class Calls {}`, "imports src/http/X.ts")
    refuses("src/http/Edge.ts", `import { x } from "../layers/X.ts"\nexport const edge = 1`, "imports src/layers/X.ts")
    refuses("src/layers/X.ts", `import { edge } from "../http/Edge.ts"\nexport const x = 1`, "imports src/http/Edge.ts")
    refuses("src/layers/X.ts", `import { s } from "../app/Server.ts"\nexport const x = 1`, "imports src/app/Server.ts")
    refuses("src/web/X.ts", `import { Effect } from "effect"\nexport const x = 1`, "imports package effect")
    refuses("src/web/X.ts", `import { x } from "../domain/X.ts"\nexport const y = x`, "imports src/domain/X.ts")
    refuses(
      "src/app/X.ts",
      `import { Client } from "../web/Client.ts"\nexport const x = 1`,
      "imports src/web/Client.ts"
    )
    accepts("src/web/X.ts", `import JsSIP from "jssip"\nimport { y } from "./Y.ts"\nexport const x = y`)
    accepts("src/client/X.ts", `import { y } from "../domain/signing/Y.ts"\nexport const x = y`)
    accepts("src/cli/X.ts", `import { y } from "../domain/text/Y.ts"\nexport const x = y`)
    refuses("src/client/X.ts", `import { y } from "../domain/Y.ts"\nexport const x = y`, "imports src/domain/Y.ts")
    refuses(
      "src/web/X.ts",
      `import { y } from "../domain/text/Y.ts"\nexport const x = y`,
      "imports src/domain/text/Y.ts"
    )
    refuses("src/domain/text/X.ts", `import { Effect } from "effect"\nexport const x = 1`, "imports effect")
    refuses("src/utils/X.ts", "export const x = 1", "is in no folder of src that the rules know")
  })
  it("allow casts that switch the type check off in few files", () => {
    for (const cast of ["as never", "as unknown as"]) {
      const text = `export class Calls {}\nuse(value ${cast} Call)`
      accepts("src/actors/runtime/Calls.ts", text)
      refuses("src/actors/Calls.ts", text, `uses ${cast}`)
    }
    accepts("src/actors/Calls.ts", "export class Calls {}\nuse(value as Call, [] as const)")
  })
  it("keep data types out of the ports", () => {
    const port = "src/domain/ports/Reads.ts"
    const service = "export class Reads extends Context.Service<Reads, { readonly of: () => void }>() {}"
    accepts(port, `export interface Line {\n  readonly send: (text: string) => void\n}\n${service}`)
    accepts(port, `export interface File {\n  readonly bytes: Stream.Stream<Uint8Array>\n}\n${service}`)
    const complaint = "declares Filter, which is no port"
    refuses(port, `export interface Filter {\n  readonly from?: { readonly at: number }\n}\n${service}`, complaint)
    refuses(port, `export interface Filter extends Range {\n  readonly to: number\n}\n${service}`, complaint)
    refuses(port, `export type Filter = "all" | "none"\n${service}`, complaint)
    refuses(port, `export const Filter = 1\n${service}`, complaint)
  })
  it("allow the clock, randomness, the environment and the console in layers only", () => {
    for (const word of [
      "Date.now",
      "new Date()",
      "Math.random",
      "process.env",
      "setTimeout",
      "setInterval",
      "console.log",
      "randomUUID"
    ]) {
      refuses("src/actors/Calls.ts", `export class Calls {}\nuse(${word})`, `uses ${word}`)
      accepts("src/layers/X.ts", `export const x = ${word}`)
      refuses("src/web/LineMachine.ts", `export const x = ${word}`, `uses ${word}`)
      accepts("src/web/Line.ts", `export const x = ${word}`)
    }
  })
  it("allow no service that is optional or has a default", () => {
    refuses("src/actors/X.ts", `export class X extends Context.Reference<Y>("x", d) {}`, "uses Context.Reference")
    refuses("src/layers/X.ts", "export const x = Effect.serviceOption(Y)", "uses serviceOption(")
    accepts("src/http/request/RequestId.ts", `export const RequestId = Context.Reference<string>("x", d)`)
  })
  it("name spans with traced, which is free where nobody traces", () => {
    refuses("src/actors/Calls.ts", 'export const x = Effect.fn("Calls.x")(run)', "uses Effect.fn instead of traced")
    accepts("src/actors/Calls.ts", 'export const x = traced("Calls.x")(run)')
    accepts("src/actors/Calls.ts", "export const x = Effect.fnUntraced(run)")
  })
  it("name files after what they export", () => {
    refuses("src/domain/calls/call.ts", "export class Call {}", "is not PascalCase")
    refuses("src/domain/calls/Call.ts", "export class Wallet {}", "is named after no class that it exports")
    accepts("src/domain/calls/Call.ts", "export const decideCall = 1")
    accepts("src/http/api/calls.ts", "export const x = 1")
  })
  it("refuse unfinished work, in tests too", () => {
    const marks = [
      ["it", "only("],
      ["it", "skip("],
      ["describe", "todo("]
    ].map((parts) => parts.join("."))
    for (const mark of [...marks, ["TO", "DO"].join(""), ["as", "any"].join(" "), ["@ts", "ignore"].join("-")]) {
      const found = untidy({ path: "test/X.test.ts", text: `x ${mark}) y` })
      assert.strictEqual(found.length, 1, mark)
    }
  })
  it("include the linter's: it finds circles of imports", () => {
    const circle = [`import { b } from "./B.ts"\nexport const a = b`, `import { a } from "./A.ts"\nexport const b = a`]
    assert.include(lint(...circle), "no-cycle")
    assert.notInclude(lint(circle[0] ?? "", "export const b = 1"), "no-cycle")
  })
  it("include the linter's: it limits the size of files and functions and refuses loose types", () => {
    assert.include(lint(`export const f = () => {\n${lines(70)}\n}\n`), "max-lines-per-function")
    assert.notInclude(lint(`export const f = () => {\n${lines(60)}\n}\n`), "max-lines-per-function")
    assert.include(lint(lines(401)), "max-lines")
    assert.include(lint("export const f = (x: any) => x\n"), "no-explicit-any")
    assert.include(
      lint(`import { Effect } from "effect"\nexport type X = Effect.Effect<void>\n`),
      "consistent-type-imports"
    )
  })

  it("include the linter's: a switch over a union names every case or has a default", () => {
    const switchOn = (rest: string) =>
      lintWith(".oxlintrc.types.json", [
        `export const f = (kind: "a" | "b"): void => {\n  switch (kind) {\n    case "a":\n      return\n${rest}  }\n}\n`
      ])
    assert.include(switchOn(""), "switch-exhaustiveness-check")
    assert.notInclude(switchOn(`    case "b":\n      return\n`), "switch-exhaustiveness-check")
    assert.notInclude(switchOn("    default:\n      return\n"), "switch-exhaustiveness-check")
  })

  it("refuse comments wider than 120 columns", () => {
    const long = (text: string) => longComments({ path: "src/domain/X.ts", text })
    assert.deepStrictEqual(long(`const a = 1\n// ${"x".repeat(118)}`), [
      "src/domain/X.ts:2 has a comment of 121 columns"
    ])
    assert.lengthOf(long(`const a = 1 // ${"x".repeat(118)}`), 1)
    assert.lengthOf(long(` * ${"x".repeat(118)}`), 1)
    assert.deepStrictEqual(long(`// ${"x".repeat(117)}`), [])
    assert.deepStrictEqual(long(`const url = "https://${"x".repeat(118)}"`), [])
  })

  it('refuse comments that begin with "Of" and those of one or two words that say no unit', () => {
    const weak = (text: string) => weakComments({ path: "src/domain/X.ts", text })
    assert.deepStrictEqual(weak("interface A {\n  /** Of the track. */\n  width: number\n}"), [
      "src/domain/X.ts: Of the track."
    ])
    assert.deepStrictEqual(weak("// Sealed."), ["src/domain/X.ts: Sealed."])
    assert.deepStrictEqual(weak("/**\n * Of many lines,\n * which are one.\n */"), [
      "src/domain/X.ts: Of many lines, which are one."
    ])
    for (const text of ["/** Epoch milliseconds. */", "// Default: 5060.", "// Offers one codec."]) {
      assert.deepStrictEqual(weak(text), [], text)
    }
    assert.deepStrictEqual(weak(`const url = "a" // Of`), [])
  })

  it("refuse waits without a bound, and ports that are not reserved, in tests", () => {
    const found = (text: string, path = "test/domain/X.test.ts") => handMadeWaits({ path, text }).length
    for (const wait of [
      `look.pipe(Effect.delay("1 second"), Effect.repeat({ until: (is) => is }))`,
      `Effect.repeat(Effect.delay(look(id), 1), {\n  until,\n  times: 3 })`,
      `Effect.repeat({ while: ({ status }) => status === 503 })`,
      `Effect.retry({ times: 5, schedule: Schedule.spaced("5 millis") })`,
      `while ((yield* balance) === 0) yield* Effect.sleep("200 millis")`,
      `while (!holds()) {\n  await new Promise((resolve) => setTimeout(resolve, 5))\n}`,
      `probe.listen(0, () => probe.close(() => resume(port)))`,
      `import { freePort } from "../../src/layers/node/FreePort.ts"`
    ]) {
      assert.strictEqual(found(wait), 1, wait)
      assert.strictEqual(found(wait, "src/layers/X.ts"), 0)
    }
    assert.strictEqual(found(`yield* Effect.repeat(turn, { times: 10 })\nyield* until("end", look, (is) => is)`), 0)
    assert.strictEqual(found(`while (next !== null) yield* read(next)`), 0)
  })

  it("refuse replies and error codes that are compared as text, outside the runtime", () => {
    const found = (path: string, text: string) => textComparisons({ path, text })
    assert.lengthOf(found("src/actors/calls/X.ts", `if (reply._tag === "Held") x`), 1)
    assert.lengthOf(found("src/http/handlers/x.ts", `error._tag === "wallet.not_found" ? a : b`), 1)
    assert.deepStrictEqual(found("src/actors/runtime/X.ts", `if (reply._tag === "Held") x`), [])
    assert.deepStrictEqual(found("src/actors/calls/X.ts", `event._tag === "CallAnswered"`), [])
  })
})

describe("the rules for the tree", () => {
  const tree = (files: Readonly<Record<string, string>>): ReadonlyArray<Source> =>
    Object.entries(files).map(([path, text]) => ({ path, text }))
  const circles = (files: Readonly<Record<string, string>>) => importCircles(importGraph(tree(files)))

  it("find import circles, with type imports counted", () => {
    assert.deepStrictEqual(
      circles({
        "src/a/A.ts": `import type { B } from "../b/B.ts"`,
        "src/b/B.ts": `import { c } from "./C.ts"`,
        "src/b/C.ts": `export type { A } from "../a/A.ts"`,
        "src/b/D.ts": `import { a } from "../a/A.ts"\nimport { Effect } from "effect"`
      }),
      ["src/a/A.ts -> src/b/B.ts -> src/b/C.ts -> src/a/A.ts"]
    )
    assert.deepStrictEqual(circles({ "A.ts": `type B = import("./B.ts").B`, "B.ts": `import "./A.ts"` }), [
      "A.ts -> B.ts -> A.ts"
    ])
  })
  it("name one circle for each group of files, and the shortest", () => {
    const twice = `import { b } from "./B.ts"\nimport { c } from "./C.ts"`
    assert.deepStrictEqual(
      circles({
        "A.ts": twice,
        "B.ts": `import { c } from "./C.ts"`,
        "C.ts": `import { a } from "./A.ts"`,
        "X.ts": `import { y } from "./Y.ts"`,
        "Y.ts": `import type { x } from "./X.ts"\nimport { a } from "./A.ts"`
      }),
      ["A.ts -> C.ts -> A.ts", "X.ts -> Y.ts -> X.ts"]
    )
  })
  it("find the errors that nothing makes", () => {
    const errors = ["Made", "Unread", "Absent", "Stored", "Unmade"]
      .map((name) => `export class ${name} extends failure("x.${name}", 500, "") {}`)
      .join("\n")
    const uses =
      "new Made()\n.annotate(Policy, { whenIdMalformed: Absent, whenReadFails: Unread })\nconst code = Stored.code"
    const unmade = (text: string) =>
      unmadeErrors(tree({ "src/domain/errors/XErrors.ts": errors, "src/http/api/XApi.ts": text }))
    assert.deepStrictEqual(unmade(uses), ["Unmade"])
    assert.deepStrictEqual(unmade(`${uses}\nnew Unmade()`), [])
    assert.deepStrictEqual(unmade(`${uses}\nresponses(Unmade, UnmadeToo)`), ["Unmade"])
    assert.deepStrictEqual(unmade(`${uses}\nerrors: [Made, Unmade]`), ["Unmade"])
    assert.deepStrictEqual(unmade(`${uses}\nerrors: [Unmade, Made]`), [])
  })
  it("find no circle where several ways lead to one file", () => {
    assert.deepStrictEqual(
      circles({ "A.ts": `import "./B.ts"\nimport "./C.ts"`, "B.ts": `import "./C.ts"`, "C.ts": "export const c = 1" }),
      []
    )
  })
  it("refuse files beside the area folders, but for an index", () => {
    assert.deepStrictEqual(looseFiles(["src/actors/Calls.ts", "src/layers/postgres/X.ts", "src/http/X.ts"]), [
      "src/actors/Calls.ts",
      "src/layers/postgres/X.ts",
      "src/http/X.ts"
    ])
    assert.deepStrictEqual(
      looseFiles([
        "src/actors/index.ts",
        "src/actors/calls/X.ts",
        "src/layers/X.ts",
        "src/layers/postgres/journal/X.ts"
      ]),
      []
    )
  })
  it("refuse a contract that reaches the server, in types or through other files", () => {
    const leaks = (text: string) =>
      contractLeaks(
        tree({
          "src/http/api/Api.ts": text,
          "src/http/middleware/Answers.ts": `import type { Calls } from "../../actors/calls/Calls.ts"`,
          "src/http/middleware/JsonOnly.ts": `import { x } from "../request/RequestId.ts"`,
          "src/http/middleware/JsonOnlyLive.ts": `import { x } from "./JsonOnly.ts"`,
          "src/http/request/RequestId.ts": "",
          "src/actors/calls/Calls.ts": ""
        })
      )
    assert.deepStrictEqual(leaks(`import { JsonOnly } from "../middleware/JsonOnly.ts"`), [])
    assert.deepStrictEqual(leaks(`import { Answers } from "../middleware/Answers.ts"`), [
      "src/http/api/Api.ts reaches src/actors/calls/Calls.ts"
    ])
    assert.deepStrictEqual(leaks(`import { x } from "../middleware/JsonOnlyLive.ts"`), [
      "src/http/api/Api.ts reaches src/http/middleware/JsonOnlyLive.ts"
    ])
  })

  it("refuse unit tests that reach the database or start a process, however far away", () => {
    const support = {
      "test/support/TestDatabase.ts": "export const layer = 1",
      "test/support/World.ts": `import "./TestDatabase.ts"`,
      "test/support/Program.ts": `import { spawn } from "node:child_process"`
    }
    const complaints = (path: string, imported: string) =>
      misnamedTests(tree({ ...support, [path]: `import "../support/${imported}"` }))
    assert.deepStrictEqual(complaints("test/domain/X.test.ts", "World.ts"), [
      "test/domain/X.test.ts uses the test database and is not named X.db.test.ts"
    ])
    assert.deepStrictEqual(complaints("test/domain/X.test.ts", "Program.ts"), [
      "test/domain/X.test.ts starts a process and is not named X.program.test.ts"
    ])
    assert.deepStrictEqual(complaints("test/domain/X.db.test.ts", "World.ts"), [])
    assert.deepStrictEqual(complaints("test/domain/X.program.test.ts", "Program.ts"), [])
    assert.deepStrictEqual(complaints("test/domain/X.db.test.ts", "None.ts"), [
      "test/domain/X.db.test.ts uses no database"
    ])
    assert.deepStrictEqual(complaints("test/domain/X.program.test.ts", "World.ts"), [
      "test/domain/X.program.test.ts starts no process"
    ])
  })
})
