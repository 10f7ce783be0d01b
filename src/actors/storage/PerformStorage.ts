// How each work of a storage is done. Every one of them can be done twice.
import { Effect, Layer } from "effect"
import { systemOrigin } from "../../domain/access/Origin.ts"
import { Failure } from "../../domain/errors/Failure.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { StorageReads } from "../../domain/ports/StorageReads.ts"
import { WalletReads } from "../../domain/ports/WalletReads.ts"
import type { StorageWork } from "../../domain/storage/PlanStorage.ts"
import type { Charge, Storage } from "../../domain/storage/Storage.ts"
import type { StorageCommand, StorageReply } from "../../domain/storage/StorageCommand.ts"
import { free_tier_mb } from "../../domain/storage/Tiers.ts"
import { RecordingActor } from "../recordings/RecordingActor.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { StorageActor } from "./StorageActor.ts"
import { Wallets } from "../wallet/Wallets.ts"

type StorageSelf = Self<Storage, StorageCommand, StorageReply>
type Done = Effect.Effect<unknown, Failure | NotCommitted | ReadFailed>

/** Recordings that are looked at together when some must go. */
const evicted_together = 100

const makeMoney = Effect.gen(function* () {
  const directory = yield* Directory
  const ids = yield* Ids
  const reads = yield* StorageReads
  const wallets = yield* Wallets
  const balances = yield* WalletReads

  const begin = (self: StorageSelf): Done =>
    Effect.gen(function* () {
      const { currency } = self.state()
      const closed = (yield* directory.workspace(self.id))?.status === "closed"
      // A closed workspace pays for no other month, whatever was asked for at the moment in which it was closed.
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
      const prices = currency === null ? {} : yield* reads.prices(currency)
      yield* self.tell({ _tag: "Renew", prices, entry_id: ids.uuid() })
    })

  const debit = (workspace_id: string, { amount_minor, entry_id, kind, origin, tier_mb }: Charge) =>
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

  /** An upgrade that is refused is over. A renewal is asked for until it is in the books. */
  const pay = (charge: Charge, self: StorageSelf): Done =>
    debit(self.id, charge).pipe(
      Effect.matchEffect({
        onSuccess: ({ balance_minor }): Done =>
          self.tell({ _tag: "ChargePaid", entry_id: charge.entry_id, balance_minor }),
        onFailure: (error): Done =>
          error instanceof Failure && charge.kind === "upgrade"
            ? self.tell({ _tag: "ChargeRefused", entry_id: charge.entry_id, failure: error })
            : Effect.fail(error)
      })
    )

  const check = (self: StorageSelf): Done =>
    Effect.flatMap(balances.balance(self.id), (balance) =>
      self.tell({ _tag: "GraceChecked", balance_minor: balance?.balance_minor ?? 0 })
    )

  return { begin, pay, check }
})

const makeRoom = Effect.gen(function* () {
  const reads = yield* StorageReads
  const system = yield* ActorSystem

  /** What came after the question may be in the answer or not: it is asked for once more. */
  const count = (self: StorageSelf): Done =>
    Effect.suspend(() => {
      const { recounts } = self.state()
      return Effect.flatMap(reads.usage(self.id), ({ used_bytes }) =>
        self.tell({ _tag: "Counted", recounts, used_bytes })
      )
    })

  /** Whole recordings, until what is left has room. */
  const evict = (size_bytes: number, self: StorageSelf): Done =>
    Effect.gen(function* () {
      const { used_bytes } = yield* reads.usage(self.id)
      let over_bytes = used_bytes - size_bytes
      const leaving = (yield* reads.oldest(self.id, evicted_together)).filter((recording) => {
        const leaves = over_bytes > 0
        over_bytes -= recording.size_bytes
        return leaves
      })
      yield* Effect.forEach(leaving, ({ id }) => system.ask(RecordingActor, id, { _tag: "Evict" }), {
        concurrency: 8,
        discard: true
      })
      const freed_bytes = leaving.reduce((sum, recording) => sum + recording.size_bytes, 0)
      yield* self.tell({
        _tag: "Evicted",
        recordings: leaving.length,
        freed_bytes,
        used_bytes: used_bytes - freed_bytes
      })
    })

  return { count, evict }
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const money = yield* makeMoney
    const room = yield* makeRoom

    const done = (work: StorageWork, self: StorageSelf): Done => {
      switch (work._tag) {
        case "PayCharge":
          return money.pay(work.charge, self)
        case "BeginRenewal":
          return money.begin(self)
        case "CheckGrace":
          return money.check(self)
        case "CountUsage":
          return room.count(self)
        case "EvictOldest":
          return room.evict(work.size_bytes, self)
      }
    }

    const perform: Perform<Storage, StorageCommand, StorageReply, StorageWork> = (work, self) =>
      Effect.asVoid(retryWithBackoff(done(work, self)))
    yield* system.register(StorageActor, perform)
  })
)
