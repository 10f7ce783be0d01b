// What a run is made of: how many people call, in which order things run, and what goes wrong how often.
import { Rng } from "./Rng.ts"

/** Shares of the journal's batches, unless a member says otherwise. */
export interface DatabaseFaults {
  readonly latency_ms: number
  /** The connection breaks before the batch is executed. */
  readonly lost: number
  /** The batch is executed, and the connection breaks before the answer. */
  readonly found: number
  /** The same, and the process cannot ask what became of it. */
  readonly unknown: number
  /** Some of them take longer than PostgreSQL gives them. */
  readonly slow: number
  /** The share of reads that fail. */
  readonly read_fails: number
  /** The process dies when the batch is sent, when it is on disk, or when its answer has come. */
  readonly dies: number
  /** The process stands still for seconds at one of these moments. */
  readonly freezes: number
  /** The share of holds whose process stands still, so that its call comes late. */
  readonly stalls: number
}

export interface Faults {
  readonly database: DatabaseFaults
  /** The longest that a message between processes travels. */
  readonly net_ms: number
  /** The share of questions between processes whose connection breaks, mostly after they were heard. */
  readonly net_broken: number
  /** Chances per minute: crash, freeze, partition. */
  readonly crash: number
  readonly freeze: number
  readonly partition: number
  /** One process, or all of them, cannot reach the database. */
  readonly database_cut: number
  readonly outage: number
  /** The wall clock of a process drifts by up to five seconds. */
  readonly clock: number
  /** All wall clocks are set: an hour ahead of the truth, an hour behind it, or right. */
  readonly leap: number
  /** The connection of the PBX breaks. */
  readonly line: number
  readonly session_lost: number
  /** Shares of the PBX's messages. */
  readonly event_lost: number
  readonly event_twice: number
  readonly event_late: number
  readonly ack_lost: number
  readonly callback_bad: number
  readonly webhook_bad: number
  readonly answer_lost: number
  /** The share of requests to the payment provider, and of its announcements, that fail. */
  readonly payment_bad: number
}

const noDatabaseFaults: DatabaseFaults = {
  latency_ms: 2,
  lost: 0,
  found: 0,
  unknown: 0,
  slow: 0,
  read_fails: 0,
  dies: 0,
  freezes: 0,
  stalls: 0
}

export const calm: Faults = {
  database: noDatabaseFaults,
  net_ms: 5,
  net_broken: 0,
  crash: 0,
  freeze: 0,
  partition: 0,
  database_cut: 0,
  outage: 0,
  clock: 0,
  leap: 0,
  line: 0,
  session_lost: 0,
  event_lost: 0,
  event_twice: 0,
  event_late: 0,
  ack_lost: 0,
  callback_bad: 0,
  webhook_bad: 0,
  answer_lost: 0,
  payment_bad: 0
}

/** Half of the kinds of faults are off in a run, so that none hides another. */
export const faultsOf = (seed: number): Faults => {
  const some = (kind: string, most: number) => {
    const rng = new Rng(seed, `faults:${kind}`)
    return rng.chance(0.5) ? most * rng.next() : 0
  }
  return {
    database: {
      latency_ms: new Rng(seed, "latency").of([2, 10, 100, 1_000]),
      lost: some("lost", 0.05),
      found: some("found", 0.05),
      unknown: some("unknown", 0.02),
      slow: some("slow", 0.1),
      read_fails: some("read_fails", 0.03),
      dies: some("dies", 0.002),
      freezes: some("freezes", 0.002),
      stalls: some("stalls", 0.05)
    },
    net_ms: new Rng(seed, "net_ms").of([2, 20, 200, 1_500]),
    net_broken: some("net_broken", 0.1),
    crash: some("crash", 0.5),
    freeze: some("freeze", 0.3),
    partition: some("partition", 0.3),
    database_cut: some("database_cut", 0.2),
    outage: some("outage", 0.1),
    clock: some("clock", 0.05),
    // A process that dies before it has told its calls leaves them in the time of a clock that is gone.
    leap: 0,
    line: some("line", 0.5),
    session_lost: some("session_lost", 0.05),
    event_lost: some("event_lost", 0.3),
    event_twice: some("event_twice", 0.3),
    event_late: some("event_late", 0.3),
    ack_lost: some("ack_lost", 0.3),
    callback_bad: some("callback_bad", 0.4),
    webhook_bad: some("webhook_bad", 0.5),
    answer_lost: some("answer_lost", 0.3),
    payment_bad: some("payment_bad", 0.5)
  }
}

/** Faults that are not named are off. */
type SomeFaults = Partial<Omit<Faults, "database">> & { readonly database?: Partial<DatabaseFaults> }

const onlyFaults = (faults: SomeFaults = {}): Faults => ({
  ...calm,
  ...faults,
  database: { ...calm.database, ...faults.database }
})

/** Clocks of all machines are set, and those of each one drift. */
export const clockFaults: Faults = onlyFaults({ net_ms: 20, leap: 1, clock: 0.5, event_late: 0.3 })

/** One kind of fault alone, as often as a cluster can bear. */
const focuses: ReadonlyArray<SomeFaults> = [
  { net_ms: 200, database: { dies: 0.03 } },
  { net_ms: 20, database: { stalls: 0.1 } },
  { net_ms: 20, net_broken: 0.3, database: { latency_ms: 100 } },
  { net_ms: 200, answer_lost: 0.6 },
  { net_ms: 20, line: 1, event_late: 1, event_lost: 0.8 },
  { net_ms: 20, database: { freezes: 0.003 } },
  { net_ms: 20, database: { latency_ms: 100, lost: 0.1, found: 0.1, unknown: 0.05, slow: 0.1 } },
  clockFaults
]
const focusEvery = 2

const focusOf = (seed: number): SomeFaults | undefined =>
  seed % focusEvery === 0 ? focuses[(seed / focusEvery) % focuses.length] : undefined

export interface Scenario {
  readonly seed: number
  readonly faults: Faults
  /** In which people call and things go wrong. Then all is mended, and time runs until everything is settled. */
  readonly minutes: number
  readonly calls_per_minute: number
  /** The money in the wallet at the start, in minor units. */
  readonly funds_minor: number
  /** Whether numbers and storage are rented too. */
  readonly rents: boolean
  readonly shuffle: boolean
  /** After so many steps a fiber lets others run. */
  readonly preempt: number
  readonly trace: boolean
}

export const scenarioOf = (seed: number, change: Partial<Scenario> = {}): Scenario => {
  const rng = new Rng(seed, "scenario")
  const calls_per_minute = rng.of([0.5, 1, 2, 4])
  const focus = focusOf(seed)
  return {
    seed,
    faults: focus === undefined ? faultsOf(seed) : onlyFaults(focus),
    minutes: 20,
    calls_per_minute: focus === undefined ? calls_per_minute : 6,
    funds_minor: rng.chance(0.7) ? 1_000_000 : 1_500,
    rents: false,
    shuffle: rng.chance(0.7),
    preempt: rng.of([2048, 2048, 64, 8]),
    trace: false,
    ...change
  }
}

/** A scenario as it is kept in seeds.json: faults that it does not name are off. */
export interface KeptScenario extends Omit<Partial<Scenario>, "faults" | "seed"> {
  readonly seed: number
  readonly faults?: SomeFaults
}

export const scenarioFrom = ({ faults, seed, ...kept }: KeptScenario): Scenario =>
  scenarioOf(seed, {
    shuffle: false,
    preempt: 2048,
    ...kept,
    faults: onlyFaults(faults)
  })
