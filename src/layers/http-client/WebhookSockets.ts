// Runs attempts of webhook deliveries when there is a socket for them.
import { Clock, Effect, Exit } from "effect"
import type { Outcome } from "../../domain/webhooks/DeliveryRecord.ts"
import { accepted, notSent } from "../../domain/webhooks/Settlement.ts"
import { type SocketLimits, SocketShares, type SocketUser } from "../../domain/webhooks/SocketShares.ts"

interface Waiting extends SocketUser {
  readonly attempt: Effect.Effect<Outcome>
  has_begun: boolean
  /** What the wait ended with: the attempt, or the outcome of one that is not made. */
  next: Effect.Effect<Outcome> | undefined
  resume: ((next: Effect.Effect<Outcome>) => void) | undefined
}

/** Its turn may come before its fiber waits. */
const wake = (item: Waiting, next: Effect.Effect<Outcome>): void => {
  item.next = next
  item.resume?.(next)
}

const untilWoken = (item: Waiting): Effect.Effect<Outcome> =>
  Effect.callback((resume) => {
    item.resume = resume
    if (item.next !== undefined) resume(item.next)
  })

const unsent = Effect.map(Clock.currentTimeMillis, (at): Outcome => ({
  at,
  duration_ms: 0,
  http_status: null,
  error: notSent,
  response_excerpt: null,
  retry_after_ms: null
}))

/**
 * Runs an attempt when there is a socket for it. Nobody is refused for want of one: who waits is one of the few
 * deliveries that its subscription attempts at a time.
 */
export const makeWebhookSockets = (limits: SocketLimits) => {
  const shares = new SocketShares<Waiting>(limits)

  const begin = (item: Waiting): Effect.Effect<Outcome> => {
    item.has_begun = true
    return item.attempt
  }

  const enter = (item: Waiting): Effect.Effect<Outcome> => (shares.enter(item) ? begin(item) : untilWoken(item))

  const end = (item: Waiting, exit: Exit.Exit<Outcome>): void => {
    if (!item.has_begun) return void shares.withdraw(item)
    const turn = shares.leave(item, Exit.isSuccess(exit) ? accepted(exit.value) : undefined)
    for (const each of turn.begin) wake(each, begin(each))
    for (const each of turn.refused) wake(each, unsent)
  }

  return ({ proven, receiver, workspace_id }: SocketUser, attempt: Effect.Effect<Outcome>): Effect.Effect<Outcome> =>
    Effect.suspend(() => {
      const item: Waiting = {
        proven,
        receiver,
        workspace_id,
        attempt,
        has_begun: false,
        next: undefined,
        resume: undefined
      }
      return Effect.onExit(
        Effect.suspend(() => enter(item)),
        (exit) => Effect.sync(() => end(item, exit))
      )
    })
}
