// The database that all processes share: the tables of the memory journal, reached over a slow and faulty connection.
import { Context, Effect, Layer } from "effect"
import type { SubscriptionId } from "../../src/domain/BrandedIds.ts"
import { NotCommitted } from "../../src/domain/errors/NotCommitted.ts"
import { ReadFailed } from "../../src/domain/errors/ReadFailed.ts"
import type { Committed, Entry } from "../../src/domain/journal/Rows.ts"
import { MemoryTables } from "../../src/layers/journal/MemoryTables.ts"
import type { Kernel } from "./Kernel.ts"
import type { Process } from "./Process.ts"
import { Rng } from "./Rng.ts"
import type { DatabaseFaults } from "./Scenario.ts"

export const refused = (reason: NotCommitted["reason"]): Committed => ({
  ok: false,
  error: new NotCommitted({ reason })
})

export const actorOf = ({ actor_id, actor_type }: Entry): string => `${actor_type}/${actor_id}`

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

export class Database {
  readonly tables = new MemoryTables()
  readonly kernel: Kernel
  /** Away for everybody, or for the processes of these names. */
  down = false
  readonly cut = new Set<string>()
  faults: DatabaseFaults
  commits = 0
  onWrite: (entry: Entry, process: Process) => void = () => {}
  onDeath: (process: Process) => void = () => {}
  private readonly latencies: Rng
  private readonly reading: Rng

  constructor(kernel: Kernel, faults: DatabaseFaults) {
    this.kernel = kernel
    this.faults = faults
    this.latencies = new Rng(kernel.seed, "database:latency")
    this.reading = new Rng(kernel.seed, "database:reads")
  }

  get server(): Process {
    return this.kernel.outside
  }

  latency(): number {
    return this.latencies.tail(0, this.faults.latency_ms)
  }

  isAway({ name }: Process): boolean {
    return this.down || this.cut.has(name)
  }

  /** A read, answered by what the tables have when it arrives. */
  query<A, E = NotCommitted>(process: Process, read: () => A, failure: E): Effect.Effect<A, E> {
    return Effect.callback<A, E>((resume) => {
      const { kernel, server } = this
      if (!process.alive) return
      if (this.isAway(process) || this.reading.chance(this.faults.read_fails))
        return void kernel.after(process, this.reading.tail(1, 5_000), () => resume(Effect.fail(failure)))
      kernel.after(server, this.latency(), () => {
        const answer = read()
        kernel.after(process, this.latency(), () => resume(Effect.succeed(answer)))
      })
    })
  }

  /** A port for reads in memory, as it is over the same connection. */
  reads<I, S extends object>(process: Process, layer: Layer.Layer<I>, tag: Context.Key<I, S>): Layer.Layer<I> {
    const failure = new ReadFailed({ cause: "simulated" })
    const distant = Effect.map(Effect.scoped(Layer.build(layer)), (context) => {
      const methods = Object.entries(Context.get(context, tag) as Record<string, Method>)
      const slow = methods.map(([name, method]): [string, Method] => [
        name,
        (...args) => this.query(process, () => Effect.runSync(method(...args) as Effect.Effect<unknown>), failure)
      ])
      return Object.fromEntries(slow) as S
    })
    return Layer.effect(tag, distant)
  }

  /** Writes what is not refused, as one transaction. */
  commit(batch: ReadonlyArray<Entry>, process: Process) {
    this.commits++
    const { kernel, tables } = this
    const failed = new Set<string>()
    const reached = new Set<SubscriptionId>()
    const outcomes = batch.map((entry): Committed => {
      const actor = actorOf(entry)
      const reason = failed.has(actor) ? "stale" : tables.refusal(entry)
      const version = entry.snapshot?.version
      if (reason !== undefined) {
        failed.add(actor)
        kernel.note(`${process.name} is refused ${actor} ${version}: ${reason}`)
        return refused(reason)
      }
      tables.write(entry, process.now)
      kernel.note(`${process.name} writes ${actor} ${version} ${entry.snapshot?.state}`)
      this.onWrite(entry, process)
      return { ok: true }
    })
    batch.forEach((entry, index) => {
      for (const event of outcomes[index]!.ok ? (entry.events ?? []) : [])
        if (event.fan_out) for (const id of tables.fanOut(event, process.now)) reached.add(id)
    })
    return { outcomes, reached: [...reached] }
  }
}
