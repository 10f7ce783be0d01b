import { Schema } from "effect"

/** Money set aside for a call that is under way. */
export const HoldRecord = Schema.Struct({
  id: Schema.String,
  call_id: Schema.String,
  amount_minor: Schema.Int.annotate({
    description: "All that is held for the call: a minute more each time that a paid one ends."
  }),
  placed_at: Schema.String
}).annotate({ identifier: "Hold" })
export type HoldRecord = typeof HoldRecord.Type
