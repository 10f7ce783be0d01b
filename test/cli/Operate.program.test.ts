// The commands for profiles, operators, gateways and engines, as processes of their own.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, statSync, writeFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { layer as engine } from "../support/Engine.ts"
import { freePort } from "../support/Ports.ts"
import { shell } from "../support/Shell.ts"
import { until } from "../support/Until.ts"

/** The sign-in link of the only mail that comes into the folder, which is quoted-printable (RFC 2045). */
const mailedLink = async (folder: string): Promise<string> => {
  // The mail is written after the request was answered.
  const mails = Effect.promise(() => readdir(folder).catch(() => []))
  const [name = ""] = await Effect.runPromise(until("mail", mails, ({ length }) => length > 0))
  const text = (await readFile(join(folder, name), "utf8")).replaceAll("=\r\n", "").replaceAll("=3D", "=")
  return /http\S+\/sign-in\?token=[\w.-]+/.exec(text)?.[0] ?? text
}

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("the command", (it) => {
  it.effect(
    "remembers engines and keys as profiles, and sends a key to its own engine only",
    () =>
      Effect.gen(function* () {
        const { api_key, base, folder, read_only_api_key, runWith } = yield* shell
        const none = yield* runWith("", "wallet", "--url", base)
        assert.deepStrictEqual(
          [none.code, none.stdout, none.stderr],
          [
            5,
            "",
            "✗ No key: no TRUNKLINE_API_KEY_FILE, no TRUNKLINE_API_KEY, no profile, no .data here.\n  trunkline login, or trunkline start\n"
          ]
        )
        const login = yield* runWith(api_key, "login", "--url", base, "--name", "work", "--key-stdin")
        assert.match(
          login.stdout,
          /^✓ Profile work: Demo \(live\) at http.*, key Demo until \d{4}-\d\d-\d\d\n$/,
          login.stderr
        )
        const file = join(folder, "trunkline/profiles.json")
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        assert.strictEqual((yield* runWith("", "wallet")).code, 0)
        // Another engine gets nothing, even if it is named by a flag.
        assert.strictEqual((yield* runWith("", "wallet", "--url", "http://127.0.0.1:1")).code, 5)
        yield* runWith(read_only_api_key, "login", "--url", base, "--name", "reader", "--key-stdin")
        const listed = yield* runWith("", "profiles")
        assert.match(listed.stdout, /^ {3}PROFILE {2}ENGINE .*\n {3}work .*\n\* {2}reader /)
        assert.notInclude(listed.stdout, api_key)
        assert.strictEqual((yield* runWith("", "wallet")).code, 5)
        assert.strictEqual((yield* runWith("", "wallet", "--profile", "work")).code, 0)
        assert.strictEqual((yield* runWith("", "profiles", "use", "work")).stdout, "✓ Commands use profile work\n")
        const debug = yield* runWith("", "wallet", "--debug")
        assert.match(debug.stderr, /^GET \/v1\/wallet\/balance {2}200 {2}\d+ ms {2}[\w-]+\n$/)
        const unknown = yield* runWith("", "wallet", "--profile", "nobody")
        assert.deepStrictEqual(
          [unknown.code, unknown.stderr],
          [2, "✗ There is no profile nobody.\n  trunkline profiles\n"]
        )
        const refused = yield* runWith("nonsense", "login", "--url", base, "--key-stdin")
        assert.strictEqual(refused.code, 5)
        const unasked = yield* runWith("", "login", "--url", base)
        assert.deepStrictEqual(
          [unasked.code, unasked.stderr],
          [2, "✗ There is no terminal to ask on.\n  trunkline login --key-stdin < FILE\n"]
        )
        const foreign = yield* runWith(
          "https://voice.example.com/sign-in?token=t",
          "login",
          "--url",
          base,
          "--link-stdin"
        )
        assert.deepStrictEqual(
          [foreign.code, foreign.stderr.split("\n")[0]],
          [2, `✗ This link signs in at https://voice.example.com, not at ${base}.`]
        )
        chmodSync(file, 0o644)
        assert.deepStrictEqual(
          [(yield* runWith("", "wallet")).stderr],
          [`✗ Others can read ${file}.\n  chmod 600 ${file}\n`]
        )
        chmodSync(file, 0o600)
        assert.strictEqual((yield* runWith("", "logout")).stdout, "✓ Profile work is forgotten\n")
        assert.strictEqual((yield* runWith("", "wallet", "--url", base)).code, 5)
        writeFileSync(file, '{"profiles":{"work":{"url":"nowhere"}}}', { mode: 0o600 })
        const broken = yield* runWith("", "wallet", "--url", base)
        assert.deepStrictEqual([broken.code, broken.stderr], [2, `✗ ${file} is no list of profiles.\n  rm ${file}\n`])
        // What needs no engine needs no profile.
        assert.strictEqual((yield* runWith("", "openapi")).code, 0)
      }),
    240_000
  )

  it.effect(
    "does what an operator does: looks, imports rates, credits once, suspends, assigns",
    () =>
      Effect.gen(function* () {
        const { base, folder, operator_session, run, runIn } = yield* shell
        const environment = { TRUNKLINE_URL: base, TRUNKLINE_SESSION: operator_session }
        const admin = (...args: ReadonlyArray<string>) => runIn(environment, "admin", ...args)
        const member = yield* run("admin")
        assert.strictEqual(member.code, 5, member.stdout)
        assert.match((yield* admin()).stdout, /^✓ 2 workspaces\n✓ 2 active series of numbers\n✓ \d+ rates in KES\n/)
        assert.match((yield* admin("workspaces")).stdout, /^ID +NAME +STATUS +MONEY +NUMBERS +SINCE\n/)
        for (const list of [
          ["prices"],
          ["series"],
          ["providers"],
          ["gateways"],
          ["topup-limits"],
          ["payins"],
          ["rates", "list"]
        ]) {
          const { code, stderr, stdout } = yield* admin(...list)
          assert.strictEqual(code, 0, stderr)
          assert.notStrictEqual(stdout, "")
          for (const line of (yield* admin(...list, "--json")).stdout.split("\n").filter((text) => text !== ""))
            assert.isObject(JSON.parse(line), list.join(" "))
        }

        const sheet = join(folder, "rates.csv")
        writeFileSync(sheet, "currency,direction,prefix,per_min_minor\nKES,outbound,+254,3.10\n")
        const faulty = yield* admin("rates", "import", sheet, "--yes")
        assert.deepStrictEqual(
          [faulty.code, faulty.stderr],
          [4, "✗ rates.csv:2 per_min_minor is no whole number of minor units. Nothing was imported.\n  docs/rates.md\n"]
        )
        writeFileSync(sheet, "currency,prefix,per_min_minor,effective_from\nKES,+254,310,\nKES,999123,5,2127-01-01\n")
        assert.strictEqual(
          (yield* admin("rates", "import", sheet, "--dry-run")).stdout,
          "KES  outbound  254     3.00  →  3.10  now\nKES  outbound  999123   new  →  0.05  2127-01-01\n2 of 2 rates change. Nothing was imported.\n"
        )
        const unsure = yield* admin("rates", "import", sheet)
        assert.deepStrictEqual([unsure.code, unsure.stderr], [2, "✗ There is no terminal to ask on.\n  add --yes\n"])
        const imported = yield* admin("rates", "import", sheet, "--yes")
        assert.strictEqual(imported.stdout, "✓ 2 rates are new, 0 replaced, 0 unchanged\n", imported.stderr)
        assert.strictEqual((yield* admin("rates", "import", sheet, "--yes")).stdout, "✓ All 2 rates apply already\n")

        const credit = ["credit", "Demo", "12.50", "--note", "a gift", "--reference", "Rückzahlung 1", "--yes"]
        const first = yield* admin(...credit)
        assert.match(first.stdout, /^✓ KES 12\.50 for Demo, which has KES [\d,.]+\n$/, first.stderr)
        assert.strictEqual((yield* admin(...credit)).stdout, first.stdout)
        assert.match(
          (yield* admin("workspaces", "suspend", "Other", "--reason", "a test", "--yes")).stdout,
          / is suspended\n$/
        )
        assert.match((yield* admin("workspaces", "reinstate", "Other")).stdout, / is active again\n$/)
        const ceilings = (...change: ReadonlyArray<string>) => admin("workspaces", "ceilings", "Other", ...change)
        const open = yield* ceilings()
        assert.match(open.stdout, /^LIMIT +AT MOST\ndaily_spend_limit_minor +-\n/, open.stderr)
        assert.match(
          (yield* ceilings("--daily-spend", "12.50", "--concurrent-calls", "3")).stdout,
          /\ndaily_spend_limit_minor +KES 12\.50\nmax_concurrent_calls +3\ncalls_per_second +-\n/
        )
        assert.deepInclude(JSON.parse((yield* ceilings("--lift", "--high-risk-calls", "1", "--json")).stdout), {
          daily_spend_limit_minor: null,
          max_concurrent_calls: null,
          max_concurrent_high_risk_calls: 1
        })
        assert.match(
          (yield* admin("gateways", "assign", "nairobi-1", "--workspace", "Other")).stdout,
          /^✓ Calls of Other \(\w{8}\) go through nairobi-1\n$/
        )
        const callerIds = (...args: ReadonlyArray<string>) => admin("caller-ids", ...args, "--workspace", "Other")
        assert.strictEqual((yield* callerIds()).stdout, "Other has no caller ids\n")
        assert.match(
          (yield* callerIds("approve", "+254722000034", "--yes")).stdout,
          /^✓ Calls of Other may show \+254722000034 until \d{4}-\d\d-\d\d\n$/
        )
        assert.strictEqual((yield* callerIds("revoke", "+254722000034")).code, 2)
        assert.match((yield* callerIds()).stdout, /\n\+254722000034 {2}\w{8} {2}verified {2}operator/)
        assert.strictEqual(
          (yield* callerIds("revoke", "+254722000034", "--yes")).stdout,
          "✓ Other may not show +254722000034 until it is approved\n"
        )
        assert.match((yield* callerIds()).stdout, /\n\+254722000034 {2}\w{8} {2}revoked/)
        const lacking = yield* admin()
        assert.strictEqual(lacking.code, 1)
        assert.match(lacking.stdout, /✗ gateway nairobi-1 is never connected; 1 workspace cannot call\n/)
        assert.strictEqual((yield* admin("gateways", "assign", "default", "--workspace", "Other")).code, 0)
        assert.strictEqual((yield* admin("workspaces", "reinstate", "Nobody")).code, 4)
      }),
    240_000
  )

  it.effect(
    "starts an engine, which drains and ends with 0, and judges a configuration",
    () =>
      Effect.gen(function* () {
        const { begin, folder, runIn, runWith } = yield* shell
        const port = yield* freePort
        const url = `http://127.0.0.1:${port}`
        yield* Effect.promise(async () => {
          const running = begin("start", "--port", `${port}`, "--data", join(folder, "data"))
          await running.printed(`trunkline is ready   ${url}`)
          const taken = await begin("start", "--port", `${port}`, "--data", join(folder, "other")).ran
          assert.strictEqual(taken.code, 1)
          assert.include(taken.stderr, `${port}`)

          // A person signs in by a link: without a terminal, in two steps.
          const asked = await begin("login", "--url", url, "--email", "owner@example.com").ran
          assert.match(
            asked.stderr,
            /^If owner@example\.com has an account, a link is on its way\.\n✗ There is no terminal/
          )
          const link = await mailedLink(join(folder, "data", "mail"))
          const signedIn = await Effect.runPromise(runWith(link, "login", "--url", url, "--link-stdin"))
          assert.strictEqual(signedIn.stdout, `✓ Profile default: owner@example.com, Demo at ${url}\n`, signedIn.stderr)
          assert.match((await Effect.runPromise(runWith("", "keys"))).stdout, /^ID +LABEL /)
          const out = await Effect.runPromise(runWith("", "logout"))
          assert.strictEqual(out.stdout, "✓ Profile default is forgotten, and its session has ended\n")
          running.kill("SIGTERM")
          assert.strictEqual((await running.ran).code, 0)
        })
        const check = yield* runIn({ ENVIRONMENT: "production" }, "start", "--check")
        assert.strictEqual(check.code, 1)
        assert.match(check.stdout, /^A production start refuses this configuration:\n {2}DATABASE_URL is missing/)
        assert.strictEqual((yield* runIn({}, "start", "--port", "99999")).code, 2)
      }),
    240_000
  )

  it.effect("says why a gateway cannot be judged", () =>
    Effect.gen(function* () {
      const { base, run } = yield* shell
      const { port } = new URL(base)
      const taken = yield* run("gateway", "check", `ws://127.0.0.1:${port}`)
      assert.deepStrictEqual([taken.code, taken.stdout], [3, ""])
      assert.match(taken.stderr, /^✗ Cannot listen on ws:\/\/127\.0\.0\.1:\d+: .*EADDRINUSE/)
      const malformed = yield* run("gateway", "check", "9090")
      assert.deepStrictEqual(
        [malformed.code, malformed.stderr],
        [2, "✗ 9090 is no address to listen on.\n  trunkline gateway check ws://127.0.0.1:9090\n"]
      )
    })
  )
})
