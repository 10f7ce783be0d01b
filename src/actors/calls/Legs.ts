// How a leg comes to be, whoever asks for it: priced, its first minute held, and then on disk. Nothing rings before.
import { Clock, Context, Effect, Layer } from "effect"
import type { CallingPolicy } from "../../domain/calls/CallingPolicy.ts"
import { CallCommands } from "../../domain/calls/CallCommand.ts"
import type { CallFacts } from "../../domain/calls/CallFacts.ts"
import type { CallRecord } from "../../domain/calls/CallRecord.ts"
import type { LegOptions } from "../../domain/calls/LegOptions.ts"
import type { Quote } from "../../domain/calls/DestinationCheck.ts"
import { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { Refusal } from "../../domain/Command.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import type { CallDestinationRefused, CallInvalidDestination } from "../../domain/errors/CallErrors.ts"
import { NumberNotActive, type NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import type { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { sessionOfCall } from "../../domain/pbx/Session.ts"
import type { DialLimits } from "../../domain/wallet/DialLimiter.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { makeDestinations } from "./Destinations.ts"
import { isWorking } from "../../domain/numbers/NumberStatus.ts"
import { isShut } from "../../domain/workspace/Workspace.ts"
import type { ServingTrunk, TrunkLimits } from "../../domain/trunks/TrunkCapacity.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { type AvailableFunds, availableFunds } from "../wallet/AvailableFunds.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

/** What the caller of a leg wants; the rest follows from the workspace, its number and the rates. */
export interface LegRequest
  extends
    Pick<
      CallFacts,
      | "workspace_id"
      | "from"
      | "to"
      | "timeout_seconds"
      | "max_duration_seconds"
      | "voice_callback_url"
      | "voice_fallback_url"
      | "metadata"
      | "client_reference"
      | "parent_call_id"
      | "parent_session_id"
      | "kind"
      | "shared_hold_id"
    >,
    LegOptions {
  readonly id: string
  readonly caller_id: string | null
  /** Who called the call that dials: the leg may show that number too. */
  readonly inbound_caller?: string
  readonly idempotency?: IdempotentRequest
  /** What the wallet has beside the money that the leg shares, where it shares some. */
  readonly available_minor?: number
}

const dialLimits = (policy: CallingPolicy): DialLimits => ({
  calls_per_second: policy.calls_per_second,
  max_calls_per_destination_per_hour: policy.max_calls_per_destination_per_hour,
  daily_spend_limit_minor: policy.daily_spend_limit_minor
})

/** Else the call may be on disk, and needs its hold. If it is not, the wallet's own audit finds the hold. */
const surelyUnwritten = (error: Failure | NotCommitted): boolean =>
  error._tag !== "NotCommitted" || error.reason === "duplicate"

/** Money for whichever of several legs is answered first. */
export interface SharedHold {
  readonly workspace_id: WorkspaceId
  readonly hold_id: string
  /** The call that dials them. */
  readonly call_id: string
  /** Of the dearest. */
  readonly amount_minor: number
  readonly to: ReadonlyArray<string>
  /** Those that go over the workspace's own trunk, and what it carries. */
  readonly trunk?: TrunkLegs
}

interface TrunkLegs {
  readonly legs: number
  readonly limits: TrunkLimits
}

/** What the first minute of a leg would cost, in minor units, and the workspace's own trunk where it goes over that. */
export interface LegPrice {
  readonly amount_minor: number
  readonly trunk: ServingTrunk | undefined
}

export const overTrunk = ({ max_channels, max_cps }: TrunkLimits, legs: number): TrunkLegs => ({
  legs,
  limits: { max_channels, max_cps }
})

const holding =
  (system: ActorSystem["Service"]) =>
  (policy: CallingPolicy, { to, workspace_id, ...hold }: SharedHold) =>
    Effect.map(
      system.ask(WalletCommands.PlaceHold, workspace_id, {
        ...hold,
        max_legs: policy.max_concurrent_calls,
        dial: { to, limits: dialLimits(policy) }
      }),
      availableFunds
    )

export type KnownRefusal = AccountSuspended | NumberNotFound | WalletNotFound
export type QuoteRefusal = CallInvalidDestination | NumberNotActive | NumberNotFound | WalletNotFound
export type PriceRefusal = AccountSuspended | CallDestinationRefused | QuoteRefusal
export type HoldRefusal = Refusal<WalletCommands, "PlaceHold">
export type ShareRefusal = HoldRefusal | NotCommitted

export class Legs extends Context.Service<
  Legs,
  {
    /** Refuses a workspace that may not call at all, and a number that it does not have: what is said before all else. */
    readonly known: (workspace_id: WorkspaceId, from: string) => Effect.Effect<void, KnownRefusal>
    /** Refuses what may not be dialled; else the leg is set up, and answers with its record. */
    readonly place: (request: LegRequest) => Effect.Effect<CallRecord, PriceRefusal | ShareRefusal>
    /** Refuses what `place` would refuse but for the money and for how much is under way. */
    readonly price: (request: LegRequest) => Effect.Effect<LegPrice, PriceRefusal>
    /** Sets money aside that one of several legs of a call will take. */
    readonly share: (shared: SharedHold) => Effect.Effect<AvailableFunds, ShareRefusal | WalletNotFound>
    /** What `place` would say of a destination, in any spelling, now. */
    readonly quote: (workspace_id: WorkspaceId, from: string, to: string) => Effect.Effect<Quote, QuoteRefusal>
  }
>()("trunkline/actors/Legs") {
  static readonly layer = (options: { readonly allow_test_numbers: boolean }) =>
    Layer.effect(
      Legs,
      Effect.gen(function* () {
        const system = yield* ActorSystem
        const placeHold = holding(system)
        const { callerShown, ownNumber, quote, routeTo, tenant } = yield* makeDestinations(options)

        const callerOf = Effect.fnUntraced(function* ({
          from,
          workspace_id
        }: Pick<LegRequest, "from" | "workspace_id">) {
          const workspace = yield* tenant(workspace_id)
          if (isShut(workspace.status)) return yield* new AccountSuspended()
          return { workspace, number: yield* ownNumber(workspace_id, from) }
        })

        const factsOf = Effect.fnUntraced(function* (request: LegRequest) {
          const { number, workspace } = yield* callerOf(request)
          const shown = yield* callerShown(workspace, number, request)
          const created_at = yield* Clock.currentTimeMillis
          const { trunk, ...route } = yield* routeTo(workspace, number, request.to, {
            at: created_at,
            sip: request.kind === "dial"
          })
          if (!isWorking(number) || !shown.working) return yield* new NumberNotActive()
          const { available_minor: _, id, idempotency: __, inbound_caller: ___, ...asked } = request
          const facts: CallFacts = {
            ...asked,
            ...route,
            ...(trunk !== undefined && { trunk_id: trunk.id }),
            caller_id: shown.number,
            session_id: sessionOfCall(id),
            tenant_pbx_id: workspace.tenant_pbx_id,
            gateway_id: workspace.gateway_id,
            number_id: number.id,
            direction: "outbound",
            created_at,
            currency: workspace.currency
          }
          return { facts, policy: workspace.calling_policy, trunk }
        })

        const write = ({ id, idempotency }: LegRequest, facts: CallFacts, { available_minor }: AvailableFunds) => {
          const money: AvailableFunds = available_minor === undefined ? {} : { available_minor }
          return system.ask(CallCommands.Originate, id, { facts, ...money, ...(idempotency && { idempotency }) })
        }

        return Legs.of({
          known: (workspace_id, from) => Effect.asVoid(callerOf({ workspace_id, from })),
          quote,
          price: (request) =>
            Effect.map(factsOf(request), ({ facts, trunk }) => ({ amount_minor: facts.rate_per_min_minor, trunk })),
          share: (shared) =>
            Effect.flatMap(tenant(shared.workspace_id), ({ calling_policy }) => placeHold(calling_policy, shared)),
          place: (request) =>
            Effect.flatMap(factsOf(request), ({ facts, policy, trunk }) => {
              const { id, workspace_id } = request
              if (facts.shared_hold_id !== undefined) return write(request, facts, request)
              const hold = placeHold(policy, {
                workspace_id,
                hold_id: id,
                call_id: id,
                amount_minor: facts.rate_per_min_minor,
                to: [facts.to],
                ...(trunk && { trunk: overTrunk(trunk, 1) })
              })
              const release = Effect.ignore(system.ask(WalletCommands.ReleaseHold, workspace_id, { hold_id: id }))
              const written = (money: AvailableFunds) =>
                Effect.tapError(write(request, facts, money), (error) =>
                  surelyUnwritten(error) ? release : Effect.void
                )
              return Effect.uninterruptible(Effect.flatMap(hold, written))
            })
        })
      })
    )
}
