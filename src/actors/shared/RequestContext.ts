import { type Origin, systemOrigin } from "../../domain/access/Origin.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import type { UserId, WorkspaceId } from "../../domain/BrandedIds.ts"

/** Who makes a request, and the Idempotency-Key under which its response is stored. */
export interface RequestContext {
  /** For the audit log. */
  readonly origin: Origin
  /** Absent: the request has no Idempotency-Key. */
  readonly idempotency?: IdempotentRequest
}

/** For what the engine does on its own initiative. */
export const systemContext: RequestContext = { origin: systemOrigin }

/** A request of a member of a workspace. */
export interface MemberContext extends RequestContext {
  readonly workspace_id: WorkspaceId
  /** The user id of the member. */
  readonly by: UserId
}
