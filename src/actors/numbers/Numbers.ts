// The numbers of workspaces, for HTTP handlers and the library.
import { Context, Effect, Layer, Schedule } from "effect"
import type { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import { type BadRequest, NotFound, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import {
  type NumberAlreadyClaimed,
  type NumberInvalidRoutingUrl,
  NumberNotAssigned,
  NumberNotFound,
  NumberPriceMissing,
  type NumberRetired
} from "../../domain/errors/NumberErrors.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import type { WorkspaceLockedToByoc } from "../../domain/errors/TrunkErrors.ts"
import type { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { NumberCommands } from "../../domain/numbers/NumberCommand.ts"
import type { NumberRecord } from "../../domain/numbers/NumberRecord.ts"
import { isAssigned } from "../../domain/numbers/NumberStatus.ts"
import type { EventsUrlChange } from "../../domain/numbers/PlanNumber.ts"
import { routingChange, type RoutingMode, type RoutingRequest } from "../../domain/numbers/Routing.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { NumberReads } from "../../domain/ports/numbers/NumberReads.ts"
import { mayHold } from "../../domain/kit/Sandbox.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { makeSeenAfterwards } from "../shared/SeenAfterwards.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { type ClaimNumber, makeClaimNumber, payingWorkspace } from "./ClaimNumber.ts"
import { makeRegisterByoNumber, type RegisterByoNumber } from "./RegisterByoNumber.ts"
import type { NumberId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"
import { AllowedTargets } from "../../domain/ports/engine/AllowedTargets.ts"

export interface RoutedNumber {
  readonly record: NumberRecord
  /** Signs the events of the number's calls. Set if this request gave the number an `events_url`; shown only here. */
  readonly secret?: string
}

/** A request to change the routing of a number. */
export interface Rerouting {
  readonly request: RoutingRequest
  readonly mode: typeof RoutingMode.Type
  /** Absent: the label stays as it is. */
  readonly label?: string | null
}

export class Numbers extends Context.Service<
  Numbers,
  {
    /** If several workspaces claim a number at once, one gets it and pays. */
    readonly claim: ClaimNumber
    readonly register: RegisterByoNumber
    /** Gives a number of the platform back. */
    readonly release: (
      workspace_id: WorkspaceId,
      id: NumberId,
      context?: RequestContext
    ) => Effect.Effect<NumberRecord, NumberNotFound | NumberNotAssigned | NotCommitted>
    readonly route: (
      workspace_id: WorkspaceId,
      id: NumberId,
      rerouting: Rerouting,
      context?: RequestContext
    ) => Effect.Effect<
      RoutedNumber,
      BadRequest | NumberInvalidRoutingUrl | NumberNotFound | NumberNotAssigned | NotCommitted
    >
    /** Removes a number that the workspace has registered. */
    readonly remove: (
      workspace_id: WorkspaceId,
      id: NumberId,
      context?: RequestContext
    ) => Effect.Effect<void, NumberNotFound | NotCommitted>
    /** Gives an assigned number to another workspace, which pays for it from its next renewal on. */
    readonly reassign: (
      id: NumberId,
      workspace_id: WorkspaceId,
      context?: RequestContext
    ) => Effect.Effect<
      NumberRecord,
      | NotFound
      | NumberNotFound
      | NumberNotAssigned
      | NumberPriceMissing
      | WalletNotFound
      | AccountSuspended
      | WorkspaceLockedToByoc
      | NotCommitted
      | ReadFailed
    >
    /** Takes a number that no workspace has out of use for good. */
    readonly retire: (
      id: NumberId,
      context?: RequestContext
    ) => Effect.Effect<NumberRecord, NumberNotFound | NumberRetired | NumberAlreadyClaimed | NotCommitted>
  }
>()("trunkline/actors/Numbers") {
  static readonly layer = Layer.suspend(() => Layer.effect(Numbers, makeNumbers))
}

/** How long a number that is being paid for is waited for. The payment usually ends in a moment. */
const whileBeingPaid = {
  while: (error: unknown) => error instanceof ServiceUnavailable,
  schedule: Schedule.spaced("50 millis"),
  times: 100
}

/** The reply once the month that is due is paid or refused. */
const oncePaid = <A, E>(asked: Effect.Effect<A, E | ServiceUnavailable>) =>
  Effect.mapError(Effect.retry(asked, whileBeingPaid), (error): Exclude<E, ServiceUnavailable> | NotCommitted =>
    error instanceof ServiceUnavailable
      ? new NotCommitted({ reason: "unavailable", cause: error })
      : (error as Exclude<E, ServiceUnavailable>)
  )

const makeReassign = Effect.gen(function* () {
  const directory = yield* Directory
  const reads = yield* NumberReads
  const system = yield* ActorSystem
  const reassign: Numbers["Service"]["reassign"] = traced("Numbers.reassign")(function* (
    id,
    workspace_id,
    { origin } = systemContext
  ) {
    const workspace = yield* directory.workspace(workspace_id)
    if (workspace === undefined) return yield* new NotFound({ message: "There is no such workspace." })
    const { currency } = yield* payingWorkspace(workspace)
    const offer = yield* reads.offer(id, currency)
    if (offer === undefined || !mayHold(workspace_id, offer.number)) return yield* new NumberNotFound()
    if (!isAssigned(offer.status)) return yield* new NumberNotAssigned()
    if (offer.terms === null) return yield* new NumberPriceMissing()
    // A workspace that is locked to numbers of the platform may be assigned one.
    yield* Effect.catchTag(
      system.ask(WorkspaceCommands.ChooseNumberMode, workspace_id, { mode: "platform" }),
      "workspace.locked_to_platform_numbers",
      Effect.die
    )
    return yield* oncePaid(system.ask(NumberCommands.Reassign, id, { workspace_id, terms: offer.terms, origin }))
  })
  return reassign
})

const makeRoute = Effect.gen(function* () {
  const policy = yield* AllowedTargets
  const seenAfterwards = yield* makeSeenAfterwards
  const system = yield* ActorSystem
  const webhooks = yield* Webhooks

  /** The number would do this later by itself, but this request has to show the secret. */
  const syncEventsUrl = Effect.fnUntraced(function* (
    id: NumberId,
    { url, workspace_id }: EventsUrlChange,
    context: RequestContext
  ) {
    const subscription = yield* webhooks.setNumberEventsUrl(workspace_id, id, url, context)
    const target = url === null ? null : { workspace_id, url }
    yield* system.ask(NumberCommands.EventsUrlSynced, id, { target })
    return subscription?.secret
  })

  const route: Numbers["Service"]["route"] = traced("Numbers.route")(function* (
    workspace_id,
    id,
    { label, mode, request },
    context = systemContext
  ) {
    const change = yield* Effect.fromResult(routingChange(request, policy))
    const { pending, record } = yield* seenAfterwards(
      system.ask(NumberCommands.Route, id, {
        workspace_id,
        change,
        mode,
        ...(label !== undefined && { label }),
        origin: context.origin
      })
    )
    const isOwn = pending !== null && pending.workspace_id === workspace_id
    const secret = isOwn ? yield* syncEventsUrl(id, pending, context) : undefined
    return { record, ...(secret !== undefined && { secret }) }
  })
  return route
})

const makeNumbers = Effect.gen(function* () {
  const system = yield* ActorSystem
  const seenAfterwards = yield* makeSeenAfterwards
  const claim = yield* makeClaimNumber
  const reassign = yield* makeReassign
  const register = yield* makeRegisterByoNumber
  return Numbers.of({
    claim: (...request) => seenAfterwards(claim(...request)),
    register: (...request) => seenAfterwards(register(...request)),
    release: traced("Numbers.release")((workspace_id, id, context = systemContext) =>
      seenAfterwards(oncePaid(system.ask(NumberCommands.Release, id, { workspace_id, ...context })))
    ),
    route: yield* makeRoute,
    remove: traced("Numbers.remove")((workspace_id, id, { origin } = systemContext) =>
      seenAfterwards(system.ask(NumberCommands.Remove, id, { workspace_id, origin }))
    ),
    reassign: (...request) => seenAfterwards(reassign(...request)),
    retire: traced("Numbers.retire")((id, { origin } = systemContext) =>
      seenAfterwards(system.ask(NumberCommands.Retire, id, { origin }))
    )
  })
})
