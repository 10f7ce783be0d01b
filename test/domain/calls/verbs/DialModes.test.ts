import { describe, expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import {
  beginDial,
  dueLegs,
  isFinished,
  legEnded,
  legJoined,
  legRang,
  type Dial
} from "../../../../src/domain/calls/state/Dial.ts"
import { dialMode } from "../../../../src/domain/calls/verbs/DialModes.ts"
import { call_id } from "../Fixtures.ts"
import { toSessionId } from "../../../../src/domain/BrandedIds.ts"

const pairs = ([undefined, false, true] as const).flatMap((sequential) =>
  ([undefined, true, false] as const).map((first_answer_wins) => ({ sequential, first_answer_wins }))
)
const given = ({ first_answer_wins, sequential }: (typeof pairs)[number]) => ({
  ...(sequential !== undefined && { sequential }),
  ...(first_answer_wins !== undefined && { first_answer_wins })
})

/**
 * How two phones are rung: the first alone or both; and what is left when the first has answered, and when it has
 * ended.
 */
const lives = (asked: { readonly sequential?: boolean; readonly first_answer_wins?: boolean }) => {
  const numbers = ["+254700000003", "+254700000004"]
  const rung = dueLegs({ ...beginDial(call_id, 0, { numbers, ...asked }), surveyed: true }).length
  const begun: Dial = { ...beginDial(call_id, 0, { numbers, ...asked }), surveyed: true }
  const ringing = dueLegs(begun).reduce((dial, leg) => legRang(dial, leg.call_id), begun)
  const first = ringing.legs[0]!.call_id
  const joined = legJoined(ringing, first, toSessionId("HD_1"))
  const ended = legEnded(joined, first, { outcome: "completed", sip_code: 200, duration_seconds: 1 })
  const alive = (dial: Dial) => dial.legs.filter(({ phase }) => phase === "ringing").length + dueLegs(dial).length
  return [rung, alive(joined), isFinished(ended) ? "over" : alive(ended)]
}

describe("the truth table of a dial", () => {
  it("has the outcomes that it lists", () => {
    expect(pairs.map((pair) => lives(given(pair)))).toEqual([
      [2, 0, "over"],
      [2, 0, "over"],
      [2, 1, 1],
      [2, 0, "over"],
      [2, 0, "over"],
      [2, 1, 1],
      [1, 0, "over"],
      [1, 0, "over"],
      [1, 0, 1]
    ])
  })

  it("shares one hold among all legs only if one answer is wanted", () => {
    for (const pair of pairs) {
      const shared =
        beginDial(call_id, 0, { numbers: ["+254700000003", "+254700000004"], ...given(pair) }).hold_id !== null
      const { answers, order } = dialMode(given(pair))
      expect(shared).toBe(order === "at_once" && answers === "first")
    }
    expect(beginDial(call_id, 0, { number: "+254700000003" }).hold_id).toBeNull()
  })

  it("equals the published table", () => {
    const page = readFileSync("docs/voice-actions.md", "utf8")
    const cell = (value: boolean | undefined) => (value === undefined ? "absent" : `\`${value}\``)
    const rows = page
      .split("\n")
      .map((line) => line.split("|").map((text) => text.trim()))
      .filter((cells) => cells.length === 5)
    for (const pair of pairs) {
      const { first_answer_wins, sequential } = pair
      const mode = dialMode(given(pair))
      const row = rows.find(
        ([, one, two]) =>
          one!.split(", ").includes(cell(sequential)) && two!.split(", ").includes(cell(first_answer_wins))
      )
      expect(row?.[3]).toMatch(mode.order === "at_once" ? /^all ring at once/ : /^one rings after the other/)
      expect(row?.[3]).toMatch(
        mode.answers === "first" ? /the first to answer|until one answers/ : /each that answers|the next one is dialled/
      )
    }
  })
})
