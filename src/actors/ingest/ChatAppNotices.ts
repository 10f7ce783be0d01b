import { Context, Effect, Layer } from "effect"
import { ChatAppCommands } from "../../domain/chatapp/ChatAppCommand.ts"
import type { PermissionReply } from "../../domain/chatapp/PermissionReply.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { ChatAppProvider } from "../../domain/ports/pbx/ChatAppProvider.ts"
import { NumberReads } from "../../domain/ports/numbers/NumberReads.ts"
import { PermissionCommands, permissionName } from "../../domain/chatapp/Permission.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { traced } from "../../domain/Traced.ts"

/** Passes notifications of the chat app's provider to the numbers that they concern. */
export class ChatAppNotices extends Context.Service<
  ChatAppNotices,
  {
    /** Returns once the reply is on disk, or if no number here is concerned. A repeated reply changes nothing. */
    readonly replied: (reply: PermissionReply) => Effect.Effect<void, ServiceUnavailable | NotCommitted | ReadFailed>
  }
>()("trunkline/actors/ChatAppNotices") {
  static readonly layer = Layer.effect(
    ChatAppNotices,
    Effect.gen(function* () {
      const numbers = yield* NumberReads
      const provider = yield* ChatAppProvider
      const system = yield* ActorSystem
      const ids = yield* Ids

      /** Undefined if the provider no longer knows the number. */
      const numberOf = (provider_number_id: string) =>
        Effect.catch(provider.numberOf(provider_number_id), (fault) =>
          fault.kind === "unavailable"
            ? Effect.fail(new ServiceUnavailable({ cause: fault }))
            : Effect.succeed(undefined)
        )

      return ChatAppNotices.of({
        replied: traced("ChatAppNotices.replied")(function* (reply) {
          const number = yield* numberOf(reply.provider_number_id)
          const number_id = number === undefined ? undefined : yield* numbers.holder(number)
          if (number_id === undefined) return
          const workspace_id = yield* system.ask(ChatAppCommands.FindPermitted, number_id, { reply })
          if (workspace_id === null) return
          // First: whoever hears of the permission may call at once.
          const permission_id = ids.named(permissionName(number_id, reply.user))
          yield* system.ask(PermissionCommands.Note, permission_id, { workspace_id, reply })
          yield* system.ask(ChatAppCommands.PermissionReplied, number_id, { reply })
        })
      })
    })
  )
}
