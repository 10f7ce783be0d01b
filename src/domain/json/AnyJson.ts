import { Schema } from "effect"

/**
 * Any value of a document that was already read from JSON. With `Schema.Unknown` Effect decodes the whole body without
 * generated code, which takes twenty times as long.
 */
export const AnyJson: Schema.Codec<unknown> = Schema.Any
