// The command as a process of its own, against a running engine.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { verifyWebhook } from "../../src/client/Webhooks.ts"
import { layer as engine } from "../support/Engine.ts"
import { shell } from "../support/Shell.ts"

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("the command", (it) => {
  it.effect(
    "places calls, lists them and shows one",
    () =>
      Effect.gen(function* () {
        const { number, run } = yield* shell
        const call = yield* run("call", "+99900000001", "--say", "Hello")
        assert.strictEqual(call.code, 0, call.stderr)
        const lines = call.stdout.trimEnd().split("\n")
        assert.match(
          lines[0]!,
          new RegExp(`^ +\\d+\\.\\d s {2}ringing {4}from \\${number.number}; KES 3\\.00 a minute, 3\\.00 set aside$`)
        )
        assert.match(lines[1]!, /^ +\d+\.\d s {2}answered {3}say "Hello"$/)
        assert.match(lines.at(-2)!, /^ +\d+\.\d s {2}completed {2}\d+ s, 1 started minute$/)
        assert.strictEqual(lines.length, 4, call.stdout)
        const [, short] = /^✓ KES 3\.00 charged, KES [\d,.]+ left {8}trunkline calls show (\w{8})$/.exec(lines.at(-1)!)!
        const busy = yield* run("call", "+99900000002", "--json")
        assert.strictEqual(busy.code, 1)
        assert.deepInclude(JSON.parse(busy.stdout), { status: "busy", cost_minor: 0 })
        const calls = yield* run("calls", "--since", "1h", "--status", "completed")
        assert.match(
          calls.stdout,
          new RegExp(`^STARTED +ID +DIR +FROM +TO +STATUS +SEC +KES\n\\d\\d:\\d\\d:\\d\\d {2}${short} {2}out`)
        )
        const show = yield* run("calls", "show", short!)
        assert.match(show.stdout, / s {2}money {6}KES 3\.00 set aside\n/)
        assert.match(show.stdout, / s {2}say {8}"Hello"\n/)
        assert.match(
          show.stdout,
          / s {2}completed {2}normal_clearing\nBill {2}\d+ s, 1 started minute at KES 3\.00 a minute /
        )
        assert.match(show.stdout, /\n {6}KES 3\.00 charged, KES [\d,.]+ left\n$/)
        const proof = JSON.parse((yield* run("calls", "show", short!, "--json")).stdout)
        assert.deepInclude(proof.charge, { cost_minor: 300 })
        assert.include(
          proof.timeline.map(({ kind }: { readonly kind: string }) => kind),
          "charge.booked"
        )
        const json = (yield* run("calls", "--json", "--limit", "2")).stdout.trimEnd().split("\n")
        assert.deepStrictEqual(
          json.map((line) => (JSON.parse(line) as { readonly status: string }).status),
          ["busy", "completed"]
        )
        const gone = yield* run("calls", "show", "ffffffff")
        assert.deepStrictEqual(
          [gone.code, gone.stdout, gone.stderr],
          [4, "", "✗ No call, or more than one, ends with ffffffff.\n  trunkline calls\n"]
        )
      }),
    240_000
  )

  it.effect(
    "says why a callback failed, with its URL, and asks before a live key spends money",
    () =>
      Effect.gen(function* () {
        const { run } = yield* shell
        const url = "http://127.0.0.1:9/voice"
        const failed = yield* run("call", "+99900000001", "--callback", url)
        assert.strictEqual(failed.code, 1)
        assert.match(failed.stdout, /\n✗ The callback http:\/\/127\.0\.0\.1:9\/voice failed: connect_failed\n✗ KES /)
        const unasked = yield* run("call", "+254722000000")
        assert.deepStrictEqual([unasked.code, unasked.stdout], [2, ""])
        assert.match(unasked.stderr, /^✗ This key is live, and there is no terminal to ask on\.\n {2}add --live/)
        for (const given of ["--live", "--yes"]) {
          const placed = yield* run("call", "+254722000000", given, "--detach", "--json")
          assert.strictEqual(placed.code, 0, placed.stderr)
        }
      }),
    240_000
  )

  it.effect(
    "follows events, and sends them to an application as webhooks",
    () =>
      Effect.gen(function* () {
        const { base, begin, folder, run } = yield* shell
        const { stdout: secret } = yield* run("listen", "--print-secret")
        assert.strictEqual(statSync(join(folder, "trunkline/listen-secret")).mode & 0o777, 0o600)
        assert.strictEqual((yield* run("listen", "--print-secret")).stdout, secret)
        const received: Array<string> = []
        yield* Effect.promise(async () => {
          const bodyOf = async (request: IncomingMessage) => Buffer.concat(await request.toArray())
          const application = createServer(async (request, response) => {
            const body = await bodyOf(request)
            const { event_kind } = await verifyWebhook({ headers: request.headers, body }, secret.trim())
            received.push(event_kind)
            response
              .writeHead(event_kind === "call.ringing" ? 400 : 204)
              .end(event_kind === "call.ringing" ? "too early" : undefined)
          })
          await new Promise<void>((resolve) => application.listen(0, "127.0.0.1", resolve))
          const { port } = application.address() as { readonly port: number }
          const listening = begin("listen", "--forward-to", `127.0.0.1:${port}/hooks`, "--kinds", "call.*")
          const events = begin("events", "--kinds", "call.*", "--json")
          await listening.printed("Ready: all events of ")
          const call = await begin("call", "+99900000001").ran
          assert.strictEqual(call.code, 0, call.stderr)
          await listening.printed("call.completed")
          await events.printed('"call.completed"')
          for (const { kill } of [listening, events]) kill("SIGINT")
          const told = await listening.ran
          assert.strictEqual(told.code, 130)
          assert.match(told.stdout, /call\.ringing {5}\w{8} {2}→ 400 +\d+ ms {2}"too early"\n/)
          assert.match(told.stdout, /call\.completed {3}\w{8} {2}→ 204 +\d+ ms\n/)
          const followed = (await events.ran).stdout.trimEnd().split("\n")
          assert.strictEqual(
            (JSON.parse(followed.at(-1)!) as { readonly event_kind: string }).event_kind,
            "call.completed"
          )
          await new Promise((resolve) => application.close(resolve))
          const nobody = await begin("listen", "--forward-to", `127.0.0.1:${port}`, "--since", "1h", "--fail-fast").ran
          assert.deepStrictEqual(
            [nobody.code, nobody.stderr.split("\n").at(-2)],
            [3, `✗ Nothing listens on 127.0.0.1:${port}.`]
          )
        })
        assert.deepStrictEqual(received.at(-1), "call.completed")
        assert.include(base, "http://")
      }),
    240_000
  )

  it.effect(
    "hangs up the call that Ctrl-C leaves",
    () =>
      Effect.gen(function* () {
        const { begin, run } = yield* shell
        yield* Effect.promise(async () => {
          const calling = begin("call", "+99900000003")
          await calling.printed("ringing")
          calling.kill("SIGINT")
          const { code, stderr } = await calling.ran
          assert.strictEqual(code, 130)
          assert.match(stderr, /! Hung up; the call was \w+, KES 0\.00 charged\./)
        })
        const newest = JSON.parse((yield* run("calls", "--limit", "1", "--json")).stdout) as { readonly status: string }
        assert.strictEqual(newest.status, "canceled")
      }),
    240_000
  )

  it.effect(
    "manages keys, and shows numbers, the wallet and what is wrong",
    () =>
      Effect.gen(function* () {
        const { base, folder, number, run, runIn } = yield* shell
        const asked = ["keys", "create", "ci", "--scopes", "wallet.read,numbers.read"]
        assert.match((yield* run(...asked)).stderr, /^✓ Key ci \(\w{8}, test, /)
        const unasked = yield* run(...asked, "--mode", "live")
        assert.deepStrictEqual(
          [unasked.code, unasked.stdout, unasked.stderr],
          [2, "", "✗ There is no terminal to ask on.\n  add --live\n"]
        )
        assert.strictEqual((yield* run(...asked, "--mode", "test", "--live")).code, 2)
        const made = yield* run(...asked, "--live")
        assert.match(made.stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
        const [, short] = /✓ Key ci \((\w{8}), live, until \d{4}-\d\d-\d\d\) was printed to stdout, this once\n$/.exec(
          made.stderr
        )!
        const file = join(folder, "ci.key")
        writeFileSync(file, made.stdout)
        const environment = { TRUNKLINE_URL: base, TRUNKLINE_API_KEY_FILE: file }
        chmodSync(file, 0o644)
        const open = yield* runIn(environment, "wallet")
        assert.deepStrictEqual([open.code, open.stderr], [5, `✗ Others can read ${file}.\n  chmod 600 ${file}\n`])
        chmodSync(file, 0o600)
        assert.match(
          (yield* runIn(environment, "wallet")).stdout,
          /^KES [\d,]+\.\d\d, of which [\d,.]+ set aside\. You are warned below [\d,.]+\.\n$/
        )
        assert.include((yield* runIn(environment, "numbers")).stdout, number.number)
        const denied = yield* runIn(environment, "calls", "--json")
        assert.deepStrictEqual([denied.code, denied.stdout], [5, ""])
        assert.strictEqual(
          (JSON.parse(denied.stderr) as { readonly error: { readonly code: string } }).error.code,
          "api_key.scope_denied"
        )
        const play = yield* run("keys", "create", "play", "--scopes", "wallet.read,wallet.write", "--mode", "test")
        const playFile = join(folder, "play.key")
        writeFileSync(playFile, play.stdout, { mode: 0o600 })
        const credited = yield* runIn(
          { TRUNKLINE_URL: base, TRUNKLINE_API_KEY_FILE: playFile },
          "wallet",
          "credit",
          "12.50"
        )
        assert.match(credited.stdout, /^✓ The sandbox has KES [\d,]+\.\d\d\n$/, credited.stderr)
        const live = yield* run("wallet", "credit", "12.50")
        assert.deepStrictEqual([live.code, live.stdout], [5, ""], live.stderr)
        const healthy = yield* runIn(environment, "doctor")
        assert.strictEqual(healthy.code, 0, healthy.stdout)
        assert.match(
          healthy.stdout,
          /^✓ engine .*\n✓ clock .*\n✓ key {7}ci of .*, live, 2 scopes, until .*\n✓ numbers .*\n✓ wallet .*\n$/
        )
        assert.include((yield* run("keys", "revoke", short!)).stdout, "is revoked")
        const ill = yield* runIn(environment, "doctor")
        assert.strictEqual(ill.code, 1)
        assert.match(ill.stdout, /✗ key .*revoked/)
        const away = yield* runIn({ ...environment, TRUNKLINE_URL: "http://127.0.0.1:9" }, "doctor")
        assert.deepStrictEqual(
          [away.code, away.stderr],
          [3, "✗ No engine answers at http://127.0.0.1:9.\n  trunkline start\n"]
        )
      }),
    240_000
  )

  it.effect(
    "proves that a number may be shown by calls, and gives it up",
    () =>
      Effect.gen(function* () {
        const { run } = yield* shell
        const number = "+254722000033"
        const none = yield* run("caller-ids")
        assert.strictEqual(
          none.stdout,
          "No number was proved yet. Next: trunkline caller-ids add NUMBER\n",
          none.stderr
        )
        const added = yield* run("caller-ids", "add", number)
        assert.strictEqual(added.stdout, `✓ ${number} is called now and hears a code of six digits\n`, added.stderr)
        const [, short] = /^Next: trunkline caller-ids verify (\w{8}) CODE\n$/.exec(added.stderr)!
        assert.match(
          (yield* run("caller-ids", "show", number)).stdout,
          new RegExp(`^\\${number} {2}${short} {2}calling\n {2}the code can be entered until .* UTC, 5 times\n$`)
        )
        const wrong = yield* run("caller-ids", "verify", short!, "000000")
        assert.deepStrictEqual([wrong.code, wrong.stdout], [4, ""])
        const proved = yield* run("caller-ids", "verify", short!, "123456")
        assert.match(
          proved.stdout,
          new RegExp(`^✓ Calls may show \\${number} until \\d{4}-\\d\\d-\\d\\d\n$`),
          proved.stderr
        )
        assert.match(
          (yield* run("caller-ids")).stdout,
          new RegExp(`^NUMBER +ID +STATUS +PROVED BY +UNTIL\n\\${number} {2}${short} {2}verified +call +\\d{4}-`)
        )
        assert.deepInclude(JSON.parse((yield* run("caller-ids", "--json")).stdout), { number, status: "verified" })
        const malformed = yield* run("caller-ids", "add", "0722")
        assert.deepStrictEqual([malformed.code, malformed.stdout], [4, ""])
        assert.strictEqual(
          (yield* run("caller-ids", "withdraw", short!)).stdout,
          `✓ The next call cannot show ${number}\n`
        )
        const gone = yield* run("caller-ids", "show", short!)
        assert.deepStrictEqual(
          [gone.code, gone.stderr],
          [4, `✗ You have no caller id ${short}.\n  trunkline caller-ids\n`]
        )
      }),
    240_000
  )

  it.effect(
    "prints the document of its package, which is the engine's, and checks a database without an engine",
    () =>
      Effect.gen(function* () {
        const { folder, run } = yield* shell
        const file = join(folder, "openapi.json")
        assert.strictEqual((yield* run("openapi", "--out", file)).stderr, `✓ ${file}\n`)
        assert.strictEqual(JSON.parse(readFileSync(file, "utf8")).openapi, "3.1.0")
        const again = yield* run("openapi", "--out", file)
        assert.deepStrictEqual([again.code, again.stderr], [2, `✗ ${file} exists; add --yes to replace it.\n`])
        const same = yield* run("openapi", "--diff")
        assert.deepStrictEqual([same.code, same.stdout], [0, ""], same.stderr)
        const none = yield* run("db", "check", "--json")
        assert.deepStrictEqual([none.code, none.stdout], [3, ""])
        assert.match(JSON.parse(none.stderr).error.message, /^There is no database in /)
      }),
    240_000
  )

  it.effect(
    "tells wrong usage in two lines, and completes in a shell",
    () =>
      Effect.gen(function* () {
        const { run, runIn } = yield* shell
        const misspelt = yield* run("cal")
        assert.deepStrictEqual(
          [misspelt.code, misspelt.stdout, misspelt.stderr],
          [2, "", "✗ Command cal does not exist. Did you mean call?\n  trunkline --help\n"]
        )
        assert.strictEqual((yield* run("calls", "--status", "complete")).code, 2)
        assert.strictEqual((yield* run("call", "+99900000001", "--say", "a", "--callback", "http://a")).code, 2)
        assert.strictEqual((yield* run("events", "--since", "yesterday")).code, 2)
        const nobody = yield* runIn({}, "wallet")
        assert.deepStrictEqual([nobody.code, nobody.stdout], [5, ""])
        const wrong = yield* run("call", "0722")
        assert.strictEqual(wrong.code, 4)
        assert.match(wrong.stderr, /^✗ /)
        const help = yield* run("--help")
        for (const name of [
          "call",
          "simulate",
          "trigger",
          "calls",
          "events",
          "listen",
          "webhooks",
          "replay",
          "keys",
          "numbers",
          "caller-ids",
          "wallet",
          "doctor"
        ])
          assert.include(help.stdout, `  ${name} `)
        const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string }
        assert.strictEqual((yield* run("--version")).stdout, `${version}\n`)
        assert.include((yield* run("--completions", "bash")).stdout, "trunkline")
      }),
    240_000
  )
})
