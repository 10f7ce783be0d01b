import { Effect, Result } from "effect"
import type { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import {
  NumberByoRequiresTrunk,
  NumberE164Taken,
  NumberLimitReached,
  NumberProofRequired,
  type NumberInvalidRoutingUrl
} from "../../domain/errors/NumberErrors.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { WorkspaceLockedToPlatformNumbers } from "../../domain/errors/TrunkErrors.ts"
import { CallerIdsCommands } from "../../domain/callerids/CallerIdCommand.ts"
import { byoNumberId, mayBring } from "../../domain/numbers/ByoNumber.ts"
import { NumberCommands } from "../../domain/numbers/NumberCommand.ts"
import type { NumberRecord } from "../../domain/numbers/NumberRecord.ts"
import type { NumberFacts } from "../../domain/numbers/PhoneNumber.ts"
import { routingChange, type RoutingRequest } from "../../domain/numbers/Routing.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { NumberPlan } from "../../domain/ports/numbers/NumberPlan.ts"
import { NumberReads } from "../../domain/ports/numbers/NumberReads.ts"
import { Trunks } from "../../domain/ports/pbx/Trunks.ts"
import { isSandbox, mayHold } from "../../domain/kit/Sandbox.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"
import { AllowedTargets } from "../../domain/ports/engine/AllowedTargets.ts"

export interface ByoNumberRequest {
  /** E.164. */
  readonly number: string
  readonly label?: string | null
  readonly routing?: RoutingRequest
}

/** Registers a number that the workspace brings over its own SIP trunk, which must be active. */
export type RegisterByoNumber = (
  workspace_id: WorkspaceId,
  request: ByoNumberRequest,
  context?: RequestContext
) => Effect.Effect<
  NumberRecord,
  | BadRequest
  | NumberInvalidRoutingUrl
  | NumberByoRequiresTrunk
  | NumberE164Taken
  | NumberLimitReached
  | NumberProofRequired
  | AccountSuspended
  | WorkspaceLockedToPlatformNumbers
  | NotCommitted
  | ReadFailed
>

/** The world (UN M49), for numbers of no single country, such as +800. */
const world = "001"

/** A sandbox brings numbers of the test network, so that a number which is tried out stays free for its owner. */
const makeReadFacts = Effect.map(
  NumberPlan,
  (plan) =>
    (workspace_id: WorkspaceId, text: string): Result.Result<NumberFacts, BadRequest> => {
      const reading = plan.read(text, { strict: true, allow_test: isSandbox(workspace_id) })
      if (reading.ok && !mayHold(workspace_id, reading.e164)) {
        const message = "In test mode a number begins with +999."
        const details = [{ field: "/number", code: "test_numbers_only", message }]
        return Result.fail(new BadRequest({ message, reason: "test_numbers_only", details }))
      }
      if (reading.ok) {
        const { country, e164 } = reading
        return Result.succeed({
          number: e164,
          series_id: null,
          source: "byo",
          country: country ?? world,
          type: "national",
          locality: null,
          capabilities: ["voice", "webrtc"]
        })
      }
      const message = "The number is not E.164."
      const { reason, suggested_e164 } = reading
      return Result.fail(
        new BadRequest({
          message,
          reason,
          ...(suggested_e164 !== undefined && { suggested_e164 }),
          details: [{ field: "/number", code: reason, message }]
        })
      )
    }
)

export const makeRegisterByoNumber = Effect.gen(function* () {
  const policy = yield* AllowedTargets
  const directory = yield* Directory
  const readFacts = yield* makeReadFacts
  const reads = yield* NumberReads
  const system = yield* ActorSystem
  const trunks = yield* Trunks

  const refuse = Effect.fnUntraced(function* (workspace_id: WorkspaceId, number: string) {
    const workspace = yield* directory.workspace(workspace_id)
    if (workspace?.number_mode === "platform") return yield* new WorkspaceLockedToPlatformNumbers()
    if (!(yield* trunks.active(workspace_id))) return yield* new NumberByoRequiresTrunk()
    if ((yield* reads.holder(number)) !== undefined) return yield* new NumberE164Taken()
    if (!mayBring(yield* reads.held(workspace_id))) return yield* new NumberLimitReached()
    const proved = yield* system.ask(CallerIdsCommands.MayShow, workspace_id, { number })
    if (!proved) return yield* new NumberProofRequired()
  })

  const register: RegisterByoNumber = traced("Numbers.register")(function* (
    workspace_id,
    { label = null, number, routing = {} },
    context = systemContext
  ) {
    const facts = yield* Effect.fromResult(readFacts(workspace_id, number))
    const change = yield* Effect.fromResult(routingChange(routing, policy, "/routing"))
    yield* refuse(workspace_id, facts.number)
    // The workspace of a request exists, and a workspace that is locked to its own numbers may register one.
    yield* Effect.catchTag(
      system.ask(WorkspaceCommands.ChooseNumberMode, workspace_id, { mode: "byoc" }),
      ["not_found", "workspace.locked_to_byoc"],
      Effect.die
    )
    const command = { workspace_id, facts, label, change, ...context }
    return yield* system.ask(NumberCommands.Register, byoNumberId(facts.number), command).pipe(
      // The database refuses the number if the trunk was deleted meanwhile. Then the reason is known by now.
      Effect.catchTag("NotCommitted", (error) => Effect.andThen(refuse(workspace_id, facts.number), error))
    )
  })
  return register
})
