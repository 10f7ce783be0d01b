// What an actor is, apart from where it lives. The three pure functions come from src/domain.
import type { Effect, Schema } from "effect"
import type { Decided, Work } from "../../domain/Decision.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type {
  AuditRow, Column, DeliveryRow, EventRow, HoldRow, LedgerEntryRow, NotCommitted, RedeliveryRow, Stored
} from "../../domain/ports/Journal.ts"

/** The answer to keep for an IdempotentRequest. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** One decision, with the state on both sides of it. */
export interface Change<State, Event> {
  readonly id: string
  readonly before: State
  readonly after: State
  readonly events: ReadonlyArray<Event>
  readonly now: number
  /** A new UUID. */
  readonly uuid: () => string
}

/** What the journal writes for a change, but for version and alarm, which the runtime knows. */
export interface Recorded {
  readonly workspace_id: string | null
  readonly state: string
  readonly columns: Readonly<Record<string, Column>>
  readonly events?: ReadonlyArray<EventRow>
  readonly holds?: ReadonlyArray<HoldRow>
  readonly ledger?: ReadonlyArray<LedgerEntryRow>
  readonly deliveries?: ReadonlyArray<DeliveryRow>
  readonly redeliveries?: ReadonlyArray<RedeliveryRow>
  readonly audit?: ReadonlyArray<AuditRow>
}

export interface Definition<State, Command, Event, Reply, W, Notice = never> {
  /** Also the name of its table or entity. */
  readonly type: string
  readonly initial: (id: string) => State
  readonly restore: (stored: Stored, id: string) => State
  readonly decide: (state: State, command: Command, now: number) => Decided<Event, Reply>
  readonly evolve: (state: State, event: Event) => State
  readonly plan: (state: State) => ReadonlyArray<Work<Command, W>>
  /**
   * What to store. There are no events where only an answer is kept or the alarm is set: the state is written all the
   * same, because its version is what keeps an owner of old from writing anything.
   */
  readonly record: (change: Change<State, Event>) => Recorded
  /** What live subscribers are told after the commit. `recorded` is absent for volatile changes. */
  readonly notices?: (change: Change<State, Event>, recorded: Recorded | undefined) => ReadonlyArray<Notice>
  /** What a slow subscriber can do without: it is left out before the subscriber is cut off. */
  expendable?(notice: Notice): boolean
  /** The answer to keep when a command carries an Idempotency-Key. */
  readonly answer?: (command: Command, reply: Reply) => Answer
  /** Whether the command makes an actor that surely did not exist, so that nothing need be read first. */
  readonly creates?: (command: Command) => boolean
  /** Told to the actor when its alarm rings or its subscription has new deliveries. */
  readonly wake?: Command
  /** Whether memory may be given up when nothing is in flight. Default: true. */
  readonly passivates?: (state: State) => boolean
  /** How commands, replies and notices cross between processes. */
  readonly wire: {
    readonly command: Schema.Codec<Command, unknown>
    readonly reply: Schema.Codec<Reply, unknown>
    readonly notice: Schema.Codec<Notice, unknown>
  }
}

/** An actor as its own work sees it. */
export interface Self<State, Command, Reply> {
  readonly id: string
  /** The state as decided, which may be ahead of the disk. */
  readonly state: () => State
  readonly tell: (command: Command) => Effect.Effect<Reply, Failure | NotCommitted>
}

/**
 * Turns one piece of work into an Effect that ends in commands to the actor itself. Retries, back-off and deadlines
 * are in here, on Effect's Clock. It is interrupted when the plan no longer names the work; when it dies it is
 * started again after a pause; when it ends while the plan still names it, it is not started again.
 */
export type Perform<State, Command, Reply, W> = (
  work: W,
  self: Self<State, Command, Reply>
) => Effect.Effect<void>

// oxlint-disable-next-line typescript/no-explicit-any -- any definition, whatever its types
export type AnyDefinition = Definition<any, any, any, any, any, any>
export type CommandOf<D> = D extends Definition<infer _S, infer C, infer _E, infer _R, infer _W, infer _N> ? C : never
export type ReplyOf<D> = D extends Definition<infer _S, infer _C, infer _E, infer R, infer _W, infer _N> ? R : never
export type NoticeOf<D> = D extends Definition<infer _S, infer _C, infer _E, infer _R, infer _W, infer N> ? N : never
