import { Context } from "effect"
import type { Role } from "../../domain/access/Role.ts"
import type { Scope } from "../../domain/access/Scope.ts"
import type { FailureClass } from "../../domain/errors/Failure.ts"

/** What the pipeline must know of an endpoint beside its shapes; annotated on it. */
export interface EndpointPolicyOptions {
  /** What an API key must hold to come in. Absent: no key may. */
  readonly scope?: Scope
  /** What a signed-in member must be at least to come in. Default: viewer to read, admin to change. */
  readonly role?: Role
  /** Answered where an id in the path has not the form of an id: it names nothing. */
  readonly absent?: FailureClass
  /** Answered where the database does not. */
  readonly unread?: FailureClass
}

export const EndpointPolicy = Context.Reference<EndpointPolicyOptions>("trunkline/http/EndpointPolicy", {
  defaultValue: () => ({})
})
