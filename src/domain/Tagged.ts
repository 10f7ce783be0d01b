import { Schema } from "effect"

/** A member of a union of commands, replies or notices, told apart by `_tag`. */
export const tagged = <const Tag extends string, const Fields extends Schema.Struct.Fields>(tag: Tag, fields: Fields) =>
  Schema.Struct({ _tag: Schema.Literal(tag), ...fields })
