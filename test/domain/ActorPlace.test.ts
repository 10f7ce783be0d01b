import { assert, it } from "@effect/vitest"
import { randomFillSync } from "node:crypto"
import { placedWith, placeOf, placesCount } from "../../src/domain/ActorPlace.ts"
import { toCallId } from "../../src/domain/BrandedIds.ts"
import { childCallId } from "../../src/domain/calls/state/Dial.ts"
import { uuidsFrom } from "../../src/layers/ids/SystemIds.ts"

it("an actor is placed by one random byte of its UUID", () => {
  const places = ["00", "0a", "ff", "7F"].map((byte) => placeOf(`01981d5e-0000-7000-80${byte}-000000000000`))
  assert.deepStrictEqual(places, [0, 10, 255, 127])
})

it("an actor with any other id is placed by the whole id, evenly", () => {
  const counts = new Map<number, number>()
  for (let index = 0; index < 25_600; index++) {
    const place = placeOf(`gateway-${index}`)
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  assert.strictEqual(counts.size, placesCount)
  assert.isTrue([...counts].every(([place, count]) => place >= 0 && place < placesCount && count < 200))
  assert.strictEqual(placeOf("pbx-main"), placeOf("pbx-main"))
  // A place is never the result of reading a wrong digit.
  assert.isTrue(Number.isInteger(placeOf("01981d5e-0000-7000-80zz-000000000000")))
})

it("an id is changed so that it has the place of another actor, and stays a UUID of version 7", () => {
  const uuids = uuidsFrom(() => 1_750_000_000_000, randomFillSync)
  const workspaces = Array.from({ length: 500 }, uuids)
  const calls = workspaces.map((workspace) => placedWith(workspace, uuids()))
  assert.deepStrictEqual(calls.map(placeOf), workspaces.map(placeOf))
  assert.isTrue(calls.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)))
  assert.strictEqual(new Set([...workspaces, ...calls]).size, 1_000)
  assert.strictEqual(placeOf(placedWith("pbx-main", uuids())), placeOf("pbx-main"))
})

it("the legs that a call dials have the place of the call", () => {
  const uuids = uuidsFrom(() => 1_750_000_000_000, randomFillSync)
  for (let count = 0; count < 100; count++) {
    const call_id = toCallId(uuids())
    const leg = childCallId(call_id, count % 7, count % 5)
    assert.deepStrictEqual([placeOf(leg), placeOf(childCallId(leg, 1))], [placeOf(call_id), placeOf(call_id)])
  }
})
