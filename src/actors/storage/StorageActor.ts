// The storage of a workspace's recordings. Its id is the workspace's. What it decides is in src/domain/storage; what it has
// under way, in PerformStorage.ts.
import { decideStorage } from "../../domain/storage/DecideStorage.ts"
import { planStorage, type StorageWork } from "../../domain/storage/PlanStorage.ts"
import { recordStorage } from "../../domain/storage/RecordStorage.ts"
import { evolveStorage, freeStorage, type Storage, type StorageEvent } from "../../domain/storage/Storage.ts"
import { ChargeSettled, StorageCommand, StorageReply } from "../../domain/storage/StorageCommand.ts"
import type { Change } from "../../domain/Decision.ts"
import type { Definition } from "../runtime/Definition.ts"

/** Whoever waits for an upgrade is told how it ended. */
const notices = ({ before: { charge }, events }: Change<Storage, StorageEvent>): ReadonlyArray<ChargeSettled> =>
  events.flatMap((event): ReadonlyArray<ChargeSettled> => {
    if (event._tag === "ChargeFailed")
      return [{ _tag: "ChargeSettled", entry_id: event.entry_id, charge_minor: 0, failure: event.failure }]
    if (event._tag !== "TierChanged" || charge === null) return []
    return [{ _tag: "ChargeSettled", entry_id: charge.entry_id, charge_minor: charge.amount_minor, failure: null }]
  })

export const StorageActor: Definition<Storage, StorageCommand, StorageEvent, StorageReply, StorageWork, ChargeSettled> =
  {
    type: "Storage",
    initial: freeStorage,
    restore: ({ state }, id) => ({ ...freeStorage(id), ...(JSON.parse(state) as Storage) }),
    decide: decideStorage,
    evolve: evolveStorage,
    plan: planStorage,
    record: recordStorage,
    notices,
    wire: { command: StorageCommand, reply: StorageReply, notice: ChargeSettled }
  }
