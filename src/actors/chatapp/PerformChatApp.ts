// How the work of a number in the chat app is done. Every piece can be done twice.
import { Effect, Layer } from "effect"
import { initialSettings } from "../../domain/chatapp/CallSettings.ts"
import { ChatAppProvider } from "../../domain/ports/pbx/ChatAppProvider.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { traced } from "../../domain/Traced.ts"
import { type ChatApp } from "../../domain/chatapp/ChatApp.ts"
import type { ChatAppCommands } from "../../domain/chatapp/ChatAppCommand.ts"
import type { ChatAppWork } from "../../domain/chatapp/PlanChatApp.ts"
import { ChatAppActor } from "./ChatAppActor.ts"
import { makeChatAppTrunks } from "./ChatAppTrunks.ts"

/** How long an unavailable provider is retried before the trunk counts as failed. */
const provisionTimeout = "2 minutes"

const provisioned = (sip_host: string) => ({ _tag: "Provisioned", sip_host }) as const
const failed = (reason: string, provider_code: number | null) =>
  ({ _tag: "ProvisioningFailed", reason, provider_code }) as const

const makeProviderWork = Effect.map(ChatAppProvider, (provider) => ({
  /** An unavailable provider is retried until the timeout. Any other fault is the result. */
  provision: traced("ChatApp.provision")((number: string) =>
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
  ),
  /** A refusal is logged and not retried: the provider has nothing to reset then. */
  turnOff: traced("ChatApp.turnOff")((number: string) =>
    retryWithBackoff(
      Effect.catch(provider.write(number, initialSettings), (fault) =>
        fault.kind === "unavailable"
          ? Effect.fail(fault)
          : Effect.logWarning("The chat-app provider refused to reset the settings of a number", fault.message)
      )
    )
  )
}))

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const { provision, turnOff } = yield* makeProviderWork
    const trunks = yield* makeChatAppTrunks

    const perform: Perform<ChatApp, ChatAppCommands, ChatAppWork> = (work, self) => {
      switch (work._tag) {
        case "ProvisionTrunk":
          return Effect.flatMap(provision(work.number), (result) =>
            retryWithBackoff(
              result._tag === "Provisioned"
                ? self.tell({ ...result, attempt: work.attempt })
                : self.tell({ ...result, attempt: work.attempt })
            )
          )
        case "TurnOff":
          return Effect.andThen(turnOff(work.number), retryWithBackoff(self.tell({ _tag: "TurnedOff" })))
        case "SetUpTrunk":
          return trunks.setUp(self, work)
        case "ProbeTrunk":
          return trunks.probe(self, work)
        case "RemoveTrunk":
          return trunks.remove(self, work)
        case "Resync":
          return trunks.resync(self, work)
      }
    }
    yield* system.register(ChatAppActor, perform)
  })
)
