// Reserves the payer's phone for a prompt.
import { Clock, Effect } from "effect"
import { forEverybody } from "../../domain/access/CurrentTenant.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { TopUpPushInProgress } from "../../domain/errors/TopUpErrors.ts"
import type { TopUpReads } from "../../domain/ports/money/TopUpReads.ts"
import { PayerPhoneLockCommands } from "../../domain/topups/PayerPhoneLock.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import type { TopUpId } from "../../domain/BrandedIds.ts"

/**
 * Reserves a phone for a top-up: for a minute, or until the top-up is no longer pending. Fails with TopUpPushInProgress
 * while another top-up has the phone.
 */
export const makeReservePhone = (system: ActorSystem["Service"], reads: TopUpReads["Service"]) => {
  const reserve = (
    phone: string,
    topup_id: TopUpId,
    instead_of: TopUpId | null = null
  ): Effect.Effect<void, TopUpPushInProgress | NotCommitted | ReadFailed> =>
    Effect.gen(function* () {
      const holder = yield* system.ask(PayerPhoneLockCommands.Reserve, phone, { topup_id, instead_of })
      if (holder === null) return
      const status = yield* forEverybody(reads.status(holder.topup_id))
      if (instead_of === null && status !== undefined && status !== "pending")
        return yield* reserve(phone, topup_id, holder.topup_id)
      const wait_ms = holder.until - (yield* Clock.currentTimeMillis)
      return yield* new TopUpPushInProgress({ retry_after_seconds: Math.max(1, Math.ceil(wait_ms / 1_000)) })
    })
  return reserve
}
