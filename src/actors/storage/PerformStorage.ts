// Performs the work of a storage. Each piece of work may run more than once.
import { Effect, Layer } from "effect"
import { systemOrigin } from "../../domain/access/Origin.ts"
import type { RecordingNotFound } from "../../domain/errors/CallErrors.ts"
import type { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { StorageReads } from "../../domain/ports/calls/StorageReads.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import { RecordingCommands } from "../../domain/recordings/RecordingCommand.ts"
import type { StorageWork } from "../../domain/storage/PlanStorage.ts"
import type { Charge, Storage } from "../../domain/storage/Storage.ts"
import { type ChargeRefusal, isChargeRefusal, type StorageCommands } from "../../domain/storage/StorageCommand.ts"
import { free_tier_mb } from "../../domain/storage/Tiers.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { type Moved, Wallets } from "../wallet/Wallets.ts"
import { StorageActor } from "./StorageActor.ts"
import { makePriceList } from "./StoragePriceList.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

type StorageSelf = Self<Storage, StorageCommands>
type Done = Effect.Effect<void, ServiceUnavailable | ChargeRefusal | RecordingNotFound | NotCommitted | ReadFailed>

/** How many of the oldest recordings one eviction considers. */
const evictionBatch = 100

const makePayments = Effect.gen(function* () {
  const directory = yield* Directory
  const ids = yield* Ids
  const pricesOf = yield* makePriceList
  const wallets = yield* Wallets
  const balances = yield* WalletReads

  const beginRenewal = traced("Storage.beginRenewal")(function* (self: StorageSelf) {
    const { currency } = self.state()
    const closed = (yield* directory.workspace(self.id))?.status === "closed"
    // A closed workspace is charged for no further month, even if it changed its tier while it was being closed.
    if (closed && currency !== null) {
      yield* self.tell({
        _tag: "Switch",
        tier_mb: free_tier_mb,
        price_minor: 0,
        currency,
        entry_id: ids.uuid(),
        origin: systemOrigin
      })
    }
    const prices = currency === null ? {} : yield* pricesOf(self.id, currency)
    yield* self.tell({ _tag: "Renew", prices, entry_id: ids.uuid() })
  })

  const debit = (workspace_id: WorkspaceId, { amount_minor, entry_id, kind, origin, tier_mb }: Charge) =>
    wallets.debit(workspace_id, {
      entry_id,
      kind: "storage_charge",
      amount_minor,
      may_overdraw: kind === "renewal",
      reference_type: "storage_change",
      reference_id: entry_id,
      description:
        kind === "renewal"
          ? `A month of ${tier_mb} MB of storage`
          : `${tier_mb} MB of storage for the rest of the month`,
      origin: kind === "renewal" ? systemOrigin : origin
    })

  const paid = (self: StorageSelf, { entry_id }: Charge, { balance_minor }: Moved): Done =>
    self.tell({ _tag: "ChargePaid", entry_id, balance_minor })

  /** An earlier attempt may have paid, unheard, and its money may be what is missing now. */
  const refused = (self: StorageSelf, charge: Charge, failure: ChargeRefusal): Done => {
    const { entry_id } = charge
    return Effect.flatMap(wallets.callOff(self.id, entry_id), (made) =>
      made === undefined ? self.tell({ _tag: "ChargeRefused", entry_id, failure }) : paid(self, charge, made)
    )
  }

  /** A refused upgrade is over. A renewal is retried until it is in the ledger. */
  const payCharge = traced("Storage.payCharge")((charge: Charge, self: StorageSelf) => {
    const { kind } = charge
    return debit(self.id, charge).pipe(
      Effect.matchEffect({
        onSuccess: (moved): Done => paid(self, charge, moved),
        onFailure: (error): Done =>
          kind === "upgrade" && isChargeRefusal(error) ? refused(self, charge, error) : Effect.fail(error)
      })
    )
  })

  const checkGrace = traced("Storage.checkGrace")(function* (self: StorageSelf) {
    const balance = yield* balances.balance(self.id)
    yield* self.tell({ _tag: "GraceChecked", balance_minor: balance?.balance_minor ?? 0 })
  })

  return { beginRenewal, payCharge, checkGrace }
})

const makeSpace = Effect.gen(function* () {
  const reads = yield* StorageReads
  const system = yield* ActorSystem

  /** A change during the count may be included or not. It is counted once more after this. */
  const countUsage = traced("Storage.countUsage")(function* (self: StorageSelf) {
    const { recounts } = self.state()
    const { used_bytes } = yield* reads.usage(self.id)
    yield* self.tell({ _tag: "Counted", recounts, used_bytes })
  })

  /** Deletes whole recordings, the oldest first, until the rest fits into `size_bytes`. */
  const evictOldest = traced("Storage.evictOldest")(function* (size_bytes: number, self: StorageSelf) {
    const { used_bytes } = yield* reads.usage(self.id)
    let excess_bytes = used_bytes - size_bytes
    const evicted = (yield* reads.oldest(self.id, evictionBatch)).filter((recording) => {
      const isEvicted = excess_bytes > 0
      excess_bytes -= recording.size_bytes
      return isEvicted
    })
    yield* Effect.forEach(evicted, ({ id }) => system.ask(RecordingCommands.Evict, id, {}), {
      concurrency: 8,
      discard: true
    })
    const freed_bytes = evicted.reduce((sum, recording) => sum + recording.size_bytes, 0)
    yield* self.tell({
      _tag: "Evicted",
      recordings: evicted.length,
      freed_bytes,
      used_bytes: used_bytes - freed_bytes
    })
  })

  return { countUsage, evictOldest }
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const { beginRenewal, checkGrace, payCharge } = yield* makePayments
    const { countUsage, evictOldest } = yield* makeSpace

    const done = (work: StorageWork, self: StorageSelf): Done => {
      switch (work._tag) {
        case "PayCharge":
          return payCharge(work.charge, self)
        case "BeginRenewal":
          return beginRenewal(self)
        case "CheckGrace":
          return checkGrace(self)
        case "CountUsage":
          return countUsage(self)
        case "EvictOldest":
          return evictOldest(work.size_bytes, self)
      }
    }

    yield* system.register(StorageActor, (work, self) => retryWithBackoff(done(work, self)))
  })
)
