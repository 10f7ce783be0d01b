import { assert, describe, it } from "@effect/vitest"
import { positionText, readPosition } from "../../../src/domain/webhooks/EventPosition.ts"

const id = "01981d5e-6d5e-7b43-9a51-0f4d3a4f2f7b"

describe("the place of an event", () => {
  it("is read as it was written", () => {
    for (const order of [0n, 1n, 4_294_967_296n, 999_999_999_999_999_999n]) {
      const position = { order, sequence: 12, id }
      assert.deepStrictEqual(readPosition(positionText(position)), position)
    }
  })

  it("is not read from anything else", () => {
    for (const text of [
      "",
      "1",
      id,
      `${id}.1`,
      `${id}.1.2.3`,
      `${id}.-1.2`,
      `${id}.1.2 `,
      `${id}.9999999999999999999.1`,
      `${id}.1.9999999999`,
      `${id.toUpperCase()}.1.2`,
      `${id}.1.2\n`,
      "'; DROP TABLE events; --"
    ])
      assert.isUndefined(readPosition(text), text)
  })
})
