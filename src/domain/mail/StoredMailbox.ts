// The stored state of a mailbox.
import { Schema } from "effect"
import { storedState } from "../state/StoredState.ts"
import type { Mailbox } from "./Mailbox.ts"

const Instant = Schema.Int

const StoredMailbox = Schema.Struct({
  address: Schema.String,
  pending: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      sealed: Schema.String,
      expires_at: Instant,
      attempts: Schema.Int,
      next_at: Instant
    })
  ),
  known: Schema.Array(Schema.String)
})

export const mailboxState = storedState({ schema: StoredMailbox, upgrades: [] })

export const restoreMailbox = mailboxState.restore((stored): Mailbox => stored)
