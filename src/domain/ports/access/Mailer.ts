import { Context, Data, type Effect } from "effect"
import type { Mail } from "../../mail/Mail.ts"

/** The message was not accepted. It can be retried. */
export class MailFailed extends Data.TaggedError("MailFailed")<{ readonly cause: unknown }> {}

/** Sends email to one receiver. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /**
     * Succeeds when the mail server has accepted the message. The Message-ID is made of its id, the same for each
     * attempt.
     */
    readonly send: (to: string, mail: Mail) => Effect.Effect<void, MailFailed>
  }
>()("trunkline/domain/ports/Mailer") {}
