// A number in the chat app. Its id is the number's.
import { Effect, Layer } from "effect"
import { initialSettings } from "../../domain/chatapp/CallSettings.ts"
import { type ChatApp, type ChatAppEvent, type TrunkRecord, unusedChatApp } from "../../domain/chatapp/ChatApp.ts"
import { ChatAppCommands } from "../../domain/chatapp/ChatAppCommand.ts"
import { decideChatApp } from "../../domain/chatapp/DecideChatApp.ts"
import { evolveChatApp } from "../../domain/chatapp/EvolveChatApp.ts"
import { type ChatAppWork, planChatApp } from "../../domain/chatapp/PlanChatApp.ts"
import { recordChatApp } from "../../domain/chatapp/RecordChatApp.ts"
import { restoreChatApp } from "../../domain/chatapp/StoredChatApp.ts"
import { ChatAppProvider } from "../../domain/ports/pbx/ChatAppProvider.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { actor, type Answer, type Perform } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { traced } from "../../domain/Traced.ts"

/** How long an unavailable provider is retried before the trunk counts as failed. */
const provisionTimeout = "2 minutes"

const accepted = (trunk: TrunkRecord): Answer => ({ status: 202, body: JSON.stringify(trunk), headers: {} })

export const ChatAppActor = actor<ChatApp, ChatAppCommands, ChatAppEvent, ChatAppWork>({
  type: "ChatApp",
  commands: ChatAppCommands,
  initial: unusedChatApp,
  restore: restoreChatApp,
  decide: decideChatApp,
  evolve: evolveChatApp,
  plan: planChatApp,
  record: recordChatApp,
  answers: { Provision: accepted, Retry: accepted }
})

const provisioned = (sip_host: string) => ({ _tag: "Provisioned", sip_host }) as const
const failed = (reason: string, provider_code: number | null) =>
  ({ _tag: "ProvisioningFailed", reason, provider_code }) as const

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const provider = yield* ChatAppProvider
    const system = yield* ActorSystem

    /** An unavailable provider is retried until the timeout. Any other fault is the result. */
    const provision = traced("ChatApp.provision")((number: string) =>
      retryWithBackoff(
        Effect.matchEffect(provider.provision(number), {
          onSuccess: ({ sip_host }) => Effect.succeed(provisioned(sip_host)),
          onFailure: (fault) =>
            fault.kind === "unavailable" ? Effect.fail(fault) : Effect.succeed(failed(fault.message, fault.code))
        })
      ).pipe(
        Effect.timeoutOrElse({
          duration: provisionTimeout,
          orElse: () => Effect.succeed(failed("The chat-app provider cannot be reached.", null))
        })
      )
    )

    /** A refusal is logged and not retried: the provider has nothing to reset then. */
    const turnOff = traced("ChatApp.turnOff")((number: string) =>
      retryWithBackoff(
        Effect.catch(provider.write(number, initialSettings), (fault) =>
          fault.kind === "unavailable"
            ? Effect.fail(fault)
            : Effect.logWarning("The chat-app provider refused to reset the settings of a number", fault.message)
        )
      )
    )

    const perform: Perform<ChatApp, ChatAppCommands, ChatAppWork> = (work, self) =>
      work._tag === "TurnOff"
        ? Effect.andThen(turnOff(work.number), retryWithBackoff(self.tell({ _tag: "TurnedOff" })))
        : Effect.flatMap(provision(work.number), (result) =>
            retryWithBackoff(
              result._tag === "Provisioned"
                ? self.tell({ ...result, attempt: work.attempt })
                : self.tell({ ...result, attempt: work.attempt })
            )
          )
    yield* system.register(ChatAppActor, perform)
  })
)
