// Values of the customer's own that a call carries into records, events and callbacks.
import { Schema } from "effect"

const metadata_keys_max = 16
const bytes_max = 8_192

export const Metadata = Schema.Record(
  Schema.String.check(Schema.isMaxLength(40)),
  Schema.String.check(Schema.isMaxLength(512))
).check(Schema.isMaxProperties(metadata_keys_max))
export type Metadata = typeof Metadata.Type

/** The old values with the new ones over them; undefined where that would be too many. */
export const mergedMetadata = (old: Metadata, added: Metadata): Metadata | undefined => {
  const merged = { ...old, ...added }
  return Object.keys(merged).length > metadata_keys_max ? undefined : merged
}

/** Of the whole, as JSON in UTF-8. */
export const isTooLarge = (metadata: Metadata): boolean =>
  new TextEncoder().encode(JSON.stringify(metadata)).byteLength > bytes_max
