import { Context, type Effect } from "effect"
import type { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"

/**
 * The response to the first request with a key. The journal stores it with the effect of the request, in one
 * transaction.
 */
export interface KeptAnswer {
  readonly fingerprint: string
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Stored responses to requests with an Idempotency-Key (docs/idempotency.md). */
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
