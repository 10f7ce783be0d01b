import { Schema, SchemaGetter } from "effect"
import { Catalog } from "./Catalog.ts"
import { Failure } from "./Failure.ts"
import { InternalError } from "./GeneralErrors.ts"

const Detail = Schema.Struct({ field: Schema.String, code: Schema.String, message: Schema.String })

const Wire = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  details: Schema.optionalKey(Schema.Array(Detail)),
  resolution: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String),
  suggested_e164: Schema.optionalKey(Schema.String),
  retry_after_seconds: Schema.optionalKey(Schema.Number)
})
type Wire = typeof Wire.Type

/** The class of a code that this process does not know is lost: a newer process has declared it. */
const decode = ({ code, ...fields }: Wire): Failure => {
  const Declared = Catalog.get(code)
  return Declared === undefined ? new InternalError({ cause: { code, ...fields } }) : new Declared(fields)
}

const encode = (failure: Failure): Wire => {
  const { _tag: code, message, details, resolution, reason, suggested_e164, retry_after_seconds } = failure
  return {
    code,
    message,
    ...(details !== undefined && { details }),
    ...(resolution !== undefined && { resolution }),
    ...(reason !== undefined && { reason }),
    ...(suggested_e164 !== undefined && { suggested_e164 }),
    ...(retry_after_seconds !== undefined && { retry_after_seconds })
  }
}

/** Any failure of the catalogue as JSON, so that it means the same in the process that asked. */
export const FailureFromWire = Wire.pipe(
  Schema.decodeTo(Schema.instanceOf(Failure), {
    decode: SchemaGetter.transform(decode),
    encode: SchemaGetter.transform(encode)
  })
)
