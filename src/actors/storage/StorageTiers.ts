// The door to a workspace's storage for HTTP and the library.
import { Context, Effect, Layer, Queue, Schedule } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { StoragePriceMissing, StorageTierInvalid, StorageTierSwitchFailed } from "../../domain/errors/StorageErrors.ts"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { StorageReads } from "../../domain/ports/StorageReads.ts"
import { storageRecord } from "../../domain/storage/RecordStorage.ts"
import { freeStorage } from "../../domain/storage/Storage.ts"
import type { ChargeSettled, StorageReply } from "../../domain/storage/StorageCommand.ts"
import type { ChangedStorage, StorageRecord } from "../../domain/storage/StorageRecord.ts"
import { free_tier_mb, tierOfGb, tiers_mb } from "../../domain/storage/Tiers.ts"
import { defaultRetention_days } from "../../domain/workspace/Workspace.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { StorageActor } from "./StorageActor.ts"

type Switched = Omit<Extract<StorageReply, { readonly _tag: "Switched" }>, "_tag">
type Unhappy = Failure | NotCommitted | ReadFailed

/** How long the money of an upgrade is waited for. It is settled without whoever waited. */
const patience = "5 seconds"

/** As long: another change, whose money is on its way, is through in a moment as a rule. */
const inTurn = {
  while: ({ _tag }: { readonly _tag: string }) => _tag === "service_unavailable",
  schedule: Schedule.spaced("50 millis"),
  times: 100
}

export class StorageTiers extends Context.Service<
  StorageTiers,
  {
    readonly show: (workspace_id: string) => Effect.Effect<StorageRecord, ReadFailed>
    /** One of the sizes that are sold, in GB. A larger one holds at once and is paid for the rest of the month. */
    readonly change: (workspace_id: string, tier_gb: number, origin: Origin) => Effect.Effect<ChangedStorage, Unhappy>
    /** Any size of the catalogue, in MB: the free one for customers, all of them for operators. */
    readonly assign: (workspace_id: string, tier_mb: number, origin: Origin) => Effect.Effect<ChangedStorage, Unhappy>
  }
>()("trunkline/actors/StorageTiers") {
  static readonly layer = Layer.suspend(() => Layer.effect(StorageTiers, make))
}

const make = Effect.gen(function* () {
  const directory = yield* Directory
  const ids = yield* Ids
  const reads = yield* StorageReads
  const system = yield* ActorSystem

  const show = (workspace_id: string) =>
    Effect.gen(function* () {
      const storage = yield* reads.storage(workspace_id)
      const usage = yield* reads.usage(workspace_id)
      const { currency = null, retention_days = defaultRetention_days } =
        (yield* directory.workspace(workspace_id)) ?? {}
      return storageRecord(storage ?? freeStorage(workspace_id), usage, { currency, retention_days })
    })

  const settled = (
    notices: Queue.Dequeue<ChargeSettled, unknown>,
    entry_id: string
  ): Effect.Effect<ChargeSettled, unknown> =>
    Effect.flatMap(Queue.take(notices), (notice) =>
      notice.entry_id === entry_id ? Effect.succeed(notice) : settled(notices, entry_id)
    )

  const switched = Effect.fnUntraced(function* (workspace_id: string, tier_mb: number, origin: Origin) {
    const currency = (yield* directory.workspace(workspace_id))?.currency ?? (yield* new WalletNotFound())
    const price_minor = tier_mb === free_tier_mb ? 0 : (yield* reads.prices(currency))[tier_mb]
    if (price_minor === undefined) return yield* new StoragePriceMissing()
    const notices = yield* system.subscribe(StorageActor, workspace_id)
    const reply = yield* system
      .ask(StorageActor, workspace_id, {
        _tag: "Switch",
        tier_mb,
        price_minor,
        currency,
        entry_id: ids.uuid(),
        origin
      })
      .pipe(Effect.retry(inTurn))
    if (reply._tag === "Noted") return yield* new StorageTierSwitchFailed()
    if (reply._tag === "Switched") return reply
    const { charge_minor, failure } = yield* settled(notices, reply.entry_id).pipe(
      Effect.timeout(patience),
      Effect.mapError((cause) => new StorageTierSwitchFailed({ cause }))
    )
    return failure === null ? ({ charge_minor, effective: "now" } satisfies Switched) : yield* Effect.fail(failure)
  }, Effect.scoped)

  const assign = (workspace_id: string, tier_mb: number, origin: Origin): Effect.Effect<ChangedStorage, Unhappy> =>
    Effect.gen(function* () {
      if (!tiers_mb.includes(tier_mb)) return yield* new StorageTierInvalid()
      const { charge_minor, effective } = yield* switched(workspace_id, tier_mb, origin)
      return { ...(yield* show(workspace_id)), charge_minor, effective }
    }).pipe(Effect.catchTag("NotCommitted", (cause) => Effect.fail(new StorageTierSwitchFailed({ cause }))))

  return StorageTiers.of({
    show,
    assign,
    change: (workspace_id, tier_gb, origin) => {
      const tier_mb = tierOfGb(tier_gb)
      return tier_mb === undefined ? Effect.fail(new StorageTierInvalid()) : assign(workspace_id, tier_mb, origin)
    }
  })
})
