import { Schema, SchemaGetter } from "effect"
import { CallId, SessionId } from "../../domain/BrandedIds.ts"

const uuid = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
const lowered = {
  decode: SchemaGetter.transform((id: string) => id.toLowerCase()),
  encode: SchemaGetter.passthrough<string>()
}

/** The id of a record. UUIDs are compared without regard to case (RFC 9562, section 4). */
export const idOf = <Id extends Schema.Codec<string>>(id: Id) =>
  Schema.String.check(Schema.isPattern(new RegExp(`^${uuid}$`)))
    .annotate({ format: "uuid" })
    .pipe(Schema.decodeTo(id as Schema.Codec<Id["Type"], string>, lowered))

/** An id of a kind that has no brand. */
export const Id = idOf(Schema.String)

/** What addresses a call: its id, or the id of its PBX session. */
export const CallRef = Schema.String.check(Schema.isPattern(new RegExp(`^(?:${uuid}|HD_[A-Za-z0-9_-]{1,64})$`)))
  .annotate({
    description: "The call's id, or its session id (`HD_…`)."
  })
  .pipe(
    Schema.decodeTo(Schema.Union([SessionId, CallId]), {
      decode: SchemaGetter.transform((ref) => (ref.startsWith("HD_") ? ref : ref.toLowerCase())),
      encode: SchemaGetter.passthrough<string>()
    })
  )
