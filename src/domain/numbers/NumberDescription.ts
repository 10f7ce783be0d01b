// What numbering plans and carriers say of a number.
import { Schema } from "effect"
import { orNull } from "../kit/Fields.ts"

export const NumberKind = Schema.Literals([
  "landline",
  "mobile",
  "landline_or_mobile",
  "toll_free",
  "premium",
  "shared_cost",
  "voip",
  "personal",
  "pager",
  "company",
  "voicemail",
  "test",
  "unknown"
])
export type NumberKind = typeof NumberKind.Type

/** What the numbering plans say of a number. */
export interface NumberDescription {
  readonly kind: NumberKind
  /** Whether the number belongs to a range that is in use. */
  readonly valid: boolean
  readonly national: string
  readonly international: string
}

export const Carrier = Schema.Struct({
  name: Schema.String,
  /** Whether the number was ported to this carrier; null if the source does not say. */
  ported: orNull(Schema.Boolean)
})
export type Carrier = typeof Carrier.Type
