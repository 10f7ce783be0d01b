// `npm start -- --check` as an operator runs it: a process that judges its environment and ends.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { complete } from "../../scripts/docs/production.ts"

const check = (env: Readonly<Record<string, string>>) =>
  Effect.callback<{ readonly code: number; readonly output: string }>((resume) => {
    const child = execFile(process.execPath, ["src/main.ts", "--check"], { env }, (_error, stdout, stderr) =>
      resume(Effect.succeed({ code: child.exitCode ?? -1, output: stdout + stderr }))
    )
  })

it.live("a check accepts a complete production and exits with 0", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* check(complete), {
      code: 0,
      output: "A production start accepts this configuration.\n"
    })
  })
)

it.live("a check names every refusal, a line each, and exits with 1", () =>
  Effect.gen(function* () {
    const { MAIL_URL: _mail, STRIPE_WEBHOOK_SECRET: _secret, ...env } = complete
    const { code, output } = yield* check({ ...env, PBX_GATEWAY: "simulator" })
    assert.strictEqual(code, 1)
    assert.match(output, /^\W*PBX_GATEWAY=simulator is refused: /m)
    assert.match(output, /^\W*MAIL_URL is missing: /m)
    assert.match(output, /^\W*STRIPE_WEBHOOK_SECRET is missing: /m)
    assert.notInclude(output, complete["STRIPE_SECRET_KEY"]!)
  })
)
