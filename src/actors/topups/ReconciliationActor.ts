// Reads the provider's list of payments at intervals, so that a payment whose announcement was lost is still credited,
// and what has changed at the provider of cards, so that a refund whose notice was lost is still debited.
import { Clock, Effect, Layer } from "effect"
import { CardPayments, MobileMoney, type MobileMoneyProvider } from "../../domain/ports/money/PaymentProvider.ts"
import { SandboxPayments } from "../../domain/ports/money/SandboxPayments.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { TopUpReads } from "../../domain/ports/money/TopUpReads.ts"
import { IncomingPaymentCommands } from "../../domain/topups/IncomingPaymentCommand.ts"
import { isReceipt } from "../../domain/topups/ReceiptIds.ts"
import {
  changesFrom,
  decideReconciliation,
  evolveReconciliation,
  initialReconciliation,
  planReconciliation,
  readingWindow_ms,
  type ReadPayments,
  type Reconciliation,
  ReconciliationCommands,
  type ReconciliationEvent,
  reconciliationState,
  restoreReconciliation
} from "../../domain/topups/Reconciliation.ts"
import { makeCardNotices } from "../ingest/CardPaymentNotices.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { actor, type Perform } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { traced } from "../../domain/Traced.ts"

/** The actor that reads the list of the deployment's provider. */
const live_id = "mobilemoney"
/** The actor that reads the list of the simulated provider of sandboxes. */
const sandbox_id = "mobilemoney.sandbox"
/** The actor that reads what has changed at the provider of cards. */
const card_id = "card"

/** The actor that finds the payments of a workspace. */
export const reconciliationOf = (workspace_id: WorkspaceId): string => (isSandbox(workspace_id) ? sandbox_id : live_id)

export const ReconciliationActor = actor<Reconciliation, ReconciliationCommands, ReconciliationEvent, ReadPayments>({
  type: "Reconciliation",
  commands: ReconciliationCommands,
  initial: initialReconciliation,
  restore: restoreReconciliation,
  decide: decideReconciliation,
  evolve: evolveReconciliation,
  plan: planReconciliation,
  record: ({ after }) => ({ workspace_id: null, state: reconciliationState.write(after), columns: {} })
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const live = yield* MobileMoney
    const sandbox = yield* SandboxPayments
    const reads = yield* TopUpReads
    const cards = yield* CardPayments
    const notices = makeCardNotices(system)

    const announceUnknown = traced("Reconciliation.readPayments")(function* ({ payments }: MobileMoneyProvider) {
      const now = yield* Clock.currentTimeMillis
      const listed = (yield* payments(now - readingWindow_ms, now)).filter(({ receipt }) => isReceipt(receipt))
      const unknown = yield* reads.unknownReceipts(listed.map(({ receipt }) => receipt))
      yield* Effect.forEach(
        listed.filter(({ receipt }) => unknown.has(receipt)),
        ({ account_ref, amount_minor, currency, paid_at, receipt }) => {
          const payment = { amount_minor, currency, account_ref, paid_at, claimed_by: null }
          return system.ask(IncomingPaymentCommands.Announce, receipt, payment)
        },
        { concurrency: 4, discard: true }
      )
    })

    const readPayments = (provider: MobileMoneyProvider | undefined) =>
      provider === undefined
        ? Effect.void
        : Effect.catch(announceUnknown(provider), (error) =>
            Effect.logWarning("Reading the payment list failed; it is read again at the next interval", error)
          )

    /** Reads the changes since the last reading. Returns up to when, or undefined if they could not be read. */
    const readChanges = traced("Reconciliation.readChanges")(
      function* (state: Reconciliation) {
        const { changes } = cards.provider ?? {}
        if (changes === undefined) return undefined
        const now = yield* Clock.currentTimeMillis
        const changed = yield* changes(changesFrom(state, now), now)
        yield* Effect.forEach(changed, notices.take, { concurrency: 4, discard: true })
        return now
      },
      (reading) =>
        Effect.catch(reading, (error) =>
          Effect.as(Effect.logWarning("Reading what changed failed; it is read at the next interval", error), undefined)
        )
    )

    const perform: Perform<Reconciliation, ReconciliationCommands, ReadPayments> = (_work, self) =>
      Effect.gen(function* () {
        if (self.id !== card_id) {
          yield* readPayments(self.id === sandbox_id ? sandbox.mobileMoney : live.provider)
          return yield* retryWithBackoff(self.tell({ _tag: "Read" }))
        }
        const read_until = yield* readChanges(self.state())
        return yield* retryWithBackoff(self.tell({ _tag: "Read", ...(read_until !== undefined && { read_until }) }))
      })
    yield* system.register(ReconciliationActor, perform)
  })
)

/** Schedules the first reading unless one is scheduled. Run it after the actors were started. */
export const beginReconciliation = Effect.gen(function* () {
  const live = yield* MobileMoney
  const sandbox = yield* SandboxPayments
  const system = yield* ActorSystem
  const cards = yield* CardPayments
  const begin = (id: string, provider: unknown) =>
    provider === undefined
      ? Effect.void
      : Effect.asVoid(Effect.forkScoped(retryWithBackoff(system.ask(ReconciliationCommands.Begin, id, {}))))
  yield* begin(live_id, live.provider)
  yield* begin(sandbox_id, sandbox.mobileMoney)
  yield* begin(card_id, cards.provider?.changes)
})
