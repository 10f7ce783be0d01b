// Calls that users of the chat app place (docs/chat-app.md).
import { Clock, Effect } from "effect"
import type { Forward } from "../../domain/calls/state/CallFacts.ts"
import { ChatAppCommands } from "../../domain/chatapp/ChatAppCommand.ts"
import { type ChatAppReception, receptionOf, takesMessage } from "../../domain/chatapp/Reachability.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { OwnedNumber } from "../../domain/numbers/OwnedNumber.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

/** What a call from the chat app to the number obeys. A number without an active trunk takes none. */
export const makeChatAppReception = Effect.map(ActorSystem, (system) =>
  Effect.fnUntraced(function* (
    workspace_id: WorkspaceId,
    number: OwnedNumber | undefined
  ): Effect.fn.Return<ChatAppReception> {
    if (number === undefined) return { reachability: "off" }
    const now = yield* Clock.currentTimeMillis
    const { settings, trunk_id } = yield* system
      .ask(ChatAppCommands.FindRoute, number.id, { workspace_id })
      .pipe(Effect.catch((cause) => Effect.die(new ServiceUnavailable({ cause }))))
    return trunk_id === null ? { reachability: "off" } : receptionOf(settings, now)
  })
)

/** Outside the hours nobody rings, and others ring no longer than until the voicemail takes the call. */
export const obeying = (chatapp: ChatAppReception | undefined, forward: Forward | null): Forward | null => {
  if (chatapp === undefined || forward === null) return forward
  if (chatapp.reachability !== "open") return null
  const { voicemail } = chatapp
  return voicemail !== undefined && takesMessage(voicemail, "no_answer")
    ? { ...forward, timeout_seconds: Math.min(forward.timeout_seconds, voicemail.timeout_seconds) }
    : forward
}
