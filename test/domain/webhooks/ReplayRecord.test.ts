import { assert, it } from "@effect/vitest"
import { type Replayable, replayOf } from "../../../src/domain/webhooks/ReplayRecord.ts"

const row = (event_id: string, created_at: number): Replayable => ({
  event_id,
  event_kind: "call.busy",
  subject_id: "c",
  sequence: 1,
  created_at
})
const taken = (rows: ReadonlyArray<Replayable>, limit: number) => {
  const { events, next_from } = replayOf(rows, limit)
  return [events.map(({ event_id }) => event_id).join(), next_from && Date.parse(next_from)]
}

it("takes all events, each once", () => {
  assert.deepStrictEqual(taken([], 2), ["", null])
  assert.deepStrictEqual(taken([row("a", 1), row("b", 2)], 2), ["a,b", null])
  assert.deepStrictEqual(taken([row("a", 1), row("b", 1), row("a", 2)], 3), ["a,b", null])
})

it("stops before an instant whose events do not all fit, and returns where to continue", () => {
  assert.deepStrictEqual(taken([row("a", 1), row("b", 2), row("c", 3)], 2), ["a,b", 3])
  assert.deepStrictEqual(taken([row("a", 1), row("b", 2), row("c", 2)], 2), ["a", 2])
})
