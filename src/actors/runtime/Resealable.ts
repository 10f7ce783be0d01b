// Any actor whose state holds sealed secrets: what was sealed with a key that is no longer in use is put in its place anew.
import { Effect, Result, Schema } from "effect"
import { tagged } from "../../domain/Tagged.ts"
import type { ActorSystem } from "./ActorSystem.ts"
import type { AnyDefinition, Definition } from "./Definition.ts"

/** The sealed text that takes the place of another. */
type Replaced = Readonly<Record<string, string>>

const Reseal = tagged("Reseal", { replaced: Schema.Record(Schema.String, Schema.String) })
const Resealed = tagged("Resealed", {})

const isReseal = (value: unknown): value is typeof Reseal.Type =>
  (value as { readonly _tag?: unknown })._tag === "Reseal"

const isPlain = (value: object): boolean => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype

/** The same value with other texts in it; what has none of them stays what it is. */
export const replacedIn = <A>(value: A, replaced: Replaced): A => {
  if (typeof value === "string") return (Object.hasOwn(replaced, value) ? replaced[value] : value) as A
  if (typeof value !== "object" || value === null || !isPlain(value)) return value
  const entries = Object.entries(value).map(
    ([key, member]) => [key, member, replacedIn(member as unknown, replaced)] as const
  )
  if (entries.every(([, before, after]) => before === after)) return value
  const members = entries.map(([key, , after]) => [key, after] as const)
  return (Array.isArray(value) ? members.map(([, after]) => after) : Object.fromEntries(members)) as A
}

/** The actor, which can be told to. To whoever else uses it it is what it was. */
export const resealable = <State, Command, Event, Reply, W, Notice>(
  definition: Definition<State, Command, Event, Reply, W, Notice>
): Definition<State, Command, Event, Reply, W, Notice> => {
  const { decide, evolve, record, wire } = definition
  const reply = { _tag: "Resealed" } as Reply
  const extended = {
    ...definition,
    decide: (state: State, command: Command, now: number) =>
      isReseal(command)
        ? Result.succeed({ events: replacedIn(state, command.replaced) === state ? [] : [command as Event], reply })
        : decide(state, command, now),
    evolve: (state: State, event: Event) =>
      isReseal(event) ? replacedIn(state, event.replaced) : evolve(state, event),
    // Nobody is told, and it is nothing that anybody did.
    record: (change: Parameters<typeof record>[0]) =>
      record({ ...change, events: change.events.filter((event) => !isReseal(event)) }),
    wire: {
      ...wire,
      command: Schema.Union([wire.command, Reseal]) as unknown as typeof wire.command,
      reply: Schema.Union([wire.reply, Resealed]) as unknown as typeof wire.reply
    }
  }
  return extended
}

/** Puts the texts in place of those that the actor still has; what it has no longer is left alone. */
export const reseal = (system: ActorSystem["Service"], definition: AnyDefinition, id: string, replaced: Replaced) =>
  Effect.asVoid(system.ask(definition, id, { _tag: "Reseal", replaced }))
