import { Schema } from "effect"

/** Money reserved for a call in progress. */
export const HoldRecord = Schema.Struct({
  id: Schema.String,
  call_id: Schema.String,
  amount_minor: Schema.Int.annotate({
    description: "The whole amount held for the call. It grows by a minute each time a paid minute ends."
  }),
  placed_at: Schema.String
}).annotate({ identifier: "Hold" })
export type HoldRecord = typeof HoldRecord.Type
