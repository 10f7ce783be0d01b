import { HttpApiMiddleware } from "effect/http-api"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../../domain/errors/GeneralErrors.ts"
import { responses } from "../api/Responses.ts"

/** Reads a body that is either JSON or a CSV table. */
export class JsonOrCsv extends HttpApiMiddleware.Service<JsonOrCsv>()("trunkline/http/JsonOrCsv", {
  error: responses(UnsupportedMediaType, PayloadTooLarge, BadRequest)
}) {}
