import { HttpApiMiddleware } from "effect/http-api"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../../domain/errors/GeneralErrors.ts"
import { responses } from "../request/Responses.ts"

/** Reads a JSON body on routes without Idempotency-Key: those of sign-in, and what operators change. */
export class JsonOnly extends HttpApiMiddleware.Service<JsonOnly>()("trunkline/http/JsonOnly", {
  error: responses(UnsupportedMediaType, PayloadTooLarge, BadRequest)
}) {}
