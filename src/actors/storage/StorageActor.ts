// The storage for a workspace's recordings. Its id is the workspace's. PerformStorage.ts performs its work.
import type { Change } from "../../domain/Decision.ts"
import { decideStorage } from "../../domain/storage/DecideStorage.ts"
import { planStorage, type StorageWork } from "../../domain/storage/PlanStorage.ts"
import { recordStorage } from "../../domain/storage/RecordStorage.ts"
import {
  evolveStorage,
  freeStorage,
  restoreStorage,
  type Storage,
  type StorageEvent
} from "../../domain/storage/Storage.ts"
import { ChargeSettled, StorageCommands } from "../../domain/storage/StorageCommand.ts"
import { actor } from "../runtime/Definition.ts"

/** For the request that waits for its upgrade. */
const notices = ({ before: { charge }, events }: Change<Storage, StorageEvent>): ReadonlyArray<ChargeSettled> =>
  events.flatMap((event): ReadonlyArray<ChargeSettled> => {
    if (event._tag === "ChargeFailed")
      return [{ _tag: "ChargeSettled", entry_id: event.entry_id, charge_minor: 0, failure: event.failure }]
    if (event._tag !== "TierChanged" || charge === null) return []
    return [{ _tag: "ChargeSettled", entry_id: charge.entry_id, charge_minor: charge.amount_minor, failure: null }]
  })

export const StorageActor = actor<Storage, StorageCommands, StorageEvent, StorageWork, ChargeSettled>({
  type: "Storage",
  commands: StorageCommands,
  initial: freeStorage,
  restore: restoreStorage,
  decide: decideStorage,
  evolve: evolveStorage,
  plan: planStorage,
  record: recordStorage,
  notices,
  notice: ChargeSettled
})
