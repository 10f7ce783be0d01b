import { Context, type Effect } from "effect"
import type { IdempotentRequest, KeptAnswer } from "../../idempotency/IdempotentRequest.ts"
import type { NotCommitted } from "../../errors/NotCommitted.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"

/** Stored responses to requests with an Idempotency-Key (docs/idempotency.md). */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /** SHA-256 of the text, in hex. */
    readonly fingerprint: (text: string) => string
    readonly find: (
      request: Omit<IdempotentRequest, "fingerprint">
    ) => Effect.Effect<KeptAnswer | undefined, ReadFailed>
    /**
     * Stores the response to a request that changes nothing: the journal stores those of all others. Fails with the
     * reason `duplicate` if the key has one.
     */
    readonly keep: (
      request: IdempotentRequest,
      answer: Omit<KeptAnswer, "fingerprint">
    ) => Effect.Effect<void, NotCommitted>
  }
>()("trunkline/domain/ports/Idempotency") {}
