import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CommandFailure } from "../../src/cli/CommandFailure.ts"
import { type Chosen, connectionOf } from "../../src/cli/Connection.ts"

interface Given {
  readonly base_url?: unknown
  readonly chosen?: Chosen
  readonly environment?: Readonly<Record<string, string>>
}

/** A command in a folder whose demo data have this `base_url`. */
const connect = <A>(
  { base_url, chosen = {}, environment = {} }: Given,
  use: (of: ReturnType<typeof connectionOf>) => A
) => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-cli-"))
  try {
    if (base_url !== undefined)
      writeFileSync(join(folder, "demo.json"), JSON.stringify({ base_url, api_key: "demo", owner_session: "owner" }))
    return use(connectionOf(chosen, { DATA_DIR: folder, XDG_CONFIG_HOME: folder, ...environment }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const urlOf = (given: Given) => connect(given, ({ baseUrl }) => baseUrl())

describe("the engine of a command", () => {
  it("is that of the demo data of this folder only if it is on this machine", () => {
    for (const base_url of ["http://127.0.0.1:9999", "http://localhost:80", "http://[::1]:8080", "https://127.1.2.3"])
      assert.strictEqual(urlOf({ base_url }), base_url)
    const others = [
      "https://evil.example",
      "http://127.0.0.1.evil.example",
      "http://127.0.0.1@evil.example",
      "x",
      7,
      null
    ]
    for (const base_url of others) assert.strictEqual(urlOf({ base_url }), "http://127.0.0.1:8080")
  })

  it("gets a key of the environment from no foreign folder", () => {
    const environment = { TRUNKLINE_API_KEY: "secret", TRUNKLINE_SESSION: "session" }
    const found = connect({ base_url: "https://evil.example", environment }, (connection) => [
      connection.asKey(),
      connection.asMember(),
      connection.asOperator()
    ])
    for (const { baseUrl } of found) assert.strictEqual(baseUrl, "http://127.0.0.1:8080")
  })

  it.each<readonly [string, Given]>([
    ["a flag", { chosen: { url: "http://voice.example.com" } }],
    ["the environment", { environment: { TRUNKLINE_URL: "http://10.0.0.7:8080" } }],
    ["a name that looks like this machine", { chosen: { url: "http://localhost.example.com" } }]
  ])("is not spoken to over http from afar: %s", (_, given) => {
    for (const use of ["baseUrl", "asKey", "asMember", "asOperator"] as const) {
      try {
        connect(
          { ...given, environment: { TRUNKLINE_API_KEY: "k", TRUNKLINE_SESSION: "s", ...given.environment } },
          (of) => of[use]()
        )
        assert.fail("it is refused")
      } catch (error) {
        assert.instanceOf(error, CommandFailure)
        assert.strictEqual(error.exit, "usage")
        assert.match(error.message, /is not on this machine, and http would send the key unencrypted/)
        assert.match(error.help ?? "", /^https:\/\//)
      }
    }
  })

  it("is spoken to over https anywhere", () => {
    assert.strictEqual(urlOf({ chosen: { url: "https://voice.example.com" } }), "https://voice.example.com")
  })
})
