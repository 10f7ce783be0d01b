import { Effect, Layer, Schema } from "effect"
import {
  decidePhone,
  freePhone,
  type PayerPhone,
  PayerPhoneCommand,
  type PayerPhoneEvent,
  PayerPhoneReply
} from "../../domain/topups/PayerPhone.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Definition } from "../runtime/Definition.ts"

/** Its id is the number. */
export const PayerPhoneActor: Definition<PayerPhone, PayerPhoneCommand, PayerPhoneEvent, PayerPhoneReply, never> = {
  type: "PayerPhone",
  initial: freePhone,
  restore: ({ state }) => JSON.parse(state) as PayerPhone,
  decide: decidePhone,
  evolve: (_, { topup_id, until }) => ({ topup_id, until }),
  plan: () => [],
  record: ({ after }) => ({ workspace_id: null, state: JSON.stringify(after), columns: {} }),
  wire: { command: PayerPhoneCommand, reply: PayerPhoneReply, notice: Schema.Never }
}

export const layer = Layer.effectDiscard(
  Effect.flatMap(ActorSystem, (system) => system.register(PayerPhoneActor, () => Effect.void))
)
