// A workspace's storage for HTTP and the library.
import { Context, Effect, Layer, Queue, Schedule } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { StoragePriceMissing, StorageTierInvalid, StorageTierSwitchFailed } from "../../domain/errors/StorageErrors.ts"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { StorageReads } from "../../domain/ports/calls/StorageReads.ts"
import { storageRecord } from "../../domain/storage/RecordStorage.ts"
import { freeStorage } from "../../domain/storage/Storage.ts"
import {
  type ChargeRefusal,
  type ChargeSettled,
  StorageCommands,
  type Switched
} from "../../domain/storage/StorageCommand.ts"
import type { ChangedStorage, StorageRecord } from "../../domain/storage/StorageRecord.ts"
import { free_tier_mb, tierOfGb, tiers_mb } from "../../domain/storage/Tiers.ts"
import { retentionOf } from "../../domain/workspace/Workspace.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { StorageActor } from "./StorageActor.ts"
import { makePriceList } from "./StoragePriceList.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

export type SwitchRefusal =
  | StorageTierInvalid
  | StoragePriceMissing
  | StorageTierSwitchFailed
  | ServiceUnavailable
  | WalletNotFound
  | ChargeRefusal
  | ReadFailed

/** How long to wait for the charge of an upgrade. The charge goes on after that. */
const chargeTimeout = "5 seconds"

/** Waits as long for another change whose charge is under way, which usually ends in a moment. */
const whileChangePending = {
  while: (error: unknown) => error instanceof ServiceUnavailable,
  schedule: Schedule.spaced("50 millis"),
  times: 100
}

export class StorageTiers extends Context.Service<
  StorageTiers,
  {
    readonly show: (workspace_id: WorkspaceId) => Effect.Effect<StorageRecord, ReadFailed>
    /**
     * Changes to one of the sizes that are sold, in GB. A larger size takes effect at once and is charged for the rest
     * of the month; a smaller one takes effect on the 1st.
     */
    readonly change: (
      workspace_id: WorkspaceId,
      tier_gb: number,
      origin: Origin
    ) => Effect.Effect<ChangedStorage, SwitchRefusal>
    /** Returns to the free tier on the 1st. It costs nothing, so no wallet refuses it. */
    readonly returnToFree: (
      workspace_id: WorkspaceId,
      origin: Origin
    ) => Effect.Effect<ChangedStorage, WalletNotFound | StorageTierSwitchFailed | ServiceUnavailable | ReadFailed>
    /** Changes to any tier, in MB, including those that are not sold. */
    readonly assign: (
      workspace_id: WorkspaceId,
      tier_mb: number,
      origin: Origin
    ) => Effect.Effect<ChangedStorage, SwitchRefusal>
  }
>()("trunkline/actors/StorageTiers") {
  static readonly layer = Layer.suspend(() => Layer.effect(StorageTiers, make))
}

const settled = (
  notices: Queue.Dequeue<ChargeSettled, unknown>,
  entry_id: string
): Effect.Effect<ChargeSettled, unknown> =>
  Effect.flatMap(Queue.take(notices), (notice) =>
    notice.entry_id === entry_id ? Effect.succeed(notice) : settled(notices, entry_id)
  )

const make = Effect.gen(function* () {
  const directory = yield* Directory
  const ids = yield* Ids
  const pricesOf = yield* makePriceList
  const reads = yield* StorageReads
  const system = yield* ActorSystem

  const show = traced("StorageTiers.show")(function* (workspace_id: WorkspaceId) {
    const storage = yield* reads.storage(workspace_id)
    const usage = yield* reads.usage(workspace_id)
    const workspace = yield* directory.workspace(workspace_id)
    const shown = { currency: workspace?.currency ?? null, ...retentionOf(workspace) }
    return storageRecord(storage ?? freeStorage(workspace_id), usage, shown)
  })

  const switchTier = Effect.fnUntraced(function* (workspace_id: WorkspaceId, tier_mb: number, origin: Origin) {
    const currency = (yield* directory.workspace(workspace_id))?.currency ?? (yield* new WalletNotFound())
    const price_minor = tier_mb === free_tier_mb ? 0 : (yield* pricesOf(workspace_id, currency))[tier_mb]
    if (price_minor === undefined) return yield* new StoragePriceMissing()
    const notices = yield* system.subscribe(StorageActor, workspace_id)
    const entry_id = ids.uuid()
    const outcome = yield* system
      .ask(StorageCommands.Switch, workspace_id, { tier_mb, price_minor, currency, entry_id, origin })
      .pipe(Effect.retry(whileChangePending))
    if (outcome._tag === "Switched") return outcome
    const { charge_minor, failure } = yield* settled(notices, outcome.entry_id).pipe(
      Effect.timeout(chargeTimeout),
      Effect.mapError((cause) => new StorageTierSwitchFailed({ cause }))
    )
    return failure === null ? ({ charge_minor, effective: "now" } satisfies Switched) : yield* Effect.fail(failure)
  }, Effect.scoped)

  const assign = traced("StorageTiers.assign")(
    function* (workspace_id: WorkspaceId, tier_mb: number, origin: Origin) {
      if (!tiers_mb.includes(tier_mb)) return yield* new StorageTierInvalid()
      const { charge_minor, effective } = yield* switchTier(workspace_id, tier_mb, origin)
      return { ...(yield* show(workspace_id)), charge_minor, effective }
    },
    (changed) =>
      Effect.catchIf(
        changed,
        (error) => error instanceof NotCommitted,
        (cause) => Effect.fail(new StorageTierSwitchFailed({ cause }))
      )
  )

  return StorageTiers.of({
    show,
    assign,
    // The free tier exists and has no price, so these errors cannot occur.
    returnToFree: traced("StorageTiers.returnToFree")((workspace_id, origin) =>
      Effect.catchTag(
        assign(workspace_id, free_tier_mb, origin),
        ["storage.tier_invalid", "storage.price_missing", "wallet.invalid_amount", "wallet.insufficient_funds"],
        Effect.die
      )
    ),
    change: traced("StorageTiers.change")(function* (workspace_id, tier_gb, origin) {
      const tier_mb = tierOfGb(tier_gb) ?? (yield* new StorageTierInvalid())
      return yield* assign(workspace_id, tier_mb, origin)
    })
  })
})
