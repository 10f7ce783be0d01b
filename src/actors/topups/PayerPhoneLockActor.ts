import { Effect, Layer, Schema } from "effect"
import {
  decidePhone,
  freePhone,
  type PayerPhoneLock,
  PayerPhoneLockCommand,
  type PayerPhoneLockEvent,
  PayerPhoneLockReply
} from "../../domain/topups/PayerPhoneLock.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Definition } from "../runtime/Definition.ts"

/** Its id is the number. */
export const PayerPhoneLockActor: Definition<
  PayerPhoneLock,
  PayerPhoneLockCommand,
  PayerPhoneLockEvent,
  PayerPhoneLockReply,
  never
> = {
  type: "PayerPhone",
  initial: freePhone,
  restore: ({ state }) => JSON.parse(state) as PayerPhoneLock,
  decide: decidePhone,
  evolve: (_, { topup_id, until }) => ({ topup_id, until }),
  plan: () => [],
  record: ({ after }) => ({ workspace_id: null, state: JSON.stringify(after), columns: {} }),
  wire: { command: PayerPhoneLockCommand, reply: PayerPhoneLockReply, notice: Schema.Never }
}

export const layer = Layer.effectDiscard(
  Effect.flatMap(ActorSystem, (system) => system.register(PayerPhoneLockActor, () => Effect.void))
)
