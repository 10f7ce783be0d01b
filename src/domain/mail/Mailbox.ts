// The messages on their way to one address. Each is on disk before it is sent, and forgotten once it is.
import { Result, Schema } from "effect"
import { type Decided, task, type Work } from "../Decision.ts"
import { RateLimited } from "../errors/GeneralErrors.ts"
import { tagged } from "../Tagged.ts"

export interface PendingMail {
  readonly id: string
  /** The `Mail` as JSON, sealed: it may hold a link that signs its reader in. */
  readonly sealed: string
  /** What is not sent by then is of no use to anybody. */
  readonly expires_at: number
  readonly attempts: number
  readonly next_at: number
}

export interface Mailbox {
  readonly address: string
  readonly pending: ReadonlyArray<PendingMail>
  /** The ids of the last messages, so that one that is given twice is sent once. */
  readonly known: ReadonlyArray<string>
}

export type MailboxEvent =
  | { readonly _tag: "Taken"; readonly mail: PendingMail }
  | { readonly _tag: "Delivered"; readonly id: string }
  | { readonly _tag: "Postponed"; readonly id: string; readonly next_at: number }
  | { readonly _tag: "GivenUp"; readonly id: string }

export const MailboxCommand = Schema.Union([
  /** A message; its id makes it one message, however often it is given. */
  tagged("Send", { id: Schema.String, sealed: Schema.String, expires_at: Schema.Int }),
  tagged("Delivered", { id: Schema.String }),
  /** It was not taken, the how manieth time. */
  tagged("Failed", { id: Schema.String, attempt: Schema.Int })
])
export type MailboxCommand = typeof MailboxCommand.Type

export const MailboxReply = tagged("Noted", {})
export type MailboxReply = typeof MailboxReply.Type

/** Sends one message, which is sealed for the mailbox. */
export interface DeliverMail {
  readonly _tag: "DeliverMail"
  readonly mail: PendingMail
}

const pending_max = 20
const known_max = 20

/** Pauses after each failed attempt; the last one again and again. */
const pauses_ms = [1_000, 5_000, 30_000, 120_000, 300_000, 900_000, 3_600_000]

export const emptyMailbox = (address: string): Mailbox => ({ address, pending: [], known: [] })

const nothing: Decided<MailboxEvent, MailboxReply> = Result.succeed({ events: [], reply: { _tag: "Noted" } })
const happened = (event: MailboxEvent): Decided<MailboxEvent, MailboxReply> =>
  Result.succeed({ events: [event], reply: { _tag: "Noted" } })

export const decideMailbox = (
  { known, pending }: Mailbox,
  command: MailboxCommand,
  now: number
): Decided<MailboxEvent, MailboxReply> => {
  const found = pending.find(({ id }) => id === command.id)
  switch (command._tag) {
    case "Send": {
      if (known.includes(command.id)) return nothing
      if (pending.length >= pending_max)
        return Result.fail(new RateLimited({ message: "Too many messages to this address wait to be sent." }))
      const { expires_at, id, sealed } = command
      return happened({ _tag: "Taken", mail: { id, sealed, expires_at, attempts: 0, next_at: now } })
    }
    case "Delivered":
      return found === undefined ? nothing : happened({ _tag: "Delivered", id: command.id })
    case "Failed": {
      if (found === undefined || found.attempts + 1 !== command.attempt) return nothing
      const next_at = now + pauses_ms[Math.min(found.attempts, pauses_ms.length - 1)]!
      return happened(
        next_at >= found.expires_at ? { _tag: "GivenUp", id: found.id } : { _tag: "Postponed", id: found.id, next_at }
      )
    }
  }
}

export const evolveMailbox = (mailbox: Mailbox, event: MailboxEvent): Mailbox => {
  const { known, pending } = mailbox
  switch (event._tag) {
    case "Taken":
      return { ...mailbox, pending: [...pending, event.mail], known: [...known, event.mail.id].slice(-known_max) }
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

export const planMailbox = ({ pending }: Mailbox): ReadonlyArray<Work<MailboxCommand, DeliverMail>> =>
  pending.map((mail) => task(`mail:${mail.id}:${mail.attempts}`, { _tag: "DeliverMail", mail }, mail.next_at))
