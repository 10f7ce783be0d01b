import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { bytesOf, Choices } from "./model/Choices.ts"
import { playGate } from "./model/GateHistory.ts"

const Byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
const Bytes = Schema.Array(Byte).check(Schema.isMaxLength(300))

it.prop(
  "no history of messages takes a browser past the gate",
  [Bytes],
  ([bytes]) => void playGate(new Choices(bytes)),
  { timeout: 120_000, arbitrary: { runs: 300, size: 300 } }
)

it("20,000 messages by seed pass only as the token allows, and calls come about in both directions", () => {
  const total = { messages: 0, toPbx: 0, toBrowser: 0, dialogs: 0 }
  for (let seed = 0; total.messages < 20_000; seed++) {
    try {
      const { dialogs, messages, toBrowser, toPbx } = playGate(new Choices(bytesOf(seed, 600)))
      total.messages += messages
      total.toPbx += toPbx
      total.toBrowser += toBrowser
      total.dialogs += dialogs
    } catch (error) {
      assert.fail(`Seed ${seed}: ${error instanceof Error ? error.stack : error}`)
    }
  }
  assert.isAbove(total.toPbx, 4_000)
  assert.isAbove(total.toBrowser, 4_000)
  assert.isAbove(total.dialogs, 200)
}, 120_000)
