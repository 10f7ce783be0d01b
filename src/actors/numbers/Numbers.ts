// The door to numbers for HTTP and the library.
import { Context, Effect, Layer } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import { InternalError, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { NumberNotAssigned, NumberNotFound, NumberPriceMissing } from "../../domain/errors/NumberErrors.ts"
import type { NumberCommand } from "../../domain/numbers/NumberCommand.ts"
import type { NumberRecord } from "../../domain/numbers/NumberRecord.ts"
import { isAssigned } from "../../domain/numbers/NumberStatus.ts"
import type { OwedTelling } from "../../domain/numbers/PlanNumber.ts"
import { routingChange, type RoutingMode, type RoutingRequest } from "../../domain/numbers/Routing.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { NumberReads } from "../../domain/ports/NumberReads.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import type { TargetPolicy } from "../../domain/targets/TargetUrl.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { type RegisterByoNumber, makeRegisterByoNumber } from "./RegisterByoNumber.ts"
import { type ClaimNumber, makeClaimNumber, payingWorkspace } from "./ClaimNumber.ts"
import { NumberActor } from "./NumberActor.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"

type Unhappy = Failure | NotCommitted | ReadFailed

export interface RoutedNumber {
  readonly record: NumberRecord
  /** Signs the events of the number's calls. Shown this once: when the number got its first `events_url`. */
  readonly secret?: string
}

/** What a request makes of a number's routing. */
export interface Rerouting {
  readonly request: RoutingRequest
  readonly mode: typeof RoutingMode.Type
  /** Absent: it stays as it is. */
  readonly label?: string | null
}

export class Numbers extends Context.Service<
  Numbers,
  {
    /** Takes a number out of inventory and pays for its first month. Of all who want it, one gets it and pays. */
    readonly claim: ClaimNumber
    readonly bring: RegisterByoNumber
    /** Gives a number of the platform back. */
    readonly release: (
      workspace_id: string,
      id: string,
      context?: RequestContext
    ) => Effect.Effect<NumberRecord, Unhappy>
    readonly route: (
      workspace_id: string,
      id: string,
      rerouting: Rerouting,
      context?: RequestContext
    ) => Effect.Effect<RoutedNumber, Unhappy>
    /** Takes a brought number away. */
    readonly remove: (workspace_id: string, id: string, context?: RequestContext) => Effect.Effect<void, Unhappy>
    /** Gives an assigned number to another workspace, which pays for it from its next renewal on. */
    readonly reassign: (
      id: string,
      workspace_id: string,
      context?: RequestContext
    ) => Effect.Effect<NumberRecord, Unhappy>
    /** Takes a number that nobody has out of use, for ever. */
    readonly retire: (id: string, context?: RequestContext) => Effect.Effect<NumberRecord, Unhappy>
  }
>()("trunkline/actors/Numbers") {
  static readonly layer = (policy: TargetPolicy) => Layer.effect(Numbers, makeNumbers(policy))
}

const makeNumbers = (policy: TargetPolicy) =>
  Effect.gen(function* () {
    const directory = yield* Directory
    const reads = yield* NumberReads
    const system = yield* ActorSystem
    const webhooks = yield* Webhooks

    const shown = (id: string, command: NumberCommand) =>
      Effect.flatMap(system.ask(NumberActor, id, command), (reply) =>
        reply._tag === "Shown" ? Effect.succeed(reply.record) : Effect.fail(new InternalError())
      )

    /** The number would do it by itself, later; who asked for it is to see the secret. */
    const tell = (id: string, { url, workspace_id }: OwedTelling, context: RequestContext) =>
      Effect.gen(function* () {
        const subscription = yield* webhooks.setNumberEventsUrl(workspace_id, id, url, context)
        yield* system.ask(NumberActor, id, { _tag: "EventsTold", told: url === null ? null : { workspace_id, url } })
        return subscription?.secret
      })

    return Numbers.of({
      claim: yield* makeClaimNumber,
      bring: yield* makeRegisterByoNumber(policy),
      release: (workspace_id, id, context = systemContext) => shown(id, { _tag: "Release", workspace_id, ...context }),
      route: (workspace_id, id, { label, mode, request }, context = systemContext) =>
        Effect.gen(function* () {
          const change = yield* Effect.fromResult(routingChange(request, policy))
          const reply = yield* system.ask(NumberActor, id, {
            _tag: "Route",
            workspace_id,
            change,
            mode,
            ...(label !== undefined && { label }),
            ...context
          })
          if (reply._tag !== "Routed") return yield* new InternalError()
          const secret = reply.owed?.workspace_id === workspace_id ? yield* tell(id, reply.owed, context) : undefined
          return { record: reply.record, ...(secret !== undefined && { secret }) }
        }),
      remove: (workspace_id, id, context = systemContext) =>
        Effect.asVoid(system.ask(NumberActor, id, { _tag: "Remove", workspace_id, ...context })),
      reassign: (id, workspace_id, context = systemContext) =>
        Effect.gen(function* () {
          const found = yield* directory.workspace(workspace_id)
          if (found === undefined) return yield* new NotFound({ message: "There is no such workspace." })
          const { currency } = yield* payingWorkspace(found)
          const offer = yield* reads.offer(id, currency)
          if (offer === undefined) return yield* new NumberNotFound()
          if (!isAssigned(offer.status)) return yield* new NumberNotAssigned()
          if (offer.terms === null) return yield* new NumberPriceMissing()
          yield* system.ask(WorkspaceCommands.ChooseNumberMode, workspace_id, { mode: "platform" })
          return yield* shown(id, { _tag: "Reassign", workspace_id, terms: offer.terms, ...context })
        }),
      retire: (id, context = systemContext) => shown(id, { _tag: "Retire", ...context })
    })
  })
