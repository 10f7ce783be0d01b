// The promises of the interface, checked against the engine from outside, and against deployments that are wrong.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promises } from "../../src/cli/conformance/Promises.ts"
import { beginSlow, run as check, type Result } from "../../src/cli/conformance/Run.ts"
import { DemoFile, layer as engine } from "../support/Engine.ts"
import { shell } from "../support/Shell.ts"
import { flaws, flawsOf, membersOf } from "./conformance/Flaws.ts"
import { type Flaw, record, type Recording, replay } from "./conformance/Replay.ts"

const named = (results: ReadonlyArray<Result>, status: Result["status"]) =>
  results.filter((result) => result.status === status).map(({ id, seen, sentence }) => `${id} ${sentence} ${seen}`)

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("the conformance of a deployment", (it) => {
  it.effect(
    "is whole for the engine, and each promise notices a deployment that breaks it",
    () =>
      Effect.gen(function* () {
        const { base } = yield* shell
        const { test_api_key } = yield* DemoFile
        yield* Effect.promise(async () => {
          let whole: ReadonlyArray<Result> = []
          const recording = await record(base, test_api_key, async (world) => {
            beginSlow(promises, world)
            whole = await check(promises, world)
          })
          assert.deepStrictEqual(named(whole, "broken"), [])
          assert.deepStrictEqual(named(whole, "skipped"), [])
          assert.isAtLeast(whole.length, 250)
          await judge(recording)
        })
      }),
    240_000
  )

  it.effect("is told by the command", () =>
    Effect.gen(function* () {
      const { base, folder, run, runIn } = yield* shell
      const { test_api_key } = yield* DemoFile
      for (const args of [[], ["--live"], ["--spend-limit", "50"]]) {
        const refused = yield* run("conformance", ...args)
        assert.strictEqual(refused.code, 2, args.join(" "))
        assert.include(refused.stderr, "✗ This key is live, and the calls cost money.")
      }
      const live = yield* run("conformance", "--live", "--spend-limit", "50", "--only", "actions")
      assert.match(live.stdout, /^✓ actions {2}(\d+) of \1 kept\n\1 of \1 promises kept in \d+ s\n$/)
      const spent = yield* run("conformance", "--live", "--only", "inventory", "--spend-limit", "0.01", "--json")
      assert.strictEqual(spent.code, 0, spent.stderr)
      const test = { TRUNKLINE_URL: base, TRUNKLINE_API_KEY: test_api_key }
      const file = join(folder, "junit.xml")
      const written = yield* runIn(test, "conformance", "--only", "errors", "--junit", file)
      assert.strictEqual(written.code, 0, `${written.stdout}${written.stderr}`)
      assert.match(readFileSync(file, "utf8"), /<testsuite name="errors" tests="\d+" failures="0" skipped="0">/)
      const unwritten = yield* runIn(test, "conformance", "--only", "errors.1", "--junit", join(folder, "none", "x"))
      assert.strictEqual(unwritten.code, 2, unwritten.stderr)
      assert.match(unwritten.stderr, /^✗ Cannot write \S+: ENOENT[^\n]*\n$/)
      const listed = yield* run("conformance", "--list")
      assert.match(listed.stdout, /^money\.1 +A call costs its started minutes at its rate\.$/m)
      const unknown = yield* run("conformance", "--only", "nothing")
      assert.strictEqual(unknown.code, 2)
    })
  )
})

const largest = 100_000

/** Every promise is kept in the replay, and is broken by a flaw: by what it judges, and not by its set-up. */
const judge = async (recording: Recording): Promise<void> => {
  assert.deepStrictEqual(named(await check(promises, await replay(recording)), "broken"), [])
  let unnoticed = promises
  const passTo = async (flaw: Flaw) => {
    const results = await check(unnoticed, await replay(recording, flaw))
    const noticed = new Set(results.filter(({ judged, status }) => judged && status === "broken").map(({ id }) => id))
    unnoticed = unnoticed.filter(({ id }) => !noticed.has(id))
  }
  for (const flaw of Object.values(flaws)) await passTo(flaw)
  // What is left is kept without a flaw when it is checked by itself, too.
  assert.deepStrictEqual(named(await check(unnoticed, await replay(recording)), "broken"), [])
  const texts = [...recording.exchanges.map(({ text }) => text), ...recording.received.map(({ body }) => body)]
  const members = new Set(texts.filter(({ length }) => length < largest).flatMap(membersOf))
  for (const flaw of [...members].flatMap(flawsOf)) if (unnoticed.length > 0) await passTo(flaw)
  assert.deepStrictEqual(
    unnoticed.map(({ id, sentence }) => `${id} ${sentence}`),
    []
  )
}
