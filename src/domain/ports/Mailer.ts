import { Context, Data, type Effect } from "effect"
import type { Mail } from "../mail/Mail.ts"

/** Nobody has taken the message; it can be tried again. */
export class MailFailed extends Data.TaggedError("MailFailed")<{ readonly cause: unknown }> {}

/** How messages leave the house. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Succeeds once somebody else answers for the message. Its id is its Message-ID, the same each time it is tried. */
    readonly send: (to: string, mail: Mail) => Effect.Effect<void, MailFailed>
  }
>()("trunkline/domain/ports/Mailer") {}
