// Performs the work of a payment that came in: finds its top-up, or creates one for a payment by hand.
import { Clock, Effect, Layer, Option } from "effect"
import { systemOrigin } from "../../domain/access/Origin.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { TopUpNotFound } from "../../domain/errors/TopUpErrors.ts"
import { IncomingPaymentReferences } from "../../domain/ports/money/IncomingPaymentReferences.ts"
import { TopUpReads } from "../../domain/ports/money/TopUpReads.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import { readAccountRef } from "../../domain/topups/AccountRef.ts"
import type { AnnouncedPayment, IncomingPayment, IncomingPaymentWork } from "../../domain/topups/IncomingPayment.ts"
import type { IncomingPaymentCommands } from "../../domain/topups/IncomingPaymentCommand.ts"
import { isSandboxReceipt, manualTopUpId } from "../../domain/topups/ReceiptIds.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { TopUpCommands } from "../../domain/topups/TopUpCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { IncomingPaymentActor } from "./IncomingPaymentActor.ts"
import type { TopUpId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

type PaymentSelf = Self<IncomingPayment, IncomingPaymentCommands>
type Done = Effect.Effect<void, NotCommitted | ReadFailed>

/** How long to wait for the callback of an open prompt of the same amount, which says for sure whose payment it is. */
const claimDelay_ms = 20_000
/** How long after its start a prompt can still be paid. */
const promptPayable_ms = 600_000
/** How far the provider's clock may be ahead of ours. */
const clockTolerance_ms = 60_000

const proofOf = (receipt: string, { amount_minor }: AnnouncedPayment, from_suspense: boolean) => ({
  receipt,
  amount_minor,
  from_suspense
})

const makeUnpaid =
  (topups: TopUpReads["Service"]) =>
  (workspace_id: WorkspaceId, { amount_minor, paid_at }: AnnouncedPayment) =>
    topups.unpaid(workspace_id, amount_minor, paid_at - promptPayable_ms, paid_at + clockTolerance_ms)

/** Waits while a prompt of this amount is open. Its callback claims the payment, which ends the work that waits. */
const waitForClaim = Effect.fnUntraced(function* (
  unpaid: ReturnType<typeof makeUnpaid>,
  workspace_id: WorkspaceId,
  arrival: AnnouncedPayment
) {
  const open = yield* unpaid(workspace_id, arrival)
  const delay_ms = arrival.arrived_at + claimDelay_ms - (yield* Clock.currentTimeMillis)
  if (delay_ms > 0 && open.some(({ status }) => status === "pending")) yield* Effect.sleep(delay_ms)
})

/**
 * The workspace that the reference names, if its wallet is in the currency of the payment. A simulated payment reaches
 * sandboxes only, and a real one no sandbox.
 */
const makeWorkspaceOf = (references: IncomingPaymentReferences["Service"], wallets: WalletReads["Service"]) =>
  Effect.fnUntraced(function* (receipt: string, { account_ref, currency }: AnnouncedPayment) {
    const ref = readAccountRef(account_ref ?? "")
    if (Option.isNone(ref)) return undefined
    const workspace_id = yield* references.workspaceOf(ref.value)
    if (workspace_id === undefined || isSandbox(workspace_id) !== isSandboxReceipt(receipt)) return undefined
    const wallet = yield* wallets.balance(workspace_id)
    return wallet?.currency === currency ? workspace_id : undefined
  })

const make = Effect.gen(function* () {
  const system = yield* ActorSystem
  const references = yield* IncomingPaymentReferences
  const unpaid = makeUnpaid(yield* TopUpReads)
  const workspaceOf = makeWorkspaceOf(references, yield* WalletReads)

  /** Offers the payment to a top-up. An unknown top-up does not take it: undefined. */
  const offer = (topup_id: TopUpId, receipt: string, arrival: AnnouncedPayment) =>
    system.ask(TopUpCommands.Prove, topup_id, { proof: proofOf(receipt, arrival, false) }).pipe(
      Effect.catchIf(
        (error) => error instanceof TopUpNotFound,
        () => Effect.succeed(undefined)
      )
    )

  const settle = (self: PaymentSelf, workspace_id: WorkspaceId, topup_id: TopUpId) =>
    self.tell({ _tag: "Settle", workspace_id, topup_id })

  const createManualTopUp = Effect.fnUntraced(function* (
    self: PaymentSelf,
    workspace_id: WorkspaceId,
    arrival: AnnouncedPayment,
    from_suspense: boolean
  ) {
    const topup_id = manualTopUpId(self.id)
    const { amount_minor, currency } = arrival
    const facts = {
      workspace_id,
      provider: "manual" as const,
      amount_minor,
      currency,
      phone_e164: null,
      account_ref: yield* references.of(workspace_id),
      created_at: yield* Clock.currentTimeMillis
    }
    const proof = proofOf(self.id, arrival, from_suspense)
    yield* system.ask(TopUpCommands.Start, topup_id, { facts, proof, origin: systemOrigin })
    yield* settle(self, workspace_id, topup_id)
  })

  /**
   * The top-up that claims the payment gets it. Otherwise the payment goes to an unpaid prompt of the same amount in
   * the workspace, then to a new top-up. Without a workspace it is put in suspense.
   */
  const match = traced("IncomingPayment.match")(function* (
    { arrival, claimed_by }: Extract<IncomingPaymentWork, { _tag: "Match" }>,
    self: PaymentSelf
  ) {
    let workspace_id: WorkspaceId | undefined
    if (claimed_by !== null) {
      const claimed = yield* offer(claimed_by, self.id, arrival)
      if (claimed?.taken === true) return yield* settle(self, claimed.workspace_id, claimed_by)
      workspace_id = claimed?.workspace_id
    }
    workspace_id ??= yield* workspaceOf(self.id, arrival)
    if (workspace_id === undefined) return yield* self.tell({ _tag: "Suspend" })
    if (claimed_by === null) yield* waitForClaim(unpaid, workspace_id, arrival)
    for (const { topup_id } of yield* unpaid(workspace_id, arrival)) {
      const offered = yield* offer(topup_id, self.id, arrival)
      if (offered?.taken === true) return yield* settle(self, workspace_id, topup_id)
    }
    return yield* createManualTopUp(self, workspace_id, arrival, false)
  })

  const release = traced("IncomingPayment.release")(
    ({ arrival, workspace_id }: Extract<IncomingPaymentWork, { _tag: "Release" }>, self: PaymentSelf) =>
      createManualTopUp(self, workspace_id, arrival, true)
  )

  const done = (work: IncomingPaymentWork, self: PaymentSelf): Done =>
    work._tag === "Match" ? match(work, self) : release(work, self)

  return (work: IncomingPaymentWork, self: PaymentSelf) => retryWithBackoff(done(work, self))
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    yield* system.register(IncomingPaymentActor, yield* make)
  })
)
