import { HttpApiMiddleware } from "effect/http-api"
import type { CurrentOperator } from "../request/CurrentOperator.ts"
import { type IdempotencyContext, writeErrors } from "../request/JsonWrite.ts"

/**
 * `JsonWrite` for what operators create: the Idempotency-Key belongs to the operator. Where the endpoint takes CSV, the
 * body may be a table.
 */
export class OperatorWrite extends HttpApiMiddleware.Service<
  OperatorWrite,
  {
    provides: IdempotencyContext
    requires: CurrentOperator
  }
>()("trunkline/http/OperatorWrite", { error: writeErrors }) {}
