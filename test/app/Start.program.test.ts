// What the program prints if it cannot start.
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"

describe("a start with wrong settings", () => {
  it("ends with a sentence for each, which names the variable and what is allowed, and no name of the program's own", () => {
    const { PATH } = process.env
    const { status, stderr, stdout } = spawnSync(process.execPath, ["src/main.ts"], {
      env: { PATH, PORT: "80800", LOG_LEVEL: "loud", OPERATOR_EMAILS: "boss@example.com,nobody" },
      encoding: "utf8",
      timeout: 60_000
    })
    assert.deepStrictEqual(stderr.trim().split("\n"), [
      "trunkline stopped: PORT is not valid. Allowed: a port, 0 to 65535.",
      'OPERATOR_EMAILS is not valid: "nobody". Allowed: e-mail addresses, separated by commas.',
      "LOG_LEVEL is not valid. Allowed: trace, debug, info, warn, error, none."
    ])
    assert.deepStrictEqual([status, stdout], [1, ""])
  }, 60_000)
})
