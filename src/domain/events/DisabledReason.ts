// Why the engine has disabled a webhook subscription: `webhook.disabled` and the record of the subscription say it.
import { Schema } from "effect"

export const DisabledReason = Schema.Literals(["receiver_gone", "failing"]).annotate({
  description: "`receiver_gone`: the receiver answered 410. `failing`: no delivery succeeded for 120 hours."
})
export type DisabledReason = typeof DisabledReason.Type
