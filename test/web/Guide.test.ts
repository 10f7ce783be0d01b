import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { backOff_ms } from "../../src/web/LineMachine.ts"
import { errorMessages } from "../../src/web/ClientError.ts"
import type { ClientEventName } from "../../src/web/ClientEvents.ts"
import { version } from "../../src/web/Version.ts"

const page = readFileSync("docs/webrtc.md", "utf8")

/** The first two columns of the table in a section. */
const rows = (title: string): ReadonlyArray<readonly [first: string, second: string]> => {
  const [, section = ""] = page.split(`### ${title}\n`)
  const [own = ""] = section.split(/^##/m)
  return [...own.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].map(([, first = "", second = ""]) => [first, second])
}

/** The compiler wants every event here. */
const events: Readonly<Record<ClientEventName, true>> = {
  connected: true,
  registered: true,
  ringing: true,
  answered: true,
  accepted: true,
  declined: true,
  incoming: true,
  hangup: true,
  reconnecting: true,
  registration_failed: true,
  closed: true,
  error: true,
  token_will_expire: true,
  quality_warning: true
}

describe("the guide to the browser client", () => {
  it("has every event", () => {
    const documented = [...page.matchAll(/^\| `(\w+)` \|.*\|.*\|$/gm)].map(([, name = ""]) => name)
    for (const name of Object.keys(events)) assert.include(documented, name)
  })

  it("has every error with its message", () => {
    assert.deepStrictEqual(Object.fromEntries(rows("Errors")), { ...errorMessages })
  })

  it("pins the version exactly, and has the waits", () => {
    assert.include(page, `{ "dependencies": { "trunkline-client": "file:./trunkline-client-${version}.tgz" } }`)
    const seconds = backOff_ms.map((ms) => ms / 1000)
    assert.include(page, `after ${seconds.slice(0, -1).join(", ")} and ${seconds.at(-1)} seconds`)
  })

  it("shows an example that is JavaScript", async () => {
    const [, example = ""] = /### A complete example[\s\S]*?```js\n([\s\S]*?)```/.exec(page) ?? []
    const { parseSync } = await import("rolldown/utils")
    const { errors } = parseSync("example.js", example)
    assert.include(example, "new Client(")
    assert.deepStrictEqual(errors, [])
  })
})
