// A card that the provider keeps, so that it can be charged while its owner is away.
import { Schema } from "effect"

export const SavedCard = Schema.Struct({
  /** The provider's own reference. Nobody can charge the card with it but the platform. */
  reference: Schema.String.check(Schema.isMaxLength(512)),
  brand: Schema.String.check(Schema.isMaxLength(64)),
  last4: Schema.String.check(Schema.isMaxLength(8))
})
export type SavedCard = typeof SavedCard.Type
