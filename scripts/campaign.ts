// Simulates whole clusters for hours of their time, one process a core: npm run campaign -- --hours 1000 [--seed 1]
// [--quick] [--keep DIR]. It prints what was simulated and each seed that broke a rule, keeps the failing scenarios in
// DIR, and exits with 1 if there are any. --replay FILE plays one again and prints its log. --attacks 2000 sends random
// attacks to a real PBX instead, and ends with the status of that test. `npm run campaign -- faults` tries the faults
// of docs/operations.md (campaign/Faults.ts).
import { fork, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { tryFaults } from "./campaign/Faults.ts"
import { type Scenario, scenarioOf } from "../test/simulation/Scenario.ts"
import { simulate, type Verdict } from "../test/simulation/Simulate.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    hours: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    step: { type: "string" },
    quick: { type: "boolean", default: false },
    keep: { type: "string", default: ".data/campaign" },
    replay: { type: "string" },
    attacks: { type: "string" },
    reports: { type: "string" }
  }
})

const hour_ms = 3_600_000
/** What a quick campaign takes, in real time. */
const quick_ms = 10 * 60_000

type Result = Omit<Verdict, "log">

const scenarioIn = (seed: number): Scenario => scenarioOf(seed, { rents: true })

/** Plays seed after seed and sends each verdict to the parent process, until that ends. */
const work = (first: number, step: number): void => {
  const next = (seed: number): void => {
    const { log: _, ...result } = simulate(scenarioIn(seed))
    process.send?.(result, () => setImmediate(next, seed + step))
  }
  process.once("disconnect", () => process.exit(0))
  next(first)
}

const replay = (file: string): void => {
  const scenario = JSON.parse(readFileSync(file, "utf8")) as Scenario
  const { breach, log } = simulate({ ...scenario, trace: true })
  for (const line of log) console.log(line)
  console.log(breach ?? "Every rule holds")
  process.exitCode = breach === undefined ? 0 : 1
}

const keep = (seed: number, breach: string): void => {
  mkdirSync(values.keep, { recursive: true })
  const file = join(values.keep, `${seed}.json`)
  writeFileSync(file, `${JSON.stringify(scenarioIn(seed), undefined, 2)}\n`)
  console.log(`Seed ${seed}: ${breach.slice(0, 500)}\n  npm run campaign -- --replay ${file}`)
}

const report = (results: ReadonlyArray<Result>, real_ms: number): boolean => {
  const sum = (of: (result: Result) => number) => results.reduce((total, result) => total + of(result), 0)
  const hours = sum(({ simulated_ms }) => simulated_ms) / hour_ms
  const failed = results.filter(({ breach }) => breach !== undefined)
  console.table({
    runs: results.length,
    "simulated hours": Number(hours.toFixed(1)),
    "simulated hours a second": Number((hours / (real_ms / 1000)).toFixed(2)),
    calls: sum(({ calls }) => calls),
    payments: sum(({ payments }) => payments),
    crashes: sum(({ crashes }) => crashes),
    commits: sum(({ commits }) => commits),
    "runs that broke a rule (goal: 0)": failed.length
  })
  return failed.length === 0
}

const campaign = (): void => {
  const began = performance.now()
  const first = Number(values.seed)
  const wanted_ms = Number(values.hours) * hour_ms
  const processes = availableParallelism()
  const results: Array<Result> = []
  let simulated_ms = 0
  const workers = Array.from({ length: processes }, (_, index) =>
    fork(import.meta.filename, ["--seed", String(first + index), "--step", String(processes)])
  )
  const isDone = () => (values.quick ? performance.now() - began >= quick_ms : simulated_ms >= wanted_ms)
  for (const worker of workers) {
    worker.on("message", (message) => {
      if (isDone()) {
        if (worker.connected) worker.disconnect()
        return
      }
      const result = message as Result
      results.push(result)
      simulated_ms += result.simulated_ms
      if (result.breach !== undefined) keep(result.seed, result.breach)
      if (isDone()) for (const each of workers) if (each.connected) each.disconnect()
    })
  }
  process.once("exit", () => {
    process.exitCode = report(results, performance.now() - began) ? 0 : 1
  })
}

/** One case takes about half a second. */
const attack = (count: string): void => {
  const { status } = spawnSync(join(import.meta.dirname, "e2e", "run"), ["test/e2e/RandomAttacks.e2e.ts"], {
    stdio: "inherit",
    env: { ...process.env, ATTACKS: count, ATTACK_SEED: values.seed }
  })
  process.exitCode = status ?? 1
}

const [subject] = positionals
if (subject === "faults") process.exitCode = tryFaults({ ...values, reports: values.reports }) ? 0 : 1
else if (subject !== undefined) throw new Error(`A campaign of ${subject} does not exist. There is one of faults.`)
else if (values.replay !== undefined) replay(values.replay)
else if (values.attacks !== undefined) attack(values.attacks)
else if (values.step !== undefined) work(Number(values.seed), Number(values.step))
else campaign()
