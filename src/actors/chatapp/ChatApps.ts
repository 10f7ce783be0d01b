// Chat-app calling of numbers, for HTTP handlers and the library.
import { Context, Effect, Layer } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import {
  type CallSettings,
  type CallSettingsRequest,
  initialSettings,
  type Restriction,
  settingsOf
} from "../../domain/chatapp/CallSettings.ts"
import type { TrunkRecord } from "../../domain/chatapp/ChatApp.ts"
import { ChatAppCommands } from "../../domain/chatapp/ChatAppCommand.ts"
import {
  ChatAppNotEligible,
  ChatAppNotProvisioned,
  ChatAppProviderRejected,
  ChatAppProviderUnavailable,
  type ChatAppSettingsInvalid,
  type ChatAppTrunkNotRetryable
} from "../../domain/errors/ChatAppErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { NumberNotActive, NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { isWorking } from "../../domain/numbers/NumberStatus.ts"
import { type ChatAppFault, ChatAppProvider } from "../../domain/ports/pbx/ChatAppProvider.ts"
import { NumberReads } from "../../domain/ports/numbers/NumberReads.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { NumberId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

/** The live settings are optional: a read does not wait longer for them. */
const readTimeout = "5 seconds"
const writeTimeout = "20 seconds"

/** How long handsets may take to show a change. It is part of the response. */
export const propagationNote = "Handsets may take up to 7 days to show a change. Calls follow it at once."

export interface ShownSettings {
  /** The settings that were last written. */
  readonly stored: CallSettings
  /** The settings at the provider. Absent: they could not be read, and `live_error` says why. */
  readonly live?: CallSettings
  readonly restrictions: ReadonlyArray<Restriction>
  readonly live_error?: string
}

/** A number of a workspace. */
export interface NumberKey {
  readonly workspace_id: WorkspaceId
  readonly number_id: NumberId
}

type Unavailable = NumberNotFound | NotCommitted | ReadFailed

type ProviderFailure = ChatAppProviderUnavailable | ChatAppNotEligible | ChatAppProviderRejected

const failureOf = ({ cause, kind, message }: ChatAppFault): ProviderFailure => {
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
    /** The stored settings, and those at the provider if it responds in time. */
    readonly settings: (number: NumberKey) => Effect.Effect<ShownSettings, Unavailable>
    /** Replaces all settings, at the provider first. They are stored only if the provider accepts them. */
    readonly write: (
      number: NumberKey,
      request: CallSettingsRequest,
      origin: Origin
    ) => Effect.Effect<CallSettings, Unavailable | NumberNotActive | ChatAppSettingsInvalid | ProviderFailure>
    readonly trunk: (number: NumberKey) => Effect.Effect<TrunkRecord, Unavailable | ChatAppNotProvisioned>
    /** Has the provider send the number's calls here. A trunk that exists stays as it is. */
    readonly provision: (
      number: NumberKey,
      idempotency?: IdempotentRequest
    ) => Effect.Effect<TrunkRecord, Unavailable | NumberNotActive>
    /** Provisions a failed trunk again. */
    readonly retry: (
      number: NumberKey,
      origin: Origin,
      idempotency?: IdempotentRequest
    ) => Effect.Effect<TrunkRecord, Unavailable | NumberNotActive | ChatAppNotProvisioned | ChatAppTrunkNotRetryable>
  }
>()("trunkline/actors/ChatApps") {
  static readonly layer = Layer.suspend(() => Layer.effect(ChatApps, makeChatApps))
}

const makeOwnNumber = Effect.map(
  NumberReads,
  (numbers) =>
    ({ number_id, workspace_id }: NumberKey) =>
      Effect.filterOrFail(
        numbers.find(workspace_id, number_id),
        (number) => number !== undefined,
        () => new NumberNotFound()
      )
)

/** Settings and trunks can be changed only while the number works. */
const makeWorkingNumber = Effect.map(
  makeOwnNumber,
  (own) => (key: NumberKey) => Effect.filterOrFail(own(key), isWorking, () => new NumberNotActive())
)

const makeSettings = Effect.gen(function* () {
  const system = yield* ActorSystem
  const provider = yield* ChatAppProvider
  const own = yield* makeOwnNumber
  const workingNumber = yield* makeWorkingNumber

  const live = (number: string) =>
    Effect.match(Effect.timeoutOption(provider.read(number), readTimeout), {
      onFailure: ({ message }) => ({ live_error: message, restrictions: [] }),
      onSuccess: (found) =>
        found._tag === "None"
          ? { live_error: "The chat-app provider did not answer in time.", restrictions: [] }
          : { live: found.value.settings, restrictions: found.value.restrictions }
    })

  const settings: ChatApps["Service"]["settings"] = traced("ChatApps.settings")(function* (key) {
    const { number_id, workspace_id } = key
    const { number } = yield* own(key)
    const [{ stored }, shown] = yield* Effect.all(
      [system.ask(ChatAppCommands.Show, number_id, { workspace_id }), live(number)],
      { concurrency: 2 }
    )
    return { stored: stored ?? initialSettings, ...shown }
  })

  const write: ChatApps["Service"]["write"] = traced("ChatApps.write")(function* (key, request, origin) {
    const { number_id, workspace_id } = key
    const { number } = yield* workingNumber(key)
    const settings = yield* Effect.fromResult(settingsOf(request))
    yield* provider.write(number, settings).pipe(
      Effect.mapError(failureOf),
      Effect.timeoutOrElse({
        duration: writeTimeout,
        orElse: () => Effect.fail(new ChatAppProviderUnavailable())
      })
    )
    yield* system.ask(ChatAppCommands.SettingsWritten, number_id, { workspace_id, number, settings, origin })
    return settings
  })
  return { settings, write }
})

const makeTrunks = Effect.gen(function* () {
  const system = yield* ActorSystem
  const own = yield* makeOwnNumber
  const workingNumber = yield* makeWorkingNumber

  const trunk: ChatApps["Service"]["trunk"] = traced("ChatApps.trunk")(function* (key) {
    yield* own(key)
    const shown = yield* system.ask(ChatAppCommands.Show, key.number_id, { workspace_id: key.workspace_id })
    return shown.trunk ?? (yield* new ChatAppNotProvisioned())
  })

  const provision: ChatApps["Service"]["provision"] = traced("ChatApps.provision")(function* (key, idempotency) {
    const { number } = yield* workingNumber(key)
    const command = { workspace_id: key.workspace_id, number, ...(idempotency && { idempotency }) }
    return yield* system.ask(ChatAppCommands.Provision, key.number_id, command)
  })

  const retry: ChatApps["Service"]["retry"] = traced("ChatApps.retry")(function* (key, origin, idempotency) {
    yield* workingNumber(key)
    const command = { workspace_id: key.workspace_id, origin, ...(idempotency && { idempotency }) }
    return yield* system.ask(ChatAppCommands.Retry, key.number_id, command)
  })
  return { trunk, provision, retry }
})

const makeChatApps = Effect.gen(function* () {
  return ChatApps.of({ ...(yield* makeSettings), ...(yield* makeTrunks) })
})
