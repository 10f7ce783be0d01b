import { Schema, SchemaGetter } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { Failure } from "../../domain/errors/Failure.ts"
import { InternalError, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { responses } from "../api/Responses.ts"

type HandlerError = Failure | NotCommitted | ReadFailed

const isHandlerError = (error: unknown): error is HandlerError =>
  error instanceof Failure || error instanceof NotCommitted || error instanceof ReadFailed

/** Lets a handler fail with any error of the engine. The OpenAPI document shows it as `internal_error`. */
const [internal] = responses(InternalError)
const anyHandlerError = internal!
  .pipe(
    Schema.decodeTo(Schema.declare<HandlerError>(isHandlerError), {
      decode: SchemaGetter.transform((failure): HandlerError => failure),
      encode: SchemaGetter.transform((error) => new InternalError({ cause: error }))
    })
  )
  .annotate({ httpApiStatus: 500, description: `\`${InternalError.code}\`: ${InternalError.summary}` })

/** Turns every error of an endpoint into the error envelope (docs/errors.md), so that handlers map no errors. */
export class Answers extends HttpApiMiddleware.Service<Answers>()("trunkline/http/Answers", {
  error: [anyHandlerError, ...responses(ServiceUnavailable)]
}) {}
