// The entries of `allowed_caller_ids` in a calling policy, which must be proved.
import { Effect } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { CallerIdsCommands } from "../../domain/callerids/CallerIdCommand.ts"
import {
  type CallingPolicy,
  type CallingPolicyRecord,
  unprovedCallerId
} from "../../domain/calls/policy/CallingPolicy.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { Directory } from "../../domain/ports/access/Directory.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"

export const makePolicyCallerIds = (system: ActorSystem["Service"], directory: Directory["Service"]) => {
  /** Those of the numbers that the workspace has not proved. */
  const unproved = Effect.fnUntraced(function* (workspace_id: WorkspaceId, numbers: ReadonlyArray<string>) {
    if (numbers.length === 0) return []
    const known = yield* system.ask(CallerIdsCommands.List, workspace_id, {})
    const proved = new Set(known.filter(({ status }) => status === "verified").map(({ number }) => number))
    return numbers.filter((number) => !proved.has(number))
  })

  /** Refuses numbers that are new to the policy, unless they are proved. */
  const refuseUnproved = Effect.fnUntraced(function* (workspace_id: WorkspaceId, numbers: ReadonlyArray<string>) {
    if (numbers.length === 0) return
    const listed = (yield* directory.workspace(workspace_id))?.calling_policy.allowed_caller_ids ?? []
    const refused = yield* unproved(
      workspace_id,
      numbers.filter((number) => !listed.includes(number))
    )
    if (refused.length === 0) return
    return yield* new BadRequest({
      message: "allowed_caller_ids names a number that the workspace has not proved with POST /v1/caller-ids.",
      details: numbers.flatMap((number, index) =>
        refused.includes(number)
          ? [{ field: `/allowed_caller_ids/${index}`, code: "not_proved", message: `${number} was not proved.` }]
          : []
      )
    })
  })

  /** The policy with its entries that have no proof. A number of the workspace needs none. */
  const withUnproved = Effect.fnUntraced(function* (
    workspace_id: WorkspaceId,
    policy: CallingPolicy
  ): Effect.fn.Return<CallingPolicyRecord, NotCommitted> {
    const rows = yield* Effect.forEach(yield* unproved(workspace_id, policy.allowed_caller_ids), (number) =>
      Effect.gen(function* () {
        if ((yield* directory.number(workspace_id, number)) !== undefined) return []
        return [unprovedCallerId(number, (yield* directory.numberOf(number)) !== undefined)]
      })
    )
    const unproved_caller_ids = rows.flat()
    return unproved_caller_ids.length === 0 ? policy : { ...policy, unproved_caller_ids }
  })

  return { refuseUnproved, withUnproved }
}
