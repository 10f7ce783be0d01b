// What goes wrong, minute by minute. Each kind has random numbers of its own, so that taking one kind away moves no
// other.
import type { Database } from "./Database.ts"
import type { Engines } from "./Engines.ts"
import type { Kernel } from "./Kernel.ts"
import type { Net } from "./Net.ts"
import type { Pbx } from "./Pbx.ts"
import { Rng } from "./Rng.ts"
import type { Faults } from "./Scenario.ts"

interface World {
  readonly kernel: Kernel
  readonly net: Net
  readonly database: Database
  readonly engines: Engines
  readonly pbx: Pbx
}

type Accident = (rng: Rng) => void

const clockError_ms = 5_000
const wrongBy_ms = [0, 3_600_000, -3_600_000]

const accidentsOf = ({ database, engines, kernel, net, pbx }: World) => {
  const later = (wait_ms: number, run: () => void) => void kernel.after(kernel.outside, wait_ms, run)
  return {
    crash: (rng) => engines.crash(rng.of(engines.members)),
    freeze: (rng) =>
      rng.of(engines.members).process.freeze(rng.chance(0.5) ? rng.tail(100, 60_000) : rng.between(5_000, 60_000)),
    partition: (rng) => {
      const { process: one } = rng.of(engines.members)
      const { process: other } = rng.of(engines.members)
      const isMutual = rng.chance(0.5)
      const lasts_ms = rng.tail(500, 60_000)
      if (one === other) return
      kernel.note(`${one.name} cannot reach ${other.name}`)
      net.partition(one, other)
      if (isMutual) net.partition(other, one)
      later(lasts_ms, () => net.heal())
    },
    database_cut: (rng) => {
      const { name } = rng.of(engines.members).process
      kernel.note(`${name} cannot reach the database`)
      database.cut.add(name)
      later(rng.tail(500, 60_000), () => database.cut.delete(name))
    },
    outage: (rng) => {
      kernel.note("the database is down")
      database.down = true
      later(rng.tail(500, 60_000), () => (database.down = false))
    },
    clock: (rng) => {
      const { process } = rng.of(engines.members)
      const error_ms = rng.between(-clockError_ms, clockError_ms)
      kernel.note(`the clock of ${process.name} drifts by ${error_ms} ms`)
      process.drift(error_ms)
    },
    leap: (rng) => {
      kernel.set_ms = rng.of(wrongBy_ms.filter((by_ms) => by_ms !== kernel.set_ms))
      kernel.note(`all clocks are set, and wrong by ${kernel.set_ms} ms`)
    },
    line: () => pbx.cutLine(),
    session_lost: () => pbx.loseSession()
  } satisfies Partial<Record<keyof Faults, Accident>>
}

export class Accidents {
  private readonly world: World
  private readonly kinds: ReadonlyArray<readonly [kind: keyof ReturnType<typeof accidentsOf>, Accident, Rng]>

  constructor(world: World) {
    this.world = world
    const accidents: Readonly<Record<string, Accident>> = accidentsOf(world)
    this.kinds = Object.entries(accidents).map(([kind, accident]) => [
      kind as keyof ReturnType<typeof accidentsOf>,
      accident,
      new Rng(world.kernel.seed, `accident:${kind}`)
    ])
  }

  /** Those of the minute that begins. */
  plan(faults: Faults, minute_ms: number): void {
    const { kernel } = this.world
    for (const [kind, accident, rng] of this.kinds) {
      const happens = rng.chance(faults[kind])
      const at_ms = rng.below(minute_ms)
      if (happens) kernel.after(kernel.outside, at_ms, () => accident(rng))
    }
  }
}
