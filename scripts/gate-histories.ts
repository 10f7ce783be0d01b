// Runs random histories of messages through the WebRTC gate, many more than the tests do:
// node scripts/gate-histories.ts [--messages 200000] [--seed 1]. It prints the seed of a failing history; repeat it
// with --seed and --messages 1.
import { parseArgs } from "node:util"
import { bytesOf, Choices } from "../test/properties/model/Choices.ts"
import { playGate } from "../test/properties/model/GateHistory.ts"

const { values } = parseArgs({
  options: { messages: { type: "string", default: "200000" }, seed: { type: "string", default: "1" } }
})
const messages = Number(values.messages)
const began = performance.now()
const total = { messages: 0, toPbx: 0, toBrowser: 0, dialogs: 0 }

for (let seed = Number(values.seed); total.messages < messages; seed++) {
  try {
    const played = playGate(new Choices(bytesOf(seed, 600)))
    total.messages += played.messages
    total.toPbx += played.toPbx
    total.toBrowser += played.toBrowser
    total.dialogs += played.dialogs
  } catch (error) {
    console.error(`Seed ${seed}:`, error)
    process.exit(1)
  }
}

console.log(`No message got past the gate, in ${Math.round((performance.now() - began) / 1000)} s.`)
console.table(total)
