import { assert, it } from "@effect/vitest"
import { depth } from "../support/Depth.ts"
import { bytesOf, Choices } from "./model/Choices.ts"
import { play } from "./model/History.ts"

const histories = depth(1_500, 20_000)

it(`${histories} seeded histories keep every rule and together reach every kind of end`, () => {
  const ends = new Set<string>()
  for (let seed = 0; seed < histories; seed++) {
    try {
      const { calls } = play(new Choices(bytesOf(seed, (seed * 37) % 600)))
      for (const {
        state: { ending }
      } of calls.values())
        if (ending !== null) ends.add(`${ending.status} ${ending.cause}`)
    } catch (error) {
      assert.fail(`Seed ${seed}: ${error instanceof Error ? error.stack : error}`)
    }
  }
  const expected = [
    "busy call_rejected",
    "busy user_busy",
    "canceled canceled_by_workspace",
    "canceled normal_clearing",
    "completed actions_ended",
    "completed balance_exhausted",
    "completed callback_timeout",
    "completed max_duration",
    "completed normal_clearing",
    "completed session_lost",
    "failed service_unavailable",
    "failed unallocated_number",
    "failed call_rejected",
    "failed callback_timeout",
    "failed insufficient_funds",
    "failed no_route",
    "no_answer no_answer",
    "no_answer no_user_response",
    "no_answer ring_timeout"
  ]
  for (const end of expected) assert.isTrue(ends.has(end), `No call ended as ${end}`)
}, 120_000)
