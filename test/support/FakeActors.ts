// Actors that answer as a test says, with neither state nor journal.
import { Effect, type Schema } from "effect"
import type { Ask, AskTied, TiedReplies } from "../../src/actors/runtime/ActorSystem.ts"
import type { ActorId } from "../../src/domain/BrandedIds.ts"
import type { Command } from "../../src/domain/Command.ts"
import type { FailureClass } from "../../src/domain/errors/Failure.ts"
import type { NotCommitted } from "../../src/domain/errors/NotCommitted.ts"

interface Addressed {
  readonly actor: string
  readonly tag: string
}
type Answer = (id: never, payload: never) => Effect.Effect<unknown, unknown>

const nameOf = ({ actor, tag }: Addressed): string => `${actor}.${tag}`

/** The one place where a fake of `ActorSystem` is cast: `answer` holds each answer to the types of its command. */
export class FakeActors {
  private readonly answers = new Map<string, Answer>()
  /** The commands that were asked, as `Wallet.PlaceHold`. */
  readonly asked: Array<string> = []

  /** What actors answer to a command from now on. */
  answer<
    T extends string,
    P extends Schema.Struct.Fields,
    R extends Schema.Codec<unknown, unknown>,
    E extends ReadonlyArray<FailureClass>,
    Kind extends string
  >(
    command: Command<T, P, R, E, Kind>,
    answer: (
      id: ActorId<Kind>,
      payload: Schema.Struct<P>["Type"]
    ) => Effect.Effect<R["Type"], InstanceType<E[number]> | NotCommitted>
  ): this {
    this.answers.set(nameOf(command), answer)
    return this
  }

  /** Dies for a command that the test gave no answer. */
  get ask(): Ask {
    const ask = (command: Addressed, id: never, payload: never) =>
      Effect.suspend(() => {
        const name = nameOf(command)
        this.asked.push(name)
        const answer = this.answers.get(name)
        return answer === undefined
          ? Effect.die(new Error(`The test gives no answer to ${name}.`))
          : answer(id, payload)
      })
    return ask as never
  }

  /** Asks only the first actor, as if the second ran in another process. */
  get askTied(): AskTied {
    const askTied = ({ command, id, payload }: { command: Addressed; id: never; payload: never }) =>
      Effect.map(
        (this.ask as (...of: ReadonlyArray<unknown>) => Effect.Effect<unknown>)(command, id, payload),
        (first): TiedReplies<unknown, unknown> => ({ first })
      )
    return askTied as never
  }
}
