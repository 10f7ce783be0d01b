// Errors of gateway authentication, and decoding of events: shared by the feed and the ingest endpoint.
import { Result, Schema, SchemaIssue } from "effect"
import { ApiKeyInvalid, ApiKeyMissing } from "../../domain/errors/ApiKeyErrors.ts"
import type { Detail, Failure } from "../../domain/errors/Failure.ts"
import { PbxPayloadDecodeFailed } from "../../domain/errors/PbxErrors.ts"
import { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import { pointer } from "../../domain/json/JsonPointer.ts"

const resolution = "Send the header Authorization: Bearer <PBX_INGEST_SECRET>."

export const notAdmitted = (authorization: string | undefined): Failure =>
  authorization === undefined
    ? new ApiKeyMissing({ message: "The request carries no PBX ingest secret.", resolution })
    : new ApiKeyInvalid({ message: "This is not the PBX ingest secret.", resolution })

const format = SchemaIssue.makeFormatterStandardSchemaV1()

export const decodeFailed = (error: Schema.SchemaError, at: string): PbxPayloadDecodeFailed =>
  new PbxPayloadDecodeFailed({
    details: format(error.issue).issues.map(({ message, path }): Detail => ({
      field: at + pointer(path ?? []),
      code: message === "Missing key" ? "required" : "invalid",
      message
    }))
  })

const decode = Schema.decodeUnknownResult(PbxEvent)

/** `at` is the JSON pointer of the value in its document. */
export const decodeEvent = (value: unknown, at: string): Result.Result<PbxEvent, PbxPayloadDecodeFailed> =>
  Result.mapError(decode(value), (error) => decodeFailed(error, at))
