// The door to chat-app calling for HTTP and the library.
import { Context, Effect, Layer } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import {
  type CallSettings,
  type CallSettingsRequest,
  initialSettings,
  settingsOf
} from "../../domain/chatapp/CallSettings.ts"
import type { TrunkRecord } from "../../domain/chatapp/ChatApp.ts"
import {
  ChatAppNotEligible,
  ChatAppNotProvisioned,
  ChatAppProviderRejected,
  ChatAppProviderUnavailable
} from "../../domain/errors/ChatAppErrors.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { NumberNotActive, NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { type ChatAppFault, ChatAppProvider, type Restriction } from "../../domain/ports/ChatAppProvider.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { NumberReads } from "../../domain/ports/NumberReads.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { ChatAppActor } from "./ChatAppActor.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

/** For a read that is a courtesy: what is stored is shown without it. */
const live_timeout = "5 seconds"
const write_timeout = "20 seconds"

/** How long handsets may take to notice; shown with the settings. */
export const propagation_note = "Handsets may take up to 7 days to show a change; calls are treated by it at once."

export interface ShownSettings {
  readonly stored: CallSettings
  readonly live?: CallSettings
  readonly restrictions: ReadonlyArray<Restriction>
  readonly live_error?: string
}

interface Of {
  readonly workspace_id: string
  readonly number_id: string
}
type Unhappy = Failure | NotCommitted | ReadFailed

const refusalOf = ({ cause, kind, message }: ChatAppFault): Failure => {
  switch (kind) {
    case "unavailable":
      return new ChatAppProviderUnavailable({ cause })
    case "not_eligible":
      return new ChatAppNotEligible({ message })
    case "rejected":
      return new ChatAppProviderRejected({ message: `The chat-app provider refused the change: ${message}` })
  }
}

export class ChatApps extends Context.Service<
  ChatApps,
  {
    /** What was stored last, and what the provider says now, if it says anything. */
    readonly settings: (of: Of) => Effect.Effect<ShownSettings, Unhappy>
    /** Writes the whole object: to the provider first, and stored only when it took it. */
    readonly write: (of: Of, request: CallSettingsRequest, origin: Origin) => Effect.Effect<CallSettings, Unhappy>
    readonly trunk: (of: Of) => Effect.Effect<TrunkRecord, Unhappy>
    readonly provision: (of: Of, idempotency?: IdempotentRequest) => Effect.Effect<TrunkRecord, Unhappy>
    readonly retry: (of: Of, origin: Origin, idempotency?: IdempotentRequest) => Effect.Effect<TrunkRecord, Unhappy>
  }
>()("trunkline/actors/ChatApps") {
  static readonly layer = Layer.effect(
    ChatApps,
    Effect.gen(function* () {
      const system = yield* ActorSystem
      const provider = yield* ChatAppProvider
      const numbers = yield* NumberReads

      const own = ({ number_id, workspace_id }: Of) =>
        Effect.filterOrFail(
          numbers.find(workspace_id, number_id),
          (number) => number !== undefined,
          () => new NumberNotFound()
        )

      /** What costs something, or binds the number, needs one that works. */
      const working = (of: Of) =>
        Effect.filterOrFail(
          own(of),
          ({ status }) => status === "active" || status === "past_due",
          () => new NumberNotActive()
        )

      const shown = Effect.fnUntraced(function* ({ number_id, workspace_id }: Of) {
        const reply = yield* system.ask(ChatAppActor, number_id, { _tag: "Show", workspace_id })
        return reply._tag === "Shown" ? reply : { stored: null, trunk: null }
      })

      const trunkOf = (reply: { readonly _tag: string; readonly trunk?: TrunkRecord | null }) =>
        reply.trunk ? Effect.succeed(reply.trunk) : Effect.fail(new ChatAppNotProvisioned())

      const live = (number: string) =>
        Effect.match(Effect.timeoutOption(provider.read(number), live_timeout), {
          onFailure: ({ message }) => ({ live_error: message, restrictions: [] }),
          onSuccess: (found) =>
            found._tag === "None"
              ? { live_error: "The chat-app provider did not answer in time.", restrictions: [] }
              : { live: found.value.settings, restrictions: found.value.restrictions }
        })

      return ChatApps.of({
        settings: Effect.fnUntraced(function* (of) {
          const { number } = yield* own(of)
          const [{ stored }, now] = yield* Effect.all([shown(of), live(number)], { concurrency: 2 })
          return { stored: stored ?? initialSettings, ...now }
        }),
        write: Effect.fnUntraced(function* (of, request, origin) {
          const { number } = yield* working(of)
          const settings = yield* Effect.fromResult(settingsOf(request))
          yield* provider.write(number, settings).pipe(
            Effect.mapError(refusalOf),
            Effect.timeoutOrElse({
              duration: write_timeout,
              orElse: () => Effect.fail(new ChatAppProviderUnavailable())
            })
          )
          const { number_id, workspace_id } = of
          yield* system.ask(ChatAppActor, number_id, {
            _tag: "SettingsWritten",
            workspace_id,
            number,
            settings,
            origin
          })
          return settings
        }),
        trunk: (of) =>
          Effect.andThen(
            own(of),
            Effect.flatMap(shown(of), ({ trunk }) => trunkOf({ _tag: "Shown", trunk }))
          ),
        provision: Effect.fnUntraced(function* ({ number_id, workspace_id }, idempotency) {
          const { number } = yield* working({ number_id, workspace_id })
          const command = { _tag: "Provision", workspace_id, number, ...(idempotency && { idempotency }) } as const
          return yield* trunkOf(yield* system.ask(ChatAppActor, number_id, command))
        }),
        retry: Effect.fnUntraced(function* (of, origin, idempotency) {
          yield* working(of)
          const command = {
            _tag: "Retry",
            workspace_id: of.workspace_id,
            origin,
            ...(idempotency && { idempotency })
          } as const
          return yield* trunkOf(yield* system.ask(ChatAppActor, of.number_id, command))
        })
      })
    })
  )
}
