// Numbers that a workspace brings over its own trunk.
import { Effect, Result } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import { BadRequest, InternalError } from "../../domain/errors/GeneralErrors.ts"
import { NumberByoRequiresTrunk, NumberE164Taken } from "../../domain/errors/NumberErrors.ts"
import { WorkspaceLockedToPlatformNumbers } from "../../domain/errors/TrunkErrors.ts"
import { byoNumberId } from "../../domain/numbers/ByoNumber.ts"
import type { NumberRecord } from "../../domain/numbers/NumberRecord.ts"
import type { NumberFacts } from "../../domain/numbers/PhoneNumber.ts"
import { routingChange, type RoutingRequest } from "../../domain/numbers/Routing.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { NumberPlan } from "../../domain/ports/NumberPlan.ts"
import { NumberReads } from "../../domain/ports/NumberReads.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Trunks } from "../../domain/ports/Trunks.ts"
import type { TargetPolicy } from "../../domain/targets/TargetUrl.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { NumberActor } from "./NumberActor.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"

export interface ByoNumber {
  readonly number: string
  readonly label?: string | null
  readonly routing?: RoutingRequest
}

export type RegisterByoNumber = (
  workspace_id: string,
  brought: ByoNumber,
  context?: RequestContext
) => Effect.Effect<NumberRecord, Failure | NotCommitted | ReadFailed>

/** No country's: the code of the world (UN M49), as numbers such as +800 have it. */
const world = "001"

export const makeRegisterByoNumber = (policy: TargetPolicy) =>
  Effect.gen(function* () {
    const directory = yield* Directory
    const plan = yield* NumberPlan
    const reads = yield* NumberReads
    const system = yield* ActorSystem
    const trunks = yield* Trunks

    const factsOf = (text: string): Result.Result<NumberFacts, Failure> => {
      const reading = plan.read(text, { strict: true })
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

    const refuse = Effect.fnUntraced(function* (workspace_id: string, number: string) {
      const workspace = yield* directory.workspace(workspace_id)
      if (workspace?.number_mode === "platform") return yield* new WorkspaceLockedToPlatformNumbers()
      if (!(yield* trunks.active(workspace_id))) return yield* new NumberByoRequiresTrunk()
      if ((yield* reads.holder(number)) !== undefined) return yield* new NumberE164Taken()
    })

    const bring: RegisterByoNumber = (workspace_id, { label = null, number, routing = {} }, context = systemContext) =>
      Effect.gen(function* () {
        const facts = yield* Effect.fromResult(factsOf(number))
        const change = yield* Effect.fromResult(routingChange(routing, policy, "/routing"))
        yield* refuse(workspace_id, facts.number)
        yield* system.ask(WorkspaceCommands.ChooseNumberMode, workspace_id, { mode: "byoc" })
        const register = { _tag: "Register", workspace_id, facts, label, change, ...context } as const
        const reply = yield* system.ask(NumberActor, byoNumberId(facts.number), register).pipe(
          // The trunk was deleted in the same instant, and the database has refused the number: say so.
          Effect.catchTag("NotCommitted", (error) => Effect.andThen(refuse(workspace_id, facts.number), error))
        )
        return reply._tag === "Shown" ? reply.record : yield* new InternalError()
      })
    return bring
  })
