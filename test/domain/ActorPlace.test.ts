import { assert, it } from "@effect/vitest"
import { placeOf, placesCount } from "../../src/domain/ActorPlace.ts"

it("an actor is placed by the last byte of its UUID", () => {
  const places = ["00", "0a", "ff", "7F"].map((byte) => placeOf(`01981d5e-0000-7000-8000-0000000000${byte}`))
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
  assert.isTrue(Number.isInteger(placeOf("01981d5e-0000-7000-8000-0000000000zz")))
})
