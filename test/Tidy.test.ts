import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Source, untidy } from "./support/Tidy.ts"

const sources: ReadonlyArray<Source> = ["src", "test", "scripts", "bench"].filter(existsSync).flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ path: join(root, name), text: readFileSync(join(root, name), "utf8") }))
)

/** What the linter says of files with these texts: A.ts, B.ts and so on. */
const lint = (...texts: ReadonlyArray<string>): string => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-tidy-"))
  try {
    for (const [index, text] of texts.entries()) writeFileSync(join(folder, `${"ABC"[index]}.ts`), text)
    return spawnSync("node_modules/.bin/oxlint", ["--config", ".oxlintrc.json", folder], { encoding: "utf8" }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `  use(${index})`).join("\n")

describe("the house", () => {
  it("is tidy", () => {
    assert.isAbove(sources.length, 20)
    assert.deepStrictEqual(sources.flatMap(untidy), [])
  })
})

describe("the rules", () => {
  const accepts = (path: string, text: string) => assert.deepStrictEqual(untidy({ path, text }), [])
  const refuses = (path: string, text: string, complaint: string) =>
    assert.deepStrictEqual(untidy({ path, text }), [`${path} ${complaint}`])

  it("let imports run from domain over actors and http to the compositions", () => {
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
  it("stop imports against that direction, however they are written", () => {
    const call = "src/domain/calls/Call.ts"
    const body = "\nexport class Call {}"
    refuses(call, `import { Sql } from "effect/sql"${body}`, "imports package effect/sql")
    refuses(call, `import type {\n  Calls\n} from "../../actors/Calls.ts"${body}`, "imports src/actors/Calls.ts")
    refuses(call, `export { x } from "../../layers/X.ts"${body}`, "imports src/layers/X.ts")
    refuses(call, `import "node:fs"${body}`, "imports package node:fs")
    refuses(call, `const x = await import("jose")${body}`, "imports package jose")
    refuses("src/actors/Calls.ts", `import { x } from "../http/X.ts"\nexport class Calls {}`, "imports src/http/X.ts")
    refuses("src/http/Edge.ts", `import { x } from "../layers/X.ts"\nexport const edge = 1`, "imports src/layers/X.ts")
    refuses("src/layers/X.ts", `import { edge } from "../http/Edge.ts"\nexport const x = 1`, "imports src/http/Edge.ts")
    refuses("src/layers/X.ts", `import { s } from "../app/Server.ts"\nexport const x = 1`, "imports src/app/Server.ts")
    refuses("src/utils/X.ts", "export const x = 1", "is in no room of the house")
  })
  it("keep time, chance, the environment and the console out of everything but layers", () => {
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
    }
  })
  it("name files after what they export", () => {
    refuses("src/domain/calls/call.ts", "export class Call {}", "is not PascalCase")
    refuses("src/domain/calls/Call.ts", "export class Wallet {}", "is named after no class that it exports")
    accepts("src/domain/calls/Call.ts", "export const decideCall = 1")
    accepts("src/http/api/calls.ts", "export const x = 1")
  })
  it("leave nothing unfinished, in tests neither", () => {
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
  it("find files that import each other in a ring, by the linter", () => {
    const ring = [`import { b } from "./B.ts"\nexport const a = b`, `import { a } from "./A.ts"\nexport const b = a`]
    assert.include(lint(...ring), "no-cycle")
    assert.notInclude(lint(ring[0] ?? "", "export const b = 1"), "no-cycle")
  })
  it("bound files and functions and refuse loose types, by the linter", () => {
    assert.include(lint(`export const f = () => {\n${lines(70)}\n}\n`), "max-lines-per-function")
    assert.notInclude(lint(`export const f = () => {\n${lines(60)}\n}\n`), "max-lines-per-function")
    assert.include(lint(lines(401)), "max-lines")
    assert.include(lint("export const f = (x: any) => x\n"), "no-explicit-any")
    assert.include(
      lint(`import { Effect } from "effect"\nexport type X = Effect.Effect<void>\n`),
      "consistent-type-imports"
    )
  })
})
