// Messages to one address, which is the actor's id: sent once they are on disk, and tried again until they are taken.
import { Clock, Effect, Layer, Schema } from "effect"
import {
  decideMailbox,
  type DeliverMail,
  emptyMailbox,
  evolveMailbox,
  type Mailbox,
  MailboxCommand,
  type MailboxEvent,
  MailboxReply,
  planMailbox
} from "../../domain/mail/Mailbox.ts"
import { type Letter, Mail } from "../../domain/mail/Mail.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { MailFailed, Mailer } from "../../domain/ports/Mailer.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Definition, Perform } from "../runtime/Definition.ts"

export const MailboxActor: Definition<Mailbox, MailboxCommand, MailboxEvent, MailboxReply, DeliverMail> = {
  type: "Mailbox",
  initial: emptyMailbox,
  restore: ({ state }) => JSON.parse(state) as Mailbox,
  decide: decideMailbox,
  evolve: evolveMailbox,
  plan: planMailbox,
  record: ({ after }) => ({ workspace_id: null, state: JSON.stringify(after), columns: {} }),
  wire: { command: MailboxCommand, reply: MailboxReply, notice: Schema.Never }
}

/** What a sealed message belongs to. */
const bound = (address: string, id: string): string => `actors/mail/${address}/${id}`

const decodeMail = Schema.decodeUnknownEffect(Schema.fromJsonString(Mail))

export interface Posting {
  /** A UUID: the same message given twice is sent once. */
  readonly id: string
  readonly to: string
  readonly letter: Letter
  readonly expires_at: number
}

export type Post = (posting: Posting) => Effect.Effect<void, Failure | NotCommitted>

/** Returns once the message is on disk; whatever happens then, it is sent, or it expires. */
export const makePost: Effect.Effect<Post, never, ActorSystem | Vault> = Effect.gen(function* () {
  const system = yield* ActorSystem
  const vault = yield* Vault
  return ({ expires_at, id, letter, to }) => {
    const sealed = vault.seal(JSON.stringify({ id, ...letter }), bound(to, id))
    return Effect.asVoid(system.ask(MailboxActor, to, { _tag: "Send", id, sealed, expires_at }))
  }
})

const patience = "30 seconds"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const mailer = yield* Mailer
    const system = yield* ActorSystem
    const vault = yield* Vault

    const deliver = Effect.fnUntraced(
      function* (address: string, { expires_at, id, sealed }: DeliverMail["mail"]) {
        if ((yield* Clock.currentTimeMillis) >= expires_at) return yield* new MailFailed({ cause: "It has expired." })
        const mail = yield* Effect.mapError(
          decodeMail(vault.open(sealed, bound(address, id))),
          (cause) => new MailFailed({ cause })
        )
        yield* mailer.send(address, mail)
      },
      Effect.timeoutOrElse({
        duration: patience,
        orElse: () => Effect.fail(new MailFailed({ cause: "It took too long." }))
      })
    )

    const perform: Perform<Mailbox, MailboxCommand, MailboxReply, DeliverMail> = ({ mail }, self) =>
      Effect.matchEffect(deliver(self.id, mail), {
        onSuccess: () => self.tell({ _tag: "Delivered", id: mail.id }),
        onFailure: ({ cause }) =>
          Effect.gen(function* () {
            yield* Effect.logWarning("A message could not be sent; it is tried again until it expires", {
              id: mail.id,
              cause
            })
            return yield* self.tell({ _tag: "Failed", id: mail.id, attempt: mail.attempts + 1 })
          })
      }).pipe(Effect.ignore)

    yield* system.register(MailboxActor, perform)
  })
)
