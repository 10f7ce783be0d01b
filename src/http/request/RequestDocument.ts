// Reads the body of a request before its schema is checked.
import { ByteSize, Effect, type SchemaAST } from "effect"
import { HttpIncomingMessage, type HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../../domain/errors/GeneralErrors.ts"
import { maxTableBytes } from "../../domain/numbers/RateSheet.ts"
import { bodyText, parseJson, unknownMembers } from "./JsonBody.ts"

/** JSON between systems is UTF-8 (RFC 8259, section 8.1), whatever else a parameter says. */
const isUtf8 = (contentType: string): boolean =>
  [...contentType.matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/gi)].every(([, name]) => /^utf-?8$/i.test(name ?? ""))

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || (/^application\/json\s*(?:;|$)/i.test(contentType) && isUtf8(contentType))

/** The error for a body that could not be read whole. */
export const unreadable = ({ reason }: HttpServerError.HttpServerError) =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
    ? new PayloadTooLarge()
    : new BadRequest({ message: "The body could not be read." })

/** The JSON document of a body. Fails with 415, 413 or 400 if no endpoint would accept it. */
export const readDocument = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.gen(function* () {
    if (!isJson(request.headers["content-type"])) return yield* new UnsupportedMediaType()
    return yield* Effect.fromResult(parseJson(yield* Effect.mapError(request.arrayBuffer, unreadable)))
  })

export const isCsv = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const contentType = headers["content-type"] ?? ""
  return /^text\/csv\s*(?:;|$)/i.test(contentType) && isUtf8(contentType)
}

/** The text of a CSV body, which may be longer than others. */
export const readTable = (request: HttpServerRequest.HttpServerRequest) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxTableBytes)),
    Effect.mapError(unreadable),
    Effect.flatMap((bytes) => Effect.fromResult(bodyText(bytes)))
  )

const payloadSchema = (endpoint: HttpApiEndpoint.Top): SchemaAST.AST | undefined =>
  [...endpoint.payload.values()][0]?.schemas[0]?.ast

const max_warnings = 20
const max_warning_length = 100

/** One warning as a list item in a header: ASCII, without commas, at most 100 characters of the field. */
const warning = (field: string): string =>
  `unknown_field:${encodeURI(field).replaceAll(",", "%2C").slice(0, max_warning_length)}`

const unknownIn = (endpoint: HttpApiEndpoint.Top, document: unknown): ReadonlyArray<string> => {
  const schema = payloadSchema(endpoint)
  return schema === undefined ? [] : unknownMembers(schema, document)
}

/** Finds JSON pointers to the members of a document that the endpoint does not know. */
export const unknownTo = (endpoint: HttpApiEndpoint.Top, document: unknown) => () => unknownIn(endpoint, document)

/** Adds the header X-Service-Warnings, which lists the members that the endpoint does not know. */
export const warnOfUnknown = (endpoint: HttpApiEndpoint.Top) => {
  return (
    document: unknown,
    response: HttpServerResponse.HttpServerResponse
  ): HttpServerResponse.HttpServerResponse => {
    const unknown = unknownIn(endpoint, document)
    return unknown.length === 0
      ? response
      : HttpServerResponse.setHeader(
          response,
          "x-service-warnings",
          unknown.slice(0, max_warnings).map(warning).join(", ")
        )
  }
}
