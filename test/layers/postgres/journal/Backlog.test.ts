// What waits for a journal that cannot write, and of whom it is.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { JournalSession } from "../../../../src/layers/postgres/journal/JournalSession.ts"
import { JournalWriter } from "../../../../src/layers/postgres/journal/JournalWriter.ts"
import { counter } from "../../../contract/JournalProbe.ts"
import { workspaceId } from "../../../support/Ids.ts"

const session: JournalSession = {
  write: () => Effect.never,
  claim: () => Effect.never,
  forget: () => Effect.void,
  replan: Effect.void
}
const one = workspaceId("0190f5fe-7c00-7a00-8000-00000000000a")
const two = workspaceId("0190f5fe-7c00-7a00-8000-00000000000b")

it.effect("counts what waits, altogether and of each workspace", () =>
  Effect.gen(function* () {
    const writer = new JournalWriter(session, yield* Effect.clockWith(Effect.succeed))
    assert.deepStrictEqual(writer.backlog(), { all: { entries: 0, characters: 0 }, of: new Map() })
    for (const [nth, workspace_id] of [one, one, two, null].entries()) {
      const entry = counter(String(nth), 1)
      const snapshot = { ...entry.snapshot!, state: "x".repeat(10 * (nth + 1)) }
      writer.append({ ...entry, workspace_id, snapshot }, () => {})
    }
    assert.deepStrictEqual(writer.backlog(), {
      all: { entries: 4, characters: 100 },
      of: new Map([
        [one, { entries: 2, characters: 30 }],
        [two, { entries: 1, characters: 30 }]
      ])
    })
  })
)
