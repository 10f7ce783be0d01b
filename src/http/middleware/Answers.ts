import { Schema, SchemaGetter } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { InternalError, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { responses } from "../request/Responses.ts"
import { expectPresent } from "../../domain/ExpectPresent.ts"

type EngineError = NotCommitted | ReadFailed | InternalError

const isEngineError = (error: unknown): error is EngineError =>
  error instanceof NotCommitted || error instanceof ReadFailed || error instanceof InternalError

/**
 * Lets a handler fail when storage does: these errors have no code, and the OpenAPI document shows `internal_error`. An
 * error with a code must be among those of its endpoint, or the handler does not compile.
 */
const [internal] = responses(InternalError)
const engineErrors = expectPresent(internal, InternalError.code)
  .pipe(
    Schema.decodeTo(Schema.declare<EngineError>(isEngineError), {
      decode: SchemaGetter.transform((failure): EngineError => failure),
      encode: SchemaGetter.transform((error) =>
        error instanceof InternalError ? error : new InternalError({ cause: error })
      )
    })
  )
  .annotate({ httpApiStatus: 500, description: `\`${InternalError.code}\`: ${InternalError.summary}` })

/** Turns every error of an endpoint into the error envelope (docs/errors.md), so that handlers map no errors. */
export class Answers extends HttpApiMiddleware.Service<Answers>()("trunkline/http/Answers", {
  error: [engineErrors, ...responses(ServiceUnavailable)]
}) {}
