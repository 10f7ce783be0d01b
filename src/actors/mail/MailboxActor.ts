// The messages to one address, which is the actor's id. They are stored first, then sent, and retried until they
// expire.
import { Clock, Effect, Layer, Schema } from "effect"
import {
  decideMailbox,
  type DeliverMail,
  emptyMailbox,
  evolveMailbox,
  type Mailbox,
  MailboxCommands,
  type MailboxEvent,
  mailboxState,
  planMailbox,
  restoreMailbox
} from "../../domain/mail/Mailbox.ts"
import { type Letter, Mail } from "../../domain/mail/Mail.ts"
import type { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { MailFailed, Mailer } from "../../domain/ports/access/Mailer.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { actor, type Perform } from "../runtime/Definition.ts"
import { traced } from "../../domain/Traced.ts"

export const MailboxActor = actor<Mailbox, MailboxCommands, MailboxEvent, DeliverMail>({
  type: "Mailbox",
  commands: MailboxCommands,
  initial: emptyMailbox,
  restore: restoreMailbox,
  decide: decideMailbox,
  evolve: evolveMailbox,
  plan: planMailbox,
  record: ({ after }) => ({ workspace_id: null, state: mailboxState.write(after), columns: {} })
})

/** What binds a sealed message to its mailbox. */
const bound = (address: string, id: string): string => `actors/mail/${address}/${id}`

const decodeMail = Schema.decodeUnknownEffect(Schema.fromJsonString(Mail))

export interface OutgoingMail {
  /** A UUID. A message with the id of an earlier one is not sent again. */
  readonly id: string
  /** The mail address of the receiver. */
  readonly to: string
  readonly letter: Letter
  /** The message is not sent after this instant, epoch milliseconds. */
  readonly expires_at: number
}

/** Fails with RateLimited when too many messages wait for the address. */
export type Post = (mail: OutgoingMail) => Effect.Effect<void, RateLimited | NotCommitted>

/** Returns once the message is on disk. From then on it is sent, or expires, even if the process ends. */
export const makePost = Effect.gen(function* () {
  const system = yield* ActorSystem
  const vault = yield* Vault
  const post: Post = traced("Mailbox.post")(function* ({ expires_at, id, letter, to }) {
    const sealed = vault.seal(JSON.stringify({ id, ...letter }), bound(to, id))
    yield* system.ask(MailboxCommands.Send, to, { id, sealed, expires_at })
  })
  return post
})

const sendTimeout = "30 seconds"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const mailer = yield* Mailer
    const system = yield* ActorSystem
    const vault = yield* Vault

    const deliver = traced("Mailbox.deliver")(
      function* (address: string, { expires_at, id, sealed }: DeliverMail["mail"]) {
        if ((yield* Clock.currentTimeMillis) >= expires_at)
          return yield* new MailFailed({ cause: "The message has expired." })
        const mail = yield* Effect.mapError(
          decodeMail(vault.open(sealed, bound(address, id))),
          (cause) => new MailFailed({ cause })
        )
        yield* mailer.send(address, mail)
      },
      Effect.timeoutOrElse({
        duration: sendTimeout,
        orElse: () => Effect.fail(new MailFailed({ cause: `The mail server took longer than ${sendTimeout}.` }))
      })
    )

    const perform: Perform<Mailbox, MailboxCommands, DeliverMail> = ({ mail }, self) =>
      Effect.matchEffect(deliver(self.id, mail), {
        onSuccess: () => self.tell({ _tag: "Delivered", id: mail.id }),
        onFailure: ({ cause }) =>
          Effect.gen(function* () {
            yield* Effect.logWarning("Sending a message failed; it is retried until it expires", {
              id: mail.id,
              attempt: mail.attempts + 1,
              cause
            })
            return yield* self.tell({ _tag: "Failed", id: mail.id, attempt: mail.attempts + 1 })
          })
      }).pipe(Effect.ignore)

    yield* system.register(MailboxActor, perform)
  })
)
