// An actor made for tests of the runtime: it counts, and does whatever work its state is told to call for.
import { Context, Effect, Layer, Result, Schema } from "effect"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { type Actor, actor, type Perform } from "../../../src/actors/runtime/Definition.ts"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { commandsOf, type Decide, type Message, type Tag } from "../../../src/domain/Command.ts"
import { type Decided, deadline, task } from "../../../src/domain/Decision.ts"
import { NotFound } from "../../../src/domain/errors/GeneralErrors.ts"
import { IdempotentRequest } from "../../../src/domain/idempotency/IdempotentRequest.ts"
import { Ids } from "../../../src/domain/ports/engine/Ids.ts"
import { Journal } from "../../../src/domain/ports/engine/Journal.ts"
import { storedState } from "../../../src/domain/state/StoredState.ts"
import type { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"

type JournalService = (typeof Journal)["Service"]

const State = Schema.Struct({
  created: Schema.Boolean,
  count: Schema.Number,
  /** Key to when it is due. */
  deadlines: Schema.Record(Schema.String, Schema.Number),
  /** Key to when it starts: at once for null. */
  tasks: Schema.Record(Schema.String, Schema.NullOr(Schema.Number)),
  /** What was done, and when. */
  log: Schema.Array(Schema.String),
  /** Not stored. Three make it glow. */
  flashes: Schema.Number
})
export type ToyState = typeof State.Type
export const toyState = storedState({ schema: State, upgrades: [] })

const Where = Schema.Literals(["decide", "evolve", "plan", "record", "notices"])

const idempotency = Schema.optionalKey(IdempotentRequest)
const answersState = { reply: State, errors: [NotFound] } as const

export const ToyCommands = commandsOf("Toy", {
  Create: { payload: { count: Schema.Number }, ...answersState },
  Add: { payload: { amount: Schema.Number, idempotency }, ...answersState },
  Read: answersState,
  Refuse: { payload: { idempotency }, ...answersState },
  /** Plans a deadline, or takes it off. */
  Remind: { payload: { key: Schema.String, at: Schema.NullOr(Schema.Number) }, ...answersState },
  Ring: { payload: { key: Schema.String }, ...answersState },
  /** Plans a task, from a time on or at once. */
  Start: { payload: { key: Schema.String, at: Schema.NullOr(Schema.Number) }, ...answersState },
  Finish: { payload: { key: Schema.String }, ...answersState },
  Flash: answersState,
  Break: { payload: { where: Where }, ...answersState }
})
export type ToyCommands = typeof ToyCommands
export type ToyCommand = Message<ToyCommands>

/** Makes the messages of a command. */
const messageOf = <T extends Tag<ToyCommands>>(tag: T) => ({
  make: (payload: Omit<Message<ToyCommands, T>, "_tag">) => ({ _tag: tag, ...payload }) as Message<ToyCommands, T>
})

type ToyEvent = { readonly next: ToyState; readonly broken?: typeof Where.Type }

const without = <A>(record: Readonly<Record<string, A>>, key: string): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))

const nextOf = (state: ToyState, command: ToyCommand, now: number): ToyState => {
  switch (command._tag) {
    case "Create":
      return { ...state, created: true, count: command.count }
    case "Add":
      return { ...state, count: state.count + command.amount }
    case "Remind": {
      const rest = without(state.deadlines, command.key)
      return { ...state, deadlines: command.at === null ? rest : { ...rest, [command.key]: command.at } }
    }
    case "Ring":
      return {
        ...state,
        deadlines: without(state.deadlines, command.key),
        log: [...state.log, `${command.key} ${now}`]
      }
    case "Start":
      return { ...state, tasks: { ...state.tasks, [command.key]: command.at } }
    case "Finish":
      return { ...state, tasks: without(state.tasks, command.key), log: [...state.log, `${command.key} ${now}`] }
    case "Flash":
      return { ...state, flashes: state.flashes + 1 }
    default:
      return state
  }
}

const broken = new WeakSet<ToyState>()

const decide = (state: ToyState, command: ToyCommand, now: number): Decided<ToyEvent, ToyState, NotFound> => {
  const next = nextOf(state, command, now)
  switch (command._tag) {
    case "Read":
      return Result.succeed({ events: [], reply: state })
    case "Refuse":
      return Result.fail(new NotFound({ message: `Refused at ${state.count}.` }))
    case "Create":
      return state.created
        ? Result.fail(new NotFound({ message: "It exists." }))
        : Result.succeed({ events: [{ next }], reply: next })
    case "Flash":
      return Result.succeed({ events: [{ next }], reply: next, volatile: true })
    case "Break":
      if (command.where === "decide") throw new Error("broken decide")
      return Result.succeed({ events: [{ next: { ...next }, broken: command.where }], reply: next })
    default:
      return Result.succeed({ events: command._tag === "Add" && command.amount === 0 ? [] : [{ next }], reply: next })
  }
}

export type ToyDefinition = Actor<ToyState, ToyCommands, ToyEvent, string, string>

const idle: ToyState = { created: false, count: 0, deadlines: {}, tasks: {}, log: [], flashes: 0 }

const kept = ({ count }: ToyState, { _tag }: ToyCommand) => ({ status: 200, body: `${_tag} ${count}`, headers: {} })

export const Toy: ToyDefinition = actor<ToyState, ToyCommands, ToyEvent, string, string>({
  type: "Toy",
  commands: ToyCommands,
  initial: () => idle,
  restore: toyState.restore((state) => state),
  decide: decide as Decide<ToyState, ToyCommands, ToyEvent>,
  evolve: (_, { broken: where, next }) => {
    if (where === "evolve") throw new Error("broken evolve")
    if (where === "plan") broken.add(next)
    return next
  },
  plan: (state) => {
    if (broken.has(state)) throw new Error("broken plan")
    return [
      ...Object.entries(state.deadlines).map(([key, at]) => deadline(key, at, messageOf("Ring").make({ key }))),
      ...Object.entries(state.tasks).map(([key, at]) => (at === null ? task(key, key) : task(key, key, at))),
      ...(state.flashes >= 3 ? [task("glow", "glow")] : [])
    ]
  },
  record: ({ after, events }) => {
    if (events[0]?.broken === "record") throw new Error("broken record")
    return { workspace_id: null, state: toyState.write({ ...after, flashes: 0 }), columns: {} }
  },
  notices: ({ after, events }, recorded) => {
    if (events[0]?.broken === "notices") throw new Error("broken notices")
    return [`${recorded === undefined ? "flashed" : "stored"} ${after.count}/${after.flashes}`]
  },
  answers: { Add: kept, Refuse: kept },
  creates: ({ _tag }) => _tag === "Create",
  notice: Schema.String
})

export const Add = messageOf("Add")
export const Break = messageOf("Break")
export const Create = messageOf("Create")
export const Finish = messageOf("Finish")
export const Flash = messageOf("Flash")
export const Read = messageOf("Read")
export const Refuse = messageOf("Refuse")
export const Remind = messageOf("Remind")
export const Start = messageOf("Start")

/** UUIDs that count up, so that a run repeats. */
export const countedIds = Layer.sync(Ids, () => {
  let last = 0
  return { named: (name: string) => name, uuid: () => `00000000-0000-7000-8000-${String(++last).padStart(12, "0")}` }
})

/** The journal of a memory with some of its functions replaced. */
export const journalWith = (memory: MemoryJournal, change: (journal: JournalService) => Partial<JournalService>) =>
  Layer.sync(Journal, () => {
    const journal = memory.open()
    return { ...journal, ...change(journal) }
  })

export interface EngineOptions {
  readonly perform?: Perform<ToyState, ToyCommands, string>
  readonly definition?: ToyDefinition
  readonly placement?: Layer.Layer<ActorSystem, never, Journal | Ids>
}

/** One engine with toys on a journal, in one process unless another placement is given. It ends with its scope. */
export const engine = (journal: Layer.Layer<Journal>, options: EngineOptions = {}) =>
  Effect.gen(function* () {
    const { definition = Toy, perform = () => Effect.never, placement = LocalSystem.layer } = options
    const context = yield* Layer.build(Layer.provide(placement, [journal, countedIds]))
    const system = Context.get(context, ActorSystem)
    yield* system.register(definition, perform)
    yield* system.start
    return {
      system,
      ask: (command: ToyCommand, id = "one") => system.ask(definition, id, command),
      follow: (id = "one") => system.subscribe(definition, id)
    }
  })
