import { Schema } from "effect"

/** A message to a person, as plain text and as HTML. */
export const Mail = Schema.Struct({
  /** A UUID. */
  id: Schema.String,
  subject: Schema.String,
  text: Schema.String,
  html: Schema.String
})
export type Mail = typeof Mail.Type

/** The content of a message that has no id yet. */
export type Letter = Omit<Mail, "id">
