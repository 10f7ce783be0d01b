// docs/webhooks.md names every kind of event, and no other.
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { eventKinds } from "../../src/domain/events/EventTable.ts"

const section = readFileSync("docs/webhooks.md", "utf8").split("| Family | Stands for |")[0] ?? ""

/** The rows `| \`call\` | \`ringing\`, … |`: the first part of a kind, and its others. */
const rows = [...section.matchAll(/^\| `([a-z_]+)` \| (`[a-z_]+`(?:, `[a-z_]+`)*) \|$/gm)]

describe("the table of kinds in docs/webhooks.md", () => {
  it("has the kinds of the event table", () => {
    const named = rows.flatMap(([, family = "", names = ""]) =>
      [...names.matchAll(/`([a-z_]+)`/g)].map(([, name = ""]) => `${family}.${name}`)
    )
    assert.deepStrictEqual(named.toSorted(), eventKinds.toSorted())
  })
})
