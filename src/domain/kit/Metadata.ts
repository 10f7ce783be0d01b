// Customer values that a call carries into records, events and callbacks.
import { Schema } from "effect"

const maxKeys = 16
const maxSize_bytes = 8_192

export const Metadata = Schema.Record(
  Schema.String.check(Schema.isMaxLength(40)),
  Schema.String.check(Schema.isMaxLength(512))
).check(Schema.isMaxProperties(maxKeys))
export type Metadata = typeof Metadata.Type

/** The old values, overwritten by the new ones; undefined if there would be more than 16. */
export const mergedMetadata = (old: Metadata, added: Metadata): Metadata | undefined => {
  const merged = { ...old, ...added }
  return Object.keys(merged).length > maxKeys ? undefined : merged
}

/** Whether the values exceed 8 KiB as JSON in UTF-8. */
export const isTooLarge = (metadata: Metadata): boolean =>
  new TextEncoder().encode(JSON.stringify(metadata)).byteLength > maxSize_bytes
