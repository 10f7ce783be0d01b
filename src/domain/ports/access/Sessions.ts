// Sessions of signed-in people. A session is found by the token of its cookie, of which only a hash is stored.
import { Context, type Effect, type Redacted } from "effect"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { Session } from "../../access/Session.ts"

export class Sessions extends Context.Service<
  Sessions,
  {
    /** Undefined: the session is unknown or has ended. */
    readonly find: (token: Redacted.Redacted) => Effect.Effect<Session | undefined, ReadFailed>
    /** As `find`, but it does not count as a use, so that a session that only waits still ends. */
    readonly look: (token: Redacted.Redacted) => Effect.Effect<Session | undefined, ReadFailed>
    /** Whether this process has the answer of `find` in memory, be it a session or none. */
    readonly knows: (token: Redacted.Redacted) => Effect.Effect<boolean>
  }
>()("trunkline/domain/ports/Sessions") {}
