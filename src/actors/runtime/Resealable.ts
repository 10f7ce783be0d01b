// Actors whose state holds sealed secrets: after a change of the master key, the sealed texts are replaced.
import { Result, Schema } from "effect"
import { commandsOf } from "../../domain/Command.ts"
import { tagged } from "../../domain/Tagged.ts"
import type { ActorSystem } from "./ActorSystem.ts"
import type { AnyDefinition } from "./Definition.ts"

/** Old sealed texts with their replacements. */
type Replaced = Readonly<Record<string, string>>

const replacements = Schema.Record(Schema.String, Schema.String)

/** The declared command for one type of actor. */
const resealOf = (type: string) => commandsOf(type, { Reseal: { payload: { replaced: replacements } } }).Reseal

const Reseal = tagged("Reseal", { replaced: replacements })

const isReseal = (value: unknown): value is typeof Reseal.Type =>
  (value as { readonly _tag?: unknown })._tag === "Reseal"

const isPlain = (value: object): boolean => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype

/** Replaces texts anywhere in a plain value. Returns the value itself where nothing is replaced. */
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

/**
 * Wraps a definition so that it also accepts `Reseal`. Its public type is unchanged: only `reseal` sends the command.
 */
export const resealable = <D extends AnyDefinition>(definition: D): D => {
  const { commands, decide, evolve, record, type } = definition
  const extended: AnyDefinition = {
    ...definition,
    commands: { ...commands, Reseal: resealOf(type) },
    decide: (state, command, now) =>
      isReseal(command)
        ? Result.succeed({
            events: replacedIn(state, command.replaced) === state ? [] : [command],
            reply: undefined
          })
        : decide(state, command, now),
    evolve: (state, event) => (isReseal(event) ? replacedIn(state, event.replaced) : evolve(state, event)),
    // No customer did this, so it creates no event and no audit line.
    record: (change) =>
      record({
        ...change,
        events: change.events.filter((event) => !isReseal(event)),
        steps: change.steps.filter(({ event }) => !isReseal(event))
      })
  }
  return extended as D
}

/** Replaces the sealed texts that the actor still has. Texts that it no longer has are ignored. */
export const reseal = (system: ActorSystem["Service"], { type }: AnyDefinition, id: string, replaced: Replaced) =>
  system.ask(resealOf(type), id, { replaced })
