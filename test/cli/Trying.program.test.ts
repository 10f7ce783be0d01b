// The commands that try things, as processes of their own, against a running engine.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { Trunkline } from "../../src/client/Client.ts"
import { verifyWebhook } from "../../src/client/Webhooks.ts"
import { layer as engine } from "../support/Engine.ts"
import { shell } from "../support/Shell.ts"
import { until } from "../support/Until.ts"

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("the command", (it) => {
  it.effect(
    "tries voice actions and callbacks, as a call carries them out",
    () =>
      Effect.gen(function* () {
        const { folder, run } = yield* shell
        const menu = join(folder, "menu.json")
        const prompt = { say: { text: "For sales press 1, for support 2" } }
        const gather = { prompt, num_digits: 1 }
        const actions = [
          { gather },
          { dial: { number: "+99900000003", timeout: 20 } },
          { say: { text: "Nobody is there. Goodbye." } },
          { hangup: {} }
        ]
        writeFileSync(menu, JSON.stringify({ actions }, null, 2))
        const tried = yield* run("simulate", menu, "--keys", "2")
        assert.strictEqual(tried.code, 0, tried.stderr)
        assert.deepStrictEqual(tried.stdout.split("\n"), [
          ' 0:02  gather     "For sales press 1, for support 2": 2',
          " 0:02  dial       +99900000003 rang for 20 s: no_answer",
          ' 0:22  say        "Nobody is there. Goodbye."',
          " 0:23  completed  22 s, would cost KES 3.00. Nothing rang.",
          ""
        ])
        const busy = yield* run("simulate", menu, "--phone", "busy")
        assert.deepStrictEqual(
          [busy.code, busy.stdout],
          [1, " 0:00  busy       0 s (user_busy), would cost KES 0.00. Nothing rang.\n"]
        )
        writeFileSync(
          menu,
          '{ "actions": [\n  { "say": { "text": "a" } },\n  { "dail": { "number": "+99900000003" } }\n] }'
        )
        const wrong = yield* run("simulate", menu)
        assert.deepStrictEqual([wrong.code, wrong.stdout], [4, ""])
        assert.include(wrong.stderr, `✗ ${menu}:3:5 /actions/1/dail `)
        const short = JSON.stringify({
          actions: [{ gather: { num_digits: 4 } }, { say: { text: "Thanks" } }, { hangup: {} }]
        })
        writeFileSync(menu, short)
        const simulated = yield* run("simulate", menu, "--to", "+99900000010", "--json")
        const placed = yield* run("call", "+99900000010", "--actions", menu, "--json")
        const { call, cost_minor } = JSON.parse(simulated.stdout) as {
          call: Record<string, unknown>
          cost_minor: number
        }
        const real = JSON.parse(placed.stdout) as Record<string, unknown>
        for (const member of ["status", "cost_minor", "duration_seconds", "hangup_cause", "rate_per_min_minor"])
          assert.strictEqual(call[member], real[member], member)
        assert.strictEqual(cost_minor, real["cost_minor"])
        const inbound = yield* run("simulate", "--inbound", "--attestation", "failed", "--json")
        assert.deepInclude(JSON.parse(inbound.stdout).call, { direction: "inbound", attestation: "failed" })
        const outbound = yield* run("simulate", menu, "--attestation", "A")
        assert.deepStrictEqual([outbound.code, outbound.stdout], [4, ""])
        yield* Effect.promise(async () => {
          const application = createServer((_, response) => void response.writeHead(500).end())
          await new Promise<void>((resolve) => application.listen(0, "127.0.0.1", resolve))
          const { port } = application.address() as { readonly port: number }
          const failing = await Effect.runPromise(run("simulate", `http://127.0.0.1:${port}/voice`))
          assert.strictEqual(failing.code, 1)
          assert.match(
            failing.stderr,
            /^✗ The callback answered 500 after \d+ ms; the call would end callback_failed\.\n$/
          )
          assert.include(failing.stdout, "callback   answered → 500 after ")
          await new Promise((resolve) => application.close(resolve))
        })
      }),
    240_000
  )

  it.effect(
    "makes events happen, examines receivers, and replays",
    () =>
      Effect.gen(function* () {
        const { api_key, base, run } = yield* shell
        const { stdout: secret } = yield* run("listen", "--print-secret")
        yield* Effect.promise(async () => {
          const client = new Trunkline({ apiKey: api_key, baseUrl: base })
          let secrets = [secret.trim()]
          const application = createServer(async (request, response) => {
            const body = Buffer.concat(await request.toArray())
            const verified = await verifyWebhook({ headers: request.headers, body }, secrets).then(
              () => true,
              () => false
            )
            response.writeHead(verified ? 204 : 400).end()
          })
          const careless = createServer((_, response) => void response.writeHead(200).end())
          for (const server of [application, careless])
            await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
          const [url, open] = [application, careless].map(
            (server) => `http://127.0.0.1:${(server.address() as { readonly port: number }).port}/hooks`
          ) as [string, string]
          const go = (...args: ReadonlyArray<string>) => Effect.runPromise(run(...args))
          const healthy = await go("webhooks", "doctor", url)
          assert.strictEqual(healthy.code, 0, healthy.stdout)
          const host = new URL(url).host.replaceAll(".", "\\.")
          assert.match(
            healthy.stdout,
            new RegExp(
              [
                `^✓ reachable  ${host}`,
                "– TLS        http",
                "✓ answers    204 in \\d+ ms; 15 s allowed",
                "✓ clock      -?\\d\\.0 s from ours",
                "✓ repeated   204 and 204",
                "✓ raw bytes  blanks and é verified",
                "✓ altered    an altered body is refused",
                "✓ old        10 min old: refused",
                "All 7 passed\n$"
              ].join("\n")
            )
          )
          const ill = await go("webhooks", "doctor", open)
          assert.strictEqual(ill.code, 1)
          assert.include(ill.stdout, "✗ altered    an altered body got 200: the signature is not checked\n")
          assert.include(ill.stdout, "2 of 7 failed; see docs/webhooks.md#verify-the-signature\n")
          const closed = await go("webhooks", "doctor", "http://127.0.0.1:9/hooks")
          assert.deepStrictEqual(
            [closed.code, closed.stdout.split("\n")[0]],
            [1, "✗ reachable  127.0.0.1:9 refuses the connection"]
          )
          assert.strictEqual((await go("webhooks", "doctor", "https://example.com/hooks")).code, 2)
          const webhook = await client.webhooks.create({ url, events: ["call.*"] })
          secrets = [webhook.secret]
          const short = webhook.id.slice(-8)
          const examined = await go("webhooks", "doctor", short)
          assert.strictEqual(examined.code, 0, examined.stdout)
          assert.include((await go("webhooks")).stdout, `${short}  active  call.*  ${url}\n`)
          const busy = await go("trigger", "call.busy")
          assert.match(busy.stdout, /^✓ call\.busy \w{8} of call \w{8} after \d\.\d s; sent to \d+ webhooks?\n$/)
          const sample = await go("trigger", "wallet.low_balance", "--sample")
          assert.strictEqual(sample.stderr, "! No active webhook selects wallet.low_balance.  trunkline webhooks\n")
          const misspelt = await go("trigger", "call.complete")
          assert.deepStrictEqual(
            [misspelt.code, misspelt.stderr],
            [2, "✗ Event call.complete does not exist. Did you mean call.completed?\n"]
          )
          const delivered = Effect.promise(() =>
            client.webhooks.deliveries(webhook.id, { status: "succeeded" }).toArray({ max: 9 })
          )
          await Effect.runPromise(until("second delivery", delivered, ({ length }) => length >= 2))
          assert.include((await go("webhooks", "deliveries", short)).stdout, "call.busy")
          const dry = await go("replay", "--webhook", short, "--from", "1h", "--only", "all", "--dry-run")
          assert.match(dry.stdout, /^2 ended from \d\d:\d\d to \d\d:\d\d: call\.\w+ 1, call\.\w+ 1\n$/)
          const again = await go("replay", "--webhook", short, "--from", "1h", "--only", "all")
          assert.match(again.stdout, /^✓ 2 deliveries from .* are sent again\n$/)
          const long = await go("replay", "--webhook", short, "--from", "45d")
          assert.deepStrictEqual(
            [long.code, long.stderr],
            [2, "✗ --from and --to are 45 days apart; 31 is the maximum.\n"]
          )
          await client.webhooks.delete(webhook.id)
          for (const server of [application, careless]) await new Promise((resolve) => server.close(resolve))
        })
      }),
    240_000
  )

  it.effect(
    "claims and releases numbers, takes top-ups and follows calls",
    () =>
      Effect.gen(function* () {
        const { begin, run } = yield* shell
        const [offer] = (yield* run("numbers", "available")).stdout.split("  ")
        const nothing = yield* run("numbers", "available", "--country", "fr")
        assert.deepStrictEqual(
          [nothing.code, nothing.stdout, nothing.stderr],
          [0, "", "No number is for sale in FR.  trunkline numbers available\n"]
        )
        const odd = yield* run("numbers", "available", "--country", "999")
        assert.strictEqual(odd.code, 2)
        assert.include(odd.stderr, "999 is no country.")
        const asked = yield* run("numbers", "claim", offer!)
        assert.deepStrictEqual([asked.code, asked.stderr], [2, "✗ There is no terminal to ask on.\n  add --yes\n"])
        const claimed = yield* run("numbers", "claim", offer!, "--yes")
        assert.match(claimed.stdout, new RegExp(`^✓ Claimed \\${offer} until \\d{4}-\\d\\d-\\d\\d\n$`), claimed.stderr)
        const taken = yield* run("numbers", "claim", offer!, "--yes")
        assert.strictEqual(taken.code, 4)
        assert.strictEqual((yield* run("numbers", "release", offer!, "--yes")).stdout, `✓ Released ${offer}\n`)
        const little = yield* run("wallet", "topup", "50", "--phone", "+254722000000", "--yes")
        assert.strictEqual(little.code, 4)
        const paid = yield* run("wallet", "topup", "500", "--phone", "+254722000000", "--yes")
        assert.match(paid.stdout, /^✓ KES 500\.00 paid, KES [\d,]+\.\d\d available\n$/, paid.stderr)
        assert.strictEqual((yield* run("wallet", "topup", "five", "--card", "--yes")).code, 2)
        yield* Effect.promise(async () => {
          const following = begin("calls", "--follow", "--status", "busy", "--limit", "1")
          await following.printed("STARTED")
          const call = await begin("call", "+99900000002", "--json").ran
          const { id } = JSON.parse(call.stdout) as { readonly id: string }
          await following.printed(id.slice(-8))
          following.kill("SIGINT")
          assert.strictEqual((await following.ran).code, 130)
        })
      }),
    240_000
  )
})
