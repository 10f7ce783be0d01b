// Prints what a change of the code costs: `npm run check:tidy` runs it. test/scripts/House.test.ts holds the limits.
import { figures, linesByFloor } from "./house/Figures.ts"
import { readSources } from "./house/ReadSources.ts"

const sources = readSources("src", "test", "bench")
for (const { found, name, value } of figures(sources)) {
  console.log(`${String(value).padStart(6)}  ${name}${found.length === 0 ? "" : `: ${found.join(", ")}`}`)
}
for (const [floor, lines] of linesByFloor(sources)) console.log(`${String(lines).padStart(6)}  lines of src/${floor}`)
