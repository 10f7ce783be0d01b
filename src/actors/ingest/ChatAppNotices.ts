// What the chat app's provider announces, brought to the numbers that it concerns.
import { Context, Effect, Layer } from "effect"
import type { PermissionReply } from "../../domain/chatapp/PermissionReply.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { ChatAppProvider } from "../../domain/ports/ChatAppProvider.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { NumberReads } from "../../domain/ports/NumberReads.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { ChatAppActor } from "../chatapp/ChatAppActor.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

export class ChatAppNotices extends Context.Service<
  ChatAppNotices,
  {
    /** Returns once it is on disk, or concerns nobody here. The same reply again changes nothing. */
    readonly replied: (reply: PermissionReply) => Effect.Effect<void, Failure | NotCommitted | ReadFailed>
  }
>()("trunkline/actors/ChatAppNotices") {
  static readonly layer = Layer.effect(
    ChatAppNotices,
    Effect.gen(function* () {
      const numbers = yield* NumberReads
      const provider = yield* ChatAppProvider
      const system = yield* ActorSystem

      /** Undefined where the provider does not know it any more. */
      const numberOf = (provider_number_id: string) =>
        Effect.catch(provider.numberOf(provider_number_id), (fault) =>
          fault.kind === "unavailable"
            ? Effect.fail(new ServiceUnavailable({ cause: fault }))
            : Effect.succeed(undefined)
        )

      return ChatAppNotices.of({
        replied: Effect.fnUntraced(function* (reply) {
          const number = yield* numberOf(reply.provider_number_id)
          const number_id = number === undefined ? undefined : yield* numbers.holder(number)
          if (number_id !== undefined) yield* system.ask(ChatAppActor, number_id, { _tag: "PermissionReplied", reply })
        })
      })
    })
  )
}
