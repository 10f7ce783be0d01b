// One run of a scenario, from the first engine to the verdict.
import type { MakeSystem } from "./Engines.ts"
import { realNow, takeOver } from "./Globals.ts"
import { Breach } from "./Breach.ts"
import { judgeAtTheEnd, unsettled, watchWrites } from "./Judges.ts"
import type { Scenario } from "./Scenario.ts"
import { minute_ms, World } from "./World.ts"

export interface Verdict {
  readonly seed: number
  /** The rule that does not hold, with evidence. */
  readonly breach: string | undefined
  readonly hash: number
  readonly simulated_ms: number
  readonly real_ms: number
  readonly commits: number
  readonly calls: number
  /** Top-ups that were credited. */
  readonly payments: number
  readonly crashes: number
  readonly log: ReadonlyArray<string>
}

export interface SimulateOptions {
  /** Notes who asks for real time or chance (`leaks`). */
  readonly strict?: boolean
  /** Changes the world before it starts: tests plant bugs. */
  readonly plant?: (world: World) => void
  readonly makeSystem?: MakeSystem
}

/** What is repeated by mistake is repeated within minutes. */
const restMin_minutes = 4
/** Deliveries are retried for hours. */
const restMax_minutes = 8 * 60

const breachOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error instanceof Breach ? error.message : (error.stack ?? error.message)
}

const run = (world: World): string | undefined => {
  try {
    const owed = watchWrites(world)
    world.live()
    world.mend()
    for (let minute = 0; minute < restMax_minutes; minute++) {
      world.pass(minute_ms)
      if (minute >= restMin_minutes && unsettled(world) === undefined) break
    }
    judgeAtTheEnd(world, owed)
    return undefined
  } catch (error) {
    return breachOf(error)
  }
}

export const simulate = (scenario: Scenario, options: SimulateOptions = {}): Verdict => {
  const began = realNow()
  const world = new World(scenario, options.makeSystem)
  const { clients, database, engines, kernel, provider } = world
  const giveBack = takeOver(kernel, { strict: options.strict === true })
  let breach: string | undefined
  try {
    options.plant?.(world)
    breach = run(world)
  } finally {
    giveBack()
  }
  return {
    seed: scenario.seed,
    breach,
    hash: kernel.hash >>> 0,
    simulated_ms: kernel.now - kernel.began_at,
    real_ms: realNow() - began,
    commits: database.commits,
    calls: clients.calls,
    payments: provider.payments.size,
    crashes: engines.crashes,
    log: kernel.log
  }
}
