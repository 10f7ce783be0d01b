// The database that all processes share, reached over a slow and faulty connection.
import { Context, Effect, Layer } from "effect"
import type { SubscriptionId } from "../../src/domain/BrandedIds.ts"
import { NotCommitted } from "../../src/domain/errors/NotCommitted.ts"
import { ReadFailed } from "../../src/domain/errors/ReadFailed.ts"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import type { MemoryTables } from "../../src/layers/journal/MemoryTables.ts"
import type { Batch } from "../../src/layers/postgres/journal/JournalBatch.ts"
import { SessionFailure } from "../../src/layers/postgres/journal/JournalSession.ts"
import { JournalWriter } from "../../src/layers/postgres/journal/JournalWriter.ts"
import { BatchTables, writesOf } from "./BatchTables.ts"
import type { Kernel } from "./Kernel.ts"
import type { Process } from "./Process.ts"
import { Rng } from "./Rng.ts"
import type { DatabaseFaults } from "./Scenario.ts"
import { SimulatedSession } from "./SimulatedSession.ts"

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

interface Sent {
  readonly id: string
  readonly written_at: number
  readonly batch: Batch
}

export class Database {
  readonly rows = new BatchTables()
  readonly kernel: Kernel
  /** Away for everybody, or for the processes of these names. */
  down = false
  readonly cut = new Set<string>()
  faults: DatabaseFaults
  commits = 0
  onWrite: (batch: Batch) => void = () => {}
  onDeath: (process: Process) => void = () => {}
  /** A hold was placed, and a process is to stand still. */
  onStall: () => void = () => {}
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

  get tables(): MemoryTables {
    return this.rows.tables
  }

  latency(): number {
    return this.latencies.tail(0, this.faults.latency_ms)
  }

  isAway({ name }: Process): boolean {
    return this.down || this.cut.has(name)
  }

  cutOff({ name }: Process, for_ms: number): void {
    this.cut.add(name)
    this.kernel.after(this.server, for_ms, () => this.cut.delete(name))
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

  /** The journal of a process: the real writer, over a connection of its own. */
  journal(process: Process): Layer.Layer<Journal> {
    return Layer.effect(
      Journal,
      Effect.gen({ self: this }, function* () {
        const clock = yield* Effect.clockWith(Effect.succeed)
        const { append, appendTied, onFanOut, run } = new JournalWriter(new SimulatedSession(this, process), clock)
        yield* Effect.forkScoped(run)
        const { tables } = this
        const unavailable = new NotCommitted({ reason: "unavailable" })
        return {
          append,
          appendTied,
          onFanOut,
          load: (type, id) => this.query(process, () => tables.load(type, id), unavailable),
          alarms: ({ after, before, limit }) =>
            this.query(process, () => tables.due(before, after, limit), unavailable),
          postpone: (alarms, until) => this.query(process, () => tables.postpone(alarms, until), unavailable)
        }
      })
    )
  }

  /** Executes the statement of a batch: it is written as a whole, or refused. */
  write({ batch, id, written_at }: Sent, { name }: Process): ReadonlyArray<SubscriptionId> | SessionFailure {
    this.commits++
    const { kernel, rows } = this
    const constraint = rows.violated(id, batch)
    const writes = writesOf(batch)
    if (constraint !== undefined) {
      kernel.note(`${name} is refused ${writes.map(({ actor_type }) => actor_type).join()}: ${constraint}`)
      return new SessionFailure({ kind: "refused", ...(constraint !== "" && { constraint }), cause: "simulated" })
    }
    const reached = rows.write(id, written_at, batch)
    for (const { actor_id, actor_type, state, version } of writes)
      kernel.note(`${name} writes ${actor_type}/${actor_id} ${version} ${state}`)
    this.onWrite(batch)
    return reached
  }
}
