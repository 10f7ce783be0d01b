// The door to SIP trunks for HTTP and the library.
import { Context, Effect, Layer } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import {
  TrunkInUse,
  TrunkNotFound,
  TrunkProvisioningFailed,
  WorkspaceLockedToPlatformNumbers
} from "../../domain/errors/TrunkErrors.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { TrunkReads } from "../../domain/ports/TrunkReads.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { type GivenTrunk, readTrunk } from "../../domain/trunks/ReadTrunk.ts"
import type { TrunkCommand, TrunkReply } from "../../domain/trunks/TrunkCommand.ts"
import type { TrunkRecord, TrunkRequest } from "../../domain/trunks/TrunkRecord.ts"
import type { RequestContext } from "../shared/RequestContext.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { TrunkActor, trunkPasswordBound } from "./TrunkActor.ts"

type Unhappy = Failure | NotCommitted | ReadFailed

export class SipTrunks extends Context.Service<
  SipTrunks,
  {
    readonly create: (
      workspace_id: string,
      request: TrunkRequest,
      context: RequestContext
    ) => Effect.Effect<TrunkRecord, Unhappy>
    readonly get: (workspace_id: string) => Effect.Effect<TrunkRecord, Unhappy>
    /** What served until now goes on serving until the new definition is active. */
    readonly change: (
      workspace_id: string,
      request: TrunkRequest,
      origin: Origin
    ) => Effect.Effect<TrunkRecord, Unhappy>
    readonly remove: (workspace_id: string, origin: Origin) => Effect.Effect<void, Unhappy>
    /** For operators, by the trunk's id. Answers when the PBX has taken it on, or has not, or after eight seconds. */
    readonly approve: (trunk_id: string, origin: Origin) => Effect.Effect<TrunkRecord, Unhappy>
    readonly reject: (
      trunk_id: string,
      reason: string | undefined,
      origin: Origin
    ) => Effect.Effect<TrunkRecord, Unhappy>
  }
>()("trunkline/actors/SipTrunks") {
  static readonly layer = (policy: { readonly allow_private: boolean }) => Layer.effect(SipTrunks, make(policy))
}

const look_ms = 50
const looksMax = 160

const make = Effect.fnUntraced(function* ({ allow_private }: { readonly allow_private: boolean }) {
  const ids = yield* Ids
  const reads = yield* TrunkReads
  const system = yield* ActorSystem
  const vault = yield* Vault

  const ask = (workspace_id: string, command: TrunkCommand) => system.ask(TrunkActor, workspace_id, command)
  const shown = (reply: TrunkReply) =>
    reply._tag === "Shown" ? Effect.succeed(reply) : Effect.fail(new TrunkNotFound())
  const recordFrom = (workspace_id: string, command: TrunkCommand) =>
    Effect.map(Effect.flatMap(ask(workspace_id, command), shown), ({ record }) => record)

  const sealed = (given: GivenTrunk, id: string, workspace_id: string): GivenTrunk =>
    given.password === null
      ? given
      : { ...given, password: vault.seal(given.password, trunkPasswordBound(id, workspace_id)) }

  const owner = (trunk_id: string) =>
    Effect.filterOrFail(
      reads.workspaceOf(trunk_id),
      (workspace_id) => workspace_id !== undefined,
      () => new TrunkNotFound()
    )

  const untilSettled = (workspace_id: string, looks: number): Effect.Effect<TrunkRecord, Failure | NotCommitted> =>
    Effect.flatMap(Effect.flatMap(ask(workspace_id, { _tag: "Look" }), shown), ({ record, settled }) =>
      settled || looks >= looksMax
        ? Effect.succeed(record)
        : Effect.andThen(Effect.sleep(look_ms), untilSettled(workspace_id, looks + 1))
    )

  return SipTrunks.of({
    create: Effect.fnUntraced(function* (workspace_id, request, context) {
      const given = yield* Effect.fromResult(readTrunk(request, allow_private))
      const { locked } = yield* reads.standing(workspace_id)
      const id = ids.uuid()
      const definition = sealed(given, id, workspace_id)
      return yield* recordFrom(workspace_id, { _tag: "Create", id, definition, locked, ...context })
    }),
    get: (workspace_id) => recordFrom(workspace_id, { _tag: "Look" }),
    change: Effect.fnUntraced(function* (workspace_id, request, origin) {
      const { locked } = yield* reads.standing(workspace_id)
      if (locked) return yield* new WorkspaceLockedToPlatformNumbers()
      const { id } = yield* recordFrom(workspace_id, { _tag: "Look" })
      const given = yield* Effect.fromResult(readTrunk(request, allow_private))
      return yield* recordFrom(workspace_id, {
        _tag: "Change",
        id,
        definition: sealed(given, id, workspace_id),
        locked,
        origin
      })
    }),
    remove: Effect.fnUntraced(function* (workspace_id, origin) {
      const { in_use } = yield* reads.standing(workspace_id)
      yield* ask(workspace_id, { _tag: "Delete", in_use, origin }).pipe(
        // A number was brought over it in the same instant, and the database has kept the trunk for it: say so.
        Effect.catchTag("NotCommitted", (error) =>
          Effect.flatMap(reads.standing(workspace_id), (now) => (now.in_use ? new TrunkInUse() : error))
        )
      )
    }),
    approve: Effect.fnUntraced(function* (trunk_id, origin) {
      const workspace_id = yield* owner(trunk_id)
      yield* ask(workspace_id, { _tag: "Approve", id: trunk_id, origin })
      const record = yield* untilSettled(workspace_id, 0)
      if (record.status !== "failed") return record
      return yield* record.status_reason === "workspace.locked_to_platform_numbers"
        ? new WorkspaceLockedToPlatformNumbers()
        : new TrunkProvisioningFailed()
    }),
    reject: Effect.fnUntraced(function* (trunk_id, reason, origin) {
      const workspace_id = yield* owner(trunk_id)
      const told = reason === undefined ? "rejected" : `rejected: ${reason}`
      return yield* recordFrom(workspace_id, { _tag: "Reject", id: trunk_id, reason: told, origin })
    })
  })
})
