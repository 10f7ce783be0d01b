// The lock of a payer's phone. Its id is the phone number.
import { Effect, Layer } from "effect"
import { presentOf } from "../../domain/Presence.ts"
import {
  decidePhoneLock,
  evolvePhoneLock,
  freePhone,
  type PayerPhoneLock,
  PayerPhoneLockCommands,
  type PayerPhoneLockEvent,
  restorePayerPhoneLock,
  stateOfPayerPhoneLock
} from "../../domain/topups/PayerPhoneLock.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { actor } from "../runtime/Definition.ts"

export const PayerPhoneLockActor = actor<PayerPhoneLock, PayerPhoneLockCommands, PayerPhoneLockEvent, never>({
  type: "PayerPhone",
  commands: PayerPhoneLockCommands,
  initial: freePhone,
  restore: restorePayerPhoneLock,
  decide: decidePhoneLock,
  evolve: evolvePhoneLock,
  plan: () => [],
  record: ({ after }) => ({ workspace_id: null, state: stateOfPayerPhoneLock(presentOf(after)), columns: {} })
})

export const layer = Layer.effectDiscard(
  Effect.flatMap(ActorSystem, (system) => system.register(PayerPhoneLockActor, () => Effect.void))
)
