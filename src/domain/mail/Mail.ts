// A message to a person: one text, and the same with markup.
import { Schema } from "effect"

export const Mail = Schema.Struct({
  /** A UUID. */
  id: Schema.String,
  subject: Schema.String,
  text: Schema.String,
  html: Schema.String
})
export type Mail = typeof Mail.Type

/** What a message says, before it has an id. */
export type Letter = Omit<Mail, "id">
