// A number in the chat app. Its id is the number's.
import { Effect, Layer, Schema } from "effect"
import { absentChatApp, type ChatApp, type ChatAppEvent, evolveChatApp } from "../../domain/chatapp/ChatApp.ts"
import { ChatAppCommand, ChatAppReply } from "../../domain/chatapp/ChatAppCommand.ts"
import { initialSettings } from "../../domain/chatapp/CallSettings.ts"
import { type ChatAppWork, decideChatApp, planChatApp } from "../../domain/chatapp/DecideChatApp.ts"
import { recordChatApp, restoreChatApp } from "../../domain/chatapp/RecordChatApp.ts"
import { ChatAppProvider } from "../../domain/ports/ChatAppProvider.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Answer, Definition, Perform } from "../runtime/Definition.ts"

/** How long a provider that does not answer is asked before the trunk counts as failed. */
const patience = "2 minutes"

const answer = (_: ChatAppCommand, reply: ChatAppReply): Answer => ({
  status: 202,
  body: JSON.stringify(reply._tag === "Shown" ? reply.trunk : {}),
  headers: {}
})

export const ChatAppActor: Definition<ChatApp, ChatAppCommand, ChatAppEvent, ChatAppReply, ChatAppWork> = {
  type: "ChatApp",
  initial: absentChatApp,
  restore: restoreChatApp,
  decide: decideChatApp,
  evolve: evolveChatApp,
  plan: planChatApp,
  record: recordChatApp,
  answer,
  wire: { command: ChatAppCommand, reply: ChatAppReply, notice: Schema.Never }
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const provider = yield* ChatAppProvider
    const system = yield* ActorSystem
    /** What is unavailable is asked again and again for a while; any other fault is an answer. */
    const ask = (number: string) =>
      retryWithBackoff(
        Effect.matchEffect(provider.provision(number), {
          onSuccess: ({ sip_host }) => Effect.succeed({ _tag: "Provisioned", sip_host } as const),
          onFailure: (fault) =>
            fault.kind === "unavailable"
              ? Effect.fail(fault)
              : Effect.succeed({
                  _tag: "ProvisioningFailed",
                  reason: fault.message,
                  provider_code: fault.code
                } as const)
        })
      ).pipe(
        Effect.timeoutOrElse({
          duration: patience,
          orElse: () =>
            Effect.succeed({
              _tag: "ProvisioningFailed",
              reason: "The chat-app provider cannot be reached.",
              provider_code: null
            } as const)
        })
      )
    /** A provider that refuses has nothing to take back. */
    const turnOff = (number: string) =>
      retryWithBackoff(
        Effect.catch(provider.write(number, initialSettings), (fault) =>
          fault.kind === "unavailable"
            ? Effect.fail(fault)
            : Effect.logWarning("The chat-app provider keeps the settings of a number that has left", fault.message)
        )
      )

    const perform: Perform<ChatApp, ChatAppCommand, ChatAppReply, ChatAppWork> = (work, self) =>
      work._tag === "TurnOff"
        ? Effect.andThen(turnOff(work.number), retryWithBackoff(self.tell({ _tag: "TurnedOff" })))
        : Effect.flatMap(ask(work.number), (outcome) =>
            retryWithBackoff(self.tell({ ...outcome, attempt: work.attempt }))
          )
    yield* system.register(ChatAppActor, perform)
  })
)
