// What comes with a request beside what it asks for.
import type { Origin } from "../../domain/access/Origin.ts"
import { systemOrigin } from "../../domain/access/Origin.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"

export interface Asked {
  /** Who asks, for the audit log. Absent: the engine itself. */
  readonly origin?: Origin
  /** Keeps the answer. */
  readonly idempotency?: IdempotentRequest
}

/** For a command that carries both. */
export const askedBy = ({ idempotency, origin = systemOrigin }: Asked) => ({
  origin,
  ...(idempotency && { idempotency })
})
