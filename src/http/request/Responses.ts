import { Effect, Schema, SchemaGetter } from "effect"
import { toEnvelope } from "../../domain/errors/Envelope.ts"
import type { FailureClass } from "../../domain/errors/Failure.ts"
import { RequestId } from "./RequestId.ts"
import { expectPresent } from "../../domain/ExpectPresent.ts"

type Answerable = FailureClass<string, number>

const Detail = Schema.Struct({
  field: Schema.String.annotate({ description: "JSON pointer (RFC 6901) to the invalid field." }),
  code: Schema.String,
  message: Schema.String
}).annotate({ identifier: "ErrorDetail" })

const envelope = <const Codes extends ReadonlyArray<string>>(codes: Codes) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literals(codes),
      message: Schema.String.annotate({ description: "What failed, for people to read." }),
      request_id: Schema.String.annotate({ description: "Quote it to support. Equal to the header `X-Request-Id`." }),
      doc_url: Schema.optionalKey(
        Schema.String.annotate({ description: "Where the code is explained, relative to the server." })
      ),
      details: Schema.optionalKey(Schema.Array(Detail)),
      resolution: Schema.optionalKey(Schema.String.annotate({ description: "What you can do about it." })),
      reason: Schema.optionalKey(Schema.String.annotate({ description: "A refinement of the code." })),
      suggested_e164: Schema.optionalKey(
        Schema.String.annotate({ description: "The corrected number, if exactly one correction is possible." })
      )
    })
  })

const statusesOf = ({ status, status_while_away }: Answerable): ReadonlyArray<number> =>
  status_while_away === undefined ? [status] : [status, status_while_away]

/**
 * The error schemas of an endpoint or a middleware that can fail with these classes: one response per status, whose
 * `code` is one of the codes with that status. The server itself answers through `failureResponse`, which adds
 * Retry-After.
 */
export const responses = <const Classes extends ReadonlyArray<Answerable>>(...classes: Classes) => {
  type Value = InstanceType<Classes[number]>
  const statuses = new Set(classes.flatMap(statusesOf))
  return [...statuses].map((status) => {
    const group = classes.filter((declared) => statusesOf(declared).includes(status))
    const byCode = new Map(group.map((declared) => [declared.code, declared]))
    const isValue = (u: unknown): u is Value => group.some((declared) => u instanceof declared)
    return envelope(group.map((declared) => declared.code))
      .pipe(
        Schema.decodeTo(Schema.declare<Value>(isValue), {
          decode: SchemaGetter.transform(({ error }) => {
            const { code, doc_url: _url, request_id: _id, ...fields } = error
            const declared = expectPresent(byCode.get(code), code)
            return new declared(fields) as Value
          }),
          encode: SchemaGetter.transformEffect((value: Value) =>
            Effect.map(RequestId, (request_id) => toEnvelope(value, request_id))
          )
        })
      )
      .annotate({
        httpApiStatus: status,
        description: group.map((declared) => `\`${declared.code}\`: ${declared.summary}`).join("\n\n")
      })
  })
}
