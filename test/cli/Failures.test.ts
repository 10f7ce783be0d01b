// Every command says a failure as one line of JSON with `--json`. The commands come from the tree, so that none is left
// out.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Command } from "effect/cli"
import { command, run } from "../../src/cli/Program.ts"

const pathsOf = ({ name, subcommands }: Command.Command.Any, above: ReadonlyArray<string>): Array<Array<string>> => {
  const own = [...above, name]
  return [own, ...subcommands.flatMap(({ commands }) => commands.flatMap((each) => pathsOf(each, own)))]
}

/** Every command without the name of the root, and not the root itself. */
const all = pathsOf(command, []).flatMap(([, ...path]) => (path.length === 0 ? [] : [path]))

/** What a run prints. The writes of the process are caught, as a shell would. */
const ran = async (args: ReadonlyArray<string>) => {
  const { stderr, stdout } = process
  const printed = { stdout: "", stderr: "" }
  const caught = (name: "stderr" | "stdout") =>
    ((text: string | Uint8Array) => {
      printed[name] += typeof text === "string" ? text : new TextDecoder().decode(text)
      return true
    }) as typeof stdout.write
  const before = [stdout.write, stderr.write] as const
  stdout.write = caught("stdout")
  stderr.write = caught("stderr")
  try {
    return { code: await Effect.runPromise(run(args)), printed }
  } finally {
    ;[stdout.write, stderr.write] = before
  }
}

const assertTold = async (args: ReadonlyArray<string>, code?: number): Promise<void> => {
  const { code: got, printed } = await ran(args)
  const what = `trunkline ${args.join(" ")}: ${JSON.stringify(printed)}`
  if (code === undefined) assert.notStrictEqual(got, 0, what)
  else assert.strictEqual(got, code, what)
  assert.strictEqual(printed.stdout, "", what)
  const [line = "", ...more] = printed.stderr.split("\n")
  assert.deepStrictEqual(more, [""], what)
  const { error } = JSON.parse(line)
  assert.match(error.code, /^[a-z_]+\.[a-z_]+$/u, what)
  assert.notStrictEqual(error.code, "command.defect", what)
  assert.isString(error.message, what)
}

/** These need no engine. `admin rates` prints its help. */
const alone = new Set([
  "start",
  "db",
  "db check",
  "gateway",
  "gateway check",
  "openapi",
  "profiles",
  "profiles use",
  "admin rates"
])

describe("a failure with --json", () => {
  it("knows the commands of the tree", () => {
    assert.isAbove(all.length, 30)
    assert.deepInclude(all, ["calls", "show"])
  })

  for (const path of all)
    it(`is one line for wrong usage: ${path.join(" ")}`, async () => {
      await assertTold([...path, "--no-such-flag", "--json"], 2)
    })

  for (const path of all.filter((each) => !alone.has(each.join(" "))))
    it(`is one line without an engine: ${path.join(" ")}`, async () => {
      await assertTold([...path, "--json", "--url", "nonsense"])
    })

  it("is one line for a command that does not exist, and for a file that cannot be read", async () => {
    await assertTold(["cal", "--json"], 2)
    const given = ["--json", "--url", "http://127.0.0.1:9"]
    const before = process.env["TRUNKLINE_API_KEY"]
    process.env["TRUNKLINE_API_KEY"] = "a.b.c"
    try {
      for (const file of ["/no/such/file.json", import.meta.dirname])
        await assertTold(["simulate", file, "--from", "+254207900001", ...given], 2)
      await assertTold(["call", "+99900000001", "--actions", import.meta.filename, ...given], 2)
    } finally {
      if (before === undefined) delete process.env["TRUNKLINE_API_KEY"]
      else process.env["TRUNKLINE_API_KEY"] = before
    }
  })
})
