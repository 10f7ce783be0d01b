// The messages that wait to be sent to one address. Each is on disk before it is sent, and forgotten afterwards.
import { Result, Schema } from "effect"
import { commandsOf, decideBy, type Message, type Rules } from "../Command.ts"
import { task, type Work } from "../Decision.ts"
import { RateLimited } from "../errors/GeneralErrors.ts"
import { Count, EpochMs } from "../kit/Fields.ts"
import { storedState } from "../state/StoredState.ts"

const PendingMail = Schema.Struct({
  id: Schema.String,
  /** The `Mail` as JSON, sealed: it may hold a link that signs its reader in. */
  sealed: Schema.String,
  /** The message is not sent after this instant. */
  expires_at: EpochMs,
  /** Attempts that failed. */
  attempts: Count,
  next_at: EpochMs
})
export type PendingMail = typeof PendingMail.Type

const Mailbox = Schema.Struct({
  address: Schema.String,
  pending: Schema.Array(PendingMail),
  /** Ids of the latest messages. A message with one of them is a duplicate. */
  known: Schema.Array(Schema.String)
})
export type Mailbox = typeof Mailbox.Type

export const mailboxState = storedState({ schema: Mailbox, upgrades: [] })

export const restoreMailbox = mailboxState.restore((stored): Mailbox => stored)

const { expires_at, id, sealed } = PendingMail.fields

export type MailboxEvent =
  | { readonly _tag: "Taken"; readonly mail: PendingMail }
  | { readonly _tag: "Delivered"; readonly id: string }
  | { readonly _tag: "Postponed"; readonly id: string; readonly next_at: number }
  | { readonly _tag: "GivenUp"; readonly id: string }

export const MailboxCommands = commandsOf("Mailbox", {
  /** Sends a message once, however often the command comes with the same id. */
  Send: {
    payload: { id, sealed, expires_at },
    errors: [RateLimited]
  },
  /** The mail server accepted the message. */
  Delivered: { payload: { id } },
  /** Attempt number `attempt`, counted from 1, failed. */
  Failed: { payload: { id, attempt: Schema.Int } }
})
export type MailboxCommands = typeof MailboxCommands
export type MailboxMessage = Message<MailboxCommands>

/** Sends one message, which is sealed for the mailbox. */
export interface DeliverMail {
  readonly _tag: "DeliverMail"
  readonly mail: PendingMail
}

const maxPending = 20
const maxKnown = 20

/** Pause after each failed attempt. The last one repeats. */
const pauses_ms = [1_000, 5_000, 30_000, 120_000, 300_000, 900_000]
const longestPause_ms = 3_600_000

export const emptyMailbox = (address: string): Mailbox => ({ address, pending: [], known: [] })

type MailboxRules = Rules<Mailbox, MailboxCommands, MailboxEvent>

const unchanged = Result.succeed({ events: [], reply: undefined })
const happened = (event: MailboxEvent) => Result.succeed({ events: [event], reply: undefined })

const send: MailboxRules["Send"] = ({ known, pending }, { expires_at, id, sealed }, now) => {
  if (known.includes(id)) return unchanged
  if (pending.length >= maxPending)
    return Result.fail(new RateLimited({ message: "Too many messages to this address wait to be sent." }))
  return happened({ _tag: "Taken", mail: { id, sealed, expires_at, attempts: 0, next_at: now } })
}

const delivered: MailboxRules["Delivered"] = ({ pending }, { id }) =>
  pending.some((mail) => mail.id === id) ? happened({ _tag: "Delivered", id }) : unchanged

const failed: MailboxRules["Failed"] = ({ pending }, { attempt, id }, now) => {
  const mail = pending.find((mail) => mail.id === id)
  if (mail === undefined || mail.attempts + 1 !== attempt) return unchanged
  const next_at = now + (pauses_ms[mail.attempts] ?? longestPause_ms)
  return happened(next_at >= mail.expires_at ? { _tag: "GivenUp", id } : { _tag: "Postponed", id, next_at })
}

const rules: MailboxRules = { Send: send, Delivered: delivered, Failed: failed }

export const decideMailbox = decideBy<Mailbox, MailboxCommands, MailboxEvent>(() => rules)

export const evolveMailbox = (mailbox: Mailbox, event: MailboxEvent): Mailbox => {
  const { known, pending } = mailbox
  switch (event._tag) {
    case "Taken":
      return { ...mailbox, pending: [...pending, event.mail], known: [...known, event.mail.id].slice(-maxKnown) }
    case "Delivered":
    case "GivenUp":
      return { ...mailbox, pending: pending.filter(({ id }) => id !== event.id) }
    case "Postponed":
      return {
        ...mailbox,
        pending: pending.map((mail) =>
          mail.id === event.id ? { ...mail, attempts: mail.attempts + 1, next_at: event.next_at } : mail
        )
      }
  }
}

export const planMailbox = ({ pending }: Mailbox): ReadonlyArray<Work<MailboxMessage, DeliverMail>> =>
  pending.map((mail) => task(`mail:${mail.id}:${mail.attempts}`, { _tag: "DeliverMail", mail }, mail.next_at))
