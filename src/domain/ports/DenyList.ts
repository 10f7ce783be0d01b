import { Context } from "effect"

/** The revoked API keys that have not expired yet. */
export class DenyList extends Context.Service<
  DenyList,
  {
    /** Asked at each request, so answered from memory; a revocation reaches every node within a second. */
    readonly isRevoked: (jti: string) => boolean
  }
>()("trunkline/domain/ports/DenyList") {}
