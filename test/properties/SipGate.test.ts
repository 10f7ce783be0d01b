import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { depth } from "../support/Depth.ts"
import { bytesOf, Choices } from "./model/Choices.ts"
import { playGate } from "./model/GateHistory.ts"

const Byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
const Bytes = Schema.Array(Byte).check(Schema.isMaxLength(300))

it.prop(
  "no history of messages takes a browser past the gate",
  [Bytes],
  ([bytes]) => void playGate(new Choices(bytes)),
  { timeout: 120_000, arbitrary: { runs: depth(100, 300), size: 300 } }
)

const messages_of_all = depth(5_000, 20_000)

it(`${messages_of_all} messages by seed pass only as the token allows, and calls come about in both directions`, () => {
  const total = { messages: 0, toPbx: 0, toBrowser: 0, dialogs: 0 }
  for (let seed = 0; total.messages < messages_of_all; seed++) {
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
  assert.isAbove(total.toPbx, messages_of_all / 5)
  assert.isAbove(total.toBrowser, messages_of_all / 5)
  assert.isAbove(total.dialogs, messages_of_all / 100)
}, 120_000)
