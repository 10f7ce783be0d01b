import { Context } from "effect"
import type { Role } from "../../domain/access/Role.ts"
import type { Scope } from "../../domain/access/Scope.ts"
import type { FailureClass } from "../../domain/errors/Failure.ts"
import type { Sheddable } from "../../domain/journal/Shedding.ts"

/**
 * The access rule of an endpoint, and the errors that it answers instead of general ones. Annotated on the endpoint by
 * `EndpointRow.ts`, which takes the errors from those that the row lists.
 */
export interface EndpointPolicyOptions {
  /** The scope that an API key needs. Absent: API keys are refused. */
  readonly scope?: Scope
  /** Every API key is admitted, whatever its scopes. */
  readonly anyKey?: true
  /** The lowest role that a signed-in member needs. Default: viewer to read, admin to change. */
  readonly role?: Role
  /** It is refused while the engine has too much to do. Lists are, without saying so. */
  readonly shed?: Sheddable
  /** It ends work, and is therefore served however much waits. */
  readonly endsWork?: true
  /** It concerns the workspace and its sandbox alike: in test mode, too, members act on the workspace itself. */
  readonly account?: true
  /** The error if an id in the path is malformed: nothing has such an id. Default: BadRequest. */
  readonly whenIdMalformed?: FailureClass
  /** The error if the database cannot be read. Default: InternalError. */
  readonly whenReadFails?: FailureClass
}

export const EndpointPolicy = Context.Reference<EndpointPolicyOptions>("trunkline/http/EndpointPolicy", {
  defaultValue: () => ({})
})
