import { Context, type Effect } from "effect"
import type { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"

/** The answer of the first request with a key. The journal keeps it with the request's effect, in one transaction. */
export interface KeptAnswer {
  readonly fingerprint: string
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Answers kept for requests that carried an Idempotency-Key (docs/idempotency.md). */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /** SHA-256 of the text, in hex. */
    readonly fingerprint: (text: string) => string
    readonly find: (
      request: Omit<IdempotentRequest, "fingerprint">
    ) => Effect.Effect<KeptAnswer | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/Idempotency") {}
