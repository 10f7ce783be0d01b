// Runs random histories of calls and money against the model, many more than the tests do:
// node scripts/histories.ts [--runs 1000000] [--seed 1]. It prints the seed of a failing history; repeat it with --seed
// and --runs 1.
import { parseArgs } from "node:util"
import { bytesOf, Choices } from "../test/properties/model/Choices.ts"
import { play } from "../test/properties/model/History.ts"

const { values } = parseArgs({
  options: { runs: { type: "string", default: "1000000" }, seed: { type: "string", default: "1" } }
})
const runs = Number(values.runs)
const first = Number(values.seed)
const began = performance.now()
const ends = new Map<string, number>()

for (let seed = first; seed < first + runs; seed++) {
  try {
    const world = play(new Choices(bytesOf(seed, (seed * 37) % 600)))
    for (const { state } of world.calls.values()) {
      const end = state.ending === null ? "never placed" : `${state.ending.status} / ${state.ending.cause}`
      ends.set(end, (ends.get(end) ?? 0) + 1)
    }
  } catch (error) {
    console.error(`Seed ${seed}:`, error)
    process.exit(1)
  }
}

console.log(`${runs} histories passed in ${Math.round((performance.now() - began) / 1000)} s. Their calls ended:`)
console.table(Object.fromEntries([...ends].sort((a, b) => b[1] - a[1])))
