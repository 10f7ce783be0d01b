// An actor as its pure functions make it: decisions in order, each on disk at once, and the work of its plan under way.
import { Result } from "effect"
import type { Definition } from "../../../src/actors/runtime/Definition.ts"
import { changeOf, type Work } from "../../../src/domain/Decision.ts"
import type { Failure } from "../../../src/domain/errors/Failure.ts"
import type { Agenda } from "./Agenda.ts"
import type { Books } from "./Books.ts"

/** Whether the plan still asks for the work. */
export interface Run {
  alive: boolean
}

interface Running extends Run {
  readonly at: number | undefined
}

export interface CellHost<C, W> {
  readonly agenda: Agenda
  readonly books: Books
  readonly perform: (work: W, run: Run) => void
  readonly tell: (command: C) => void
  readonly uuid: () => string
}

export class ModelCell<S, C, E, R, W, Id extends string = string> {
  readonly id: Id
  state: S
  private running = new Map<string, Running>()
  private readonly definition: Definition<S, C, E, R, W, unknown>
  private readonly host: CellHost<C, W>

  constructor(definition: Definition<S, C, E, R, W, unknown>, id: Id, host: CellHost<C, W>) {
    this.id = id
    this.definition = definition
    this.host = host
    this.state = this.stored()
  }

  get plan(): ReadonlyArray<Work<C, W>> {
    return this.definition.plan(this.state)
  }

  /** Undefined: the books refused it, and memory was lost with it. */
  decide(command: C): Result.Result<R, Failure> | undefined {
    const { agenda, books, uuid } = this.host
    const { definition, id, state: before } = this
    const decided = definition.decide(before, command, agenda.now)
    if (Result.isFailure(decided)) return Result.fail(decided.failure)
    const { events, reply, volatile } = decided.success
    if (events.length === 0) return Result.succeed(reply)
    const change = changeOf(definition.evolve, before, events, { id, now: agenda.now, uuid })
    this.state = change.after
    if (volatile !== true && !books.write(id, definition.record(change))) return this.restart()
    this.become()
    return Result.succeed(reply)
  }

  /** Memory is lost, and read again from the disk. */
  restart(): undefined {
    for (const run of this.running.values()) run.alive = false
    this.running = new Map()
    this.state = this.stored()
    this.become()
  }

  private stored(): S {
    const row = this.host.books.read(this.id)
    return row === undefined ? this.definition.initial(this.id) : this.definition.restore(row, this.id)
  }

  private become(): void {
    const { plan } = this
    const keys = new Map(plan.map(({ at, key }) => [key, at]))
    if (keys.size !== plan.length)
      throw new Error(`Two works of ${this.id} have one key: ${plan.map(({ key }) => key).join(" ")}`)
    for (const [key, run] of this.running) {
      if (keys.has(key) && keys.get(key) === run.at) continue
      run.alive = false
      this.running.delete(key)
    }
    for (const work of plan) if (!this.running.has(work.key)) this.begin(work)
  }

  private begin(work: Work<C, W>): void {
    const run: Running = { at: work.at, alive: true }
    this.running.set(work.key, run)
    const { agenda, perform, tell } = this.host
    agenda.at(work.at ?? agenda.now, "engine", () => {
      if (!run.alive) return
      if (work._tag === "Task") perform(work.work, run)
      // On its way, a deadline is told even where it is overtaken.
      else agenda.soon("engine", () => tell(work.command))
    })
  }
}
