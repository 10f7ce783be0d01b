// Trunk operations for the HTTP API and the library.
import { Context, Effect, Layer } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import {
  type TrunkAlreadyExists,
  TrunkInUse,
  TrunkInvalid,
  TrunkNotFound,
  TrunkProvisioningFailed,
  WorkspaceLockedToPlatformNumbers
} from "../../domain/errors/TrunkErrors.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { TrunkReads } from "../../domain/ports/pbx/TrunkReads.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { readTrunk } from "../../domain/trunks/ReadTrunk.ts"
import { placeFaults, targetOf } from "../../domain/trunks/TrunkFaults.ts"
import { TrunkCommands, type TrunkReply } from "../../domain/trunks/TrunkCommand.ts"
import type { TrunkDefinition, TrunkRecord, TrunkRequest } from "../../domain/trunks/TrunkRecord.ts"
import { SipTargets } from "../pbx/SipTargets.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { RequestContext } from "../shared/RequestContext.ts"
import { makeSeenAfterwards } from "../shared/SeenAfterwards.ts"
import { trunkPasswordBound } from "./TrunkPassword.ts"
import { toTrunkId, type TrunkId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"
import { AllowedTargets } from "../../domain/ports/engine/AllowedTargets.ts"

export class SipTrunks extends Context.Service<
  SipTrunks,
  {
    readonly create: (
      workspace_id: WorkspaceId,
      request: TrunkRequest,
      context: RequestContext
    ) => Effect.Effect<
      TrunkRecord,
      TrunkInvalid | WorkspaceLockedToPlatformNumbers | TrunkAlreadyExists | NotCommitted | ReadFailed
    >
    readonly get: (workspace_id: WorkspaceId) => Effect.Effect<TrunkRecord, TrunkNotFound | NotCommitted>
    /** The active definition stays in use until the new one is active. */
    readonly change: (
      workspace_id: WorkspaceId,
      request: TrunkRequest,
      origin: Origin
    ) => Effect.Effect<
      TrunkRecord,
      TrunkInvalid | WorkspaceLockedToPlatformNumbers | TrunkNotFound | NotCommitted | ReadFailed
    >
    readonly remove: (
      workspace_id: WorkspaceId,
      origin: Origin
    ) => Effect.Effect<void, TrunkNotFound | TrunkInUse | NotCommitted | ReadFailed>
    /**
     * For operators. Returns when the trunk is active, fails when it has failed, and returns anyway after eight
     * seconds.
     */
    readonly approve: (
      trunk_id: TrunkId,
      origin: Origin
    ) => Effect.Effect<
      TrunkRecord,
      TrunkNotFound | TrunkProvisioningFailed | WorkspaceLockedToPlatformNumbers | NotCommitted | ReadFailed
    >
    /** For operators. The workspace sees the reason. */
    readonly reject: (
      trunk_id: TrunkId,
      reason: string | undefined,
      origin: Origin
    ) => Effect.Effect<TrunkRecord, TrunkNotFound | NotCommitted | ReadFailed>
  }
>()("trunkline/actors/SipTrunks") {
  static readonly layer = Layer.effect(
    SipTrunks,
    Effect.suspend(() => make())
  )
}

/** `approve` polls the trunk until it is settled. */
const poll_ms = 50
const pollsMax = 160

type Get = (workspace_id: WorkspaceId) => Effect.Effect<TrunkReply, TrunkNotFound | NotCommitted>

const untilSettled = (
  get: Get,
  workspace_id: WorkspaceId,
  polls = 0
): Effect.Effect<TrunkRecord, TrunkNotFound | NotCommitted> =>
  Effect.flatMap(get(workspace_id), ({ record, settled }) =>
    settled || polls >= pollsMax
      ? Effect.succeed(record)
      : Effect.andThen(Effect.sleep(poll_ms), untilSettled(get, workspace_id, polls + 1))
  )

/** A name without an address is accepted: it may get one before the trunk is set up. */
const readingChecked = (targets: SipTargets["Service"], allow_private: boolean) =>
  Effect.fnUntraced(function* (workspace_id: WorkspaceId, request: TrunkRequest) {
    const given = yield* Effect.fromResult(readTrunk(request, allow_private))
    yield* targets.refresh
    const details = placeFaults(given, yield* targets.judge(workspace_id, targetOf(given)))
    return details.length > 0 ? yield* new TrunkInvalid({ details }) : given
  })

const make = Effect.fnUntraced(function* () {
  const { allow_private } = yield* AllowedTargets
  const readChecked = readingChecked(yield* SipTargets, allow_private)
  const ids = yield* Ids
  const reads = yield* TrunkReads
  const system = yield* ActorSystem
  const vault = yield* Vault
  const seenAfterwards = yield* makeSeenAfterwards

  const get: Get = (workspace_id) => system.ask(TrunkCommands.Get, workspace_id, {})

  const sealed = (definition: TrunkDefinition, id: TrunkId, workspace_id: WorkspaceId): TrunkDefinition =>
    definition.password === null
      ? definition
      : { ...definition, password: vault.seal(definition.password, trunkPasswordBound(id, workspace_id)) }

  const ownerOf = (trunk_id: TrunkId) =>
    Effect.filterOrFail(
      reads.workspaceOf(trunk_id),
      (workspace_id) => workspace_id !== undefined,
      () => new TrunkNotFound()
    )

  return SipTrunks.of({
    create: traced("SipTrunks.create")(function* (workspace_id, request, context) {
      const given = yield* readChecked(workspace_id, request)
      const { locked } = yield* reads.standing(workspace_id)
      const id = toTrunkId(ids.uuid())
      const definition = sealed(given, id, workspace_id)
      const { record } = yield* system.ask(TrunkCommands.Create, workspace_id, { id, definition, locked, ...context })
      return record
    }),
    get: traced("SipTrunks.get")(function* (workspace_id) {
      return (yield* get(workspace_id)).record
    }),
    change: traced("SipTrunks.change")(function* (workspace_id, request, origin) {
      const { locked } = yield* reads.standing(workspace_id)
      if (locked) return yield* new WorkspaceLockedToPlatformNumbers()
      const { id } = (yield* get(workspace_id)).record
      const given = yield* readChecked(workspace_id, request)
      const definition = sealed(given, id, workspace_id)
      const { record } = yield* system.ask(TrunkCommands.Change, workspace_id, { id, definition, locked, origin })
      return record
    }),
    remove: traced("SipTrunks.remove")(function* (workspace_id, origin) {
      const { in_use } = yield* reads.standing(workspace_id)
      yield* seenAfterwards(system.ask(TrunkCommands.Delete, workspace_id, { in_use, origin })).pipe(
        // The database keeps a trunk that numbers use. If a number was added since `in_use` was read, say so.
        Effect.catchTag("NotCommitted", (error) =>
          Effect.flatMap(reads.standing(workspace_id), (now) => Effect.fail(now.in_use ? new TrunkInUse() : error))
        )
      )
    }),
    approve: traced("SipTrunks.approve")(function* (trunk_id, origin) {
      const workspace_id = yield* ownerOf(trunk_id)
      yield* system.ask(TrunkCommands.Approve, workspace_id, { id: trunk_id, origin })
      const record = yield* seenAfterwards(untilSettled(get, workspace_id))
      if (record.status !== "failed") return record
      return yield* record.status_reason === WorkspaceLockedToPlatformNumbers.code
        ? new WorkspaceLockedToPlatformNumbers()
        : new TrunkProvisioningFailed()
    }),
    reject: traced("SipTrunks.reject")(function* (trunk_id, given, origin) {
      const workspace_id = yield* ownerOf(trunk_id)
      const reason = given === undefined ? "rejected" : `rejected: ${given}`
      const { record } = yield* system.ask(TrunkCommands.Reject, workspace_id, { id: trunk_id, reason, origin })
      return record
    })
  })
})
