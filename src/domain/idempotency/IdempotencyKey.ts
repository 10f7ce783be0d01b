import { Result } from "effect"
import { IdempotencyKeyInvalid } from "../errors/GeneralErrors.ts"

const printable = /^[\x20-\x7e]{1,255}$/

/** Checks the value of an `Idempotency-Key` header: 1 to 255 printable ASCII characters. */
export const idempotencyKey = (header: string): Result.Result<string, IdempotencyKeyInvalid> =>
  printable.test(header) ? Result.succeed(header) : Result.fail(new IdempotencyKeyInvalid())
