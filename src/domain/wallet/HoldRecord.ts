import { Schema } from "effect"
import { CallId } from "../BrandedIds.ts"

/** Money reserved for a call in progress. */
export const HoldRecord = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the hold." }),
  call_id: CallId.annotate({ description: "The call that the money is set aside for." }),
  amount_minor: Schema.Int.annotate({
    description: "The whole amount held for the call. It grows by a minute each time a paid minute ends."
  }),
  placed_at: Schema.String
}).annotate({ identifier: "Hold" })
export type HoldRecord = typeof HoldRecord.Type

export interface OrphanedHold {
  readonly id: string
  /** True: the call does not exist. False: it has ended. */
  readonly unused: boolean
}
