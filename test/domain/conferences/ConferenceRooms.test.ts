import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { toConferenceId } from "../../../src/domain/BrandedIds.ts"
import {
  type ConferenceRooms,
  decideRooms,
  evolveRooms,
  noRooms,
  planRooms
} from "../../../src/domain/conferences/ConferenceRooms.ts"
import { workspace_id } from "./Fixtures.ts"

const id = (n: number) => toConferenceId(`c${n}`)
const open = (state: ConferenceRooms, name: string, candidate = id(1), limit = 2) => {
  const { events, reply } = Result.getOrThrow(decideRooms(state, { _tag: "Open", name, candidate, limit }, 0))
  return { state: events.reduce(evolveRooms, state), reply }
}
const close = (state: ConferenceRooms, conference_id = id(1)) =>
  Result.getOrThrow(decideRooms(state, { _tag: "Close", conference_id }, 0)).events.reduce(evolveRooms, state)

describe("the rooms of a workspace", () => {
  const one = open(noRooms(workspace_id), "a").state
  const two = open(one, "b", id(2)).state

  it("lead to one conference for each name", () => {
    assert.strictEqual(open(one, "a", id(9)).reply, id(1))
    assert.strictEqual(open(one, "A", id(9)).reply, id(9))
  })

  it("are no more than the limit", () => {
    assert.isNull(open(two, "c", id(3)).reply)
    assert.strictEqual(open(two, "a", id(3)).reply, id(1))
    assert.strictEqual(open(close(two), "c", id(3)).reply, id(3))
  })

  it("have a new conference once the former one of that name has ended", () => {
    assert.strictEqual(open(close(one), "a", id(9)).reply, id(9))
    assert.deepStrictEqual(close(two, id(9)), two)
  })

  it("begin each conference until it exists", () => {
    assert.deepStrictEqual(
      planRooms(two).map(({ work }) => work.conference_id),
      [id(1), id(2)]
    )
    const begun = Result.getOrThrow(decideRooms(two, { _tag: "Begun", conference_id: id(1) }, 0))
    assert.deepStrictEqual(
      planRooms(begun.events.reduce(evolveRooms, two)).map(({ work }) => work.conference_id),
      [id(2)]
    )
  })
})
