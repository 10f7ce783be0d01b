import { Effect, Schema, SchemaGetter } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { Catalog } from "../../domain/errors/Catalog.ts"
import { toEnvelope } from "../../domain/errors/Envelope.ts"
import type { Failure, FailureClass } from "../../domain/errors/Failure.ts"
import { RequestId } from "../server/RequestId.ts"

type Answerable = FailureClass<string, number>

const Detail = Schema.Struct({
  field: Schema.String.annotate({ description: "JSON pointer (RFC 6901) to the field at fault." }),
  code: Schema.String,
  message: Schema.String
}).annotate({ identifier: "ErrorDetail" })

const envelope = <const Codes extends ReadonlyArray<string>>(codes: Codes) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literals(codes),
      message: Schema.String.annotate({ description: "What failed, in words." }),
      request_id: Schema.String.annotate({ description: "Quote it to support. Equal to the header X-Request-Id." }),
      details: Schema.optionalKey(Schema.Array(Detail)),
      resolution: Schema.optionalKey(Schema.String.annotate({ description: "What you can do about it." })),
      reason: Schema.optionalKey(Schema.String.annotate({ description: "A refinement of the code." })),
      suggested_e164: Schema.optionalKey(
        Schema.String.annotate({ description: "The corrected number, where exactly one correction is possible." })
      )
    })
  })

/** The body has no place for it: the header is set on the response of the request that this fiber serves. */
const announceRetryAfter = (seconds: number) =>
  Effect.withFiber((fiber) => {
    HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_, response) =>
      Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(seconds)))
    )
    return Effect.void
  })

/**
 * The error schemas of an endpoint or a middleware that may fail with these classes: one response per status,
 * whose `code` lists what it may say.
 */
export const responses = <const Classes extends ReadonlyArray<Answerable>>(...classes: Classes) => {
  type Value = InstanceType<Classes[number]>
  const byStatus = Map.groupBy<number, Answerable>(classes, (declared) => declared.status)
  return [...byStatus].map(([status, group]) => {
    const byCode = new Map(group.map((declared) => [declared.code, declared]))
    const isValue = (u: unknown): u is Value => group.some((declared) => u instanceof declared)
    return envelope(group.map((declared) => declared.code))
      .pipe(
        Schema.decodeTo(Schema.declare<Value>(isValue), {
          decode: SchemaGetter.transform(({ error }) => {
            const { code, request_id: _, ...fields } = error
            return new (byCode.get(code)!)(fields) as Value
          }),
          encode: SchemaGetter.transformEffect((value: Value) => {
            const body = Effect.map(RequestId, (request_id) => toEnvelope(value, request_id))
            return value.retry_after_seconds === undefined
              ? body
              : Effect.andThen(announceRetryAfter(value.retry_after_seconds), body)
          })
        })
      )
      .annotate({
        httpApiStatus: status,
        description: group.map((declared) => `\`${declared.code}\`: ${declared.summary}`).join("\n\n")
      })
  })
}

/** The response of a failure that arises outside any endpoint: an unknown path, a method, a body's size. */
export const failureResponse = (failure: Failure, request_id: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(toEnvelope(failure, request_id), {
    status: Catalog.get(failure._tag)?.status ?? 500,
    ...(failure.retry_after_seconds !== undefined && {
      headers: { "retry-after": String(failure.retry_after_seconds) }
    })
  })
