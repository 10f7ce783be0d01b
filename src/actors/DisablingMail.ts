// Whoever looks after a workspace is written to when a webhook subscription was disabled because its receiver is gone.
import { Context, Effect, Layer } from "effect"
import type { Failure } from "../domain/errors/Failure.ts"
import { webhookDisabledLetter } from "../domain/mail/Letters.ts"
import type { NotCommitted } from "../domain/ports/Journal.ts"
import type { ReadFailed } from "../domain/ports/ReadFailed.ts"
import { WorkspaceReads } from "../domain/ports/WorkspaceReads.ts"
import type { DisabledReason } from "../domain/webhooks/SubscriptionRecord.ts"
import { makePost } from "./MailboxActor.ts"

export interface Disabling {
  readonly workspace_id: string
  readonly subscription_id: string
  readonly url: string
  readonly reason: DisabledReason
  /** Epoch milliseconds. */
  readonly at: number
}

/** Returns once the messages are on disk. The same disabling is written about once. */
export type WriteAbout = (disabling: Disabling) => Effect.Effect<void, Failure | NotCommitted | ReadFailed>

/** Where there are no people there is nobody to write to. */
export class DisablingMail extends Context.Reference<WriteAbout>("trunkline/actors/DisablingMail", {
  defaultValue: () => () => Effect.void
}) {}

/** A message that could not be sent for so long is no news any more. */
const news_ms = 3 * 86_400_000

export const layer = Layer.effect(DisablingMail, Effect.gen(function*() {
  const post = yield* makePost
  const reads = yield* WorkspaceReads
  return (disabling) =>
    Effect.gen(function*() {
      const { at, reason, subscription_id, url, workspace_id } = disabling
      const workspace = yield* reads.find(workspace_id)
      const heads = workspace?.members.filter(({ role }) => role === "owner" || role === "admin") ?? []
      const letter = webhookDisabledLetter({ workspace: workspace?.record.name ?? "", url, reason })
      yield* Effect.forEach(heads, ({ email }) =>
        post({ id: `${subscription_id}.${at}`, to: email, letter, expires_at: at + news_ms }), { discard: true })
    })
}))
