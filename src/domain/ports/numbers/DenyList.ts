import { Context } from "effect"

/** The revoked API keys that have not expired yet. */
export class DenyList extends Context.Service<
  DenyList,
  {
    /**
     * Whether a key is revoked. Called for each request, so it reads from memory. A revocation reaches every process
     * within a second.
     */
    readonly isRevoked: (jti: string) => boolean
  }
>()("trunkline/domain/ports/DenyList") {}
