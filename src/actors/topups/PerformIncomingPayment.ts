// A payment finds the top-up that it is for; for money paid in by hand it makes one.
import { Clock, Effect, Layer, Option } from "effect"
import { systemOrigin } from "../../domain/access/Origin.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { IncomingPaymentReferences } from "../../domain/ports/IncomingPaymentReferences.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { TopUpReads } from "../../domain/ports/TopUpReads.ts"
import { WalletReads } from "../../domain/ports/WalletReads.ts"
import { readAccountRef } from "../../domain/topups/AccountRef.ts"
import type { Arrival, IncomingPayment, IncomingPaymentWork } from "../../domain/topups/IncomingPayment.ts"
import type { IncomingPaymentCommand, IncomingPaymentReply } from "../../domain/topups/IncomingPaymentCommand.ts"
import { receiptId } from "../../domain/topups/ReceiptIds.ts"
import { IncomingPaymentActor } from "./IncomingPaymentActor.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { TopUpActor } from "./TopUpActor.ts"

type Done = Effect.Effect<unknown, Failure | NotCommitted | ReadFailed>
type PayInSelf = Self<IncomingPayment, IncomingPaymentCommand, IncomingPaymentReply>

/** So long the prompt's own word is waited for, where one of the same amount is open: it knows whose payment it is. */
const claim_within_ms = 20_000
/** A prompt can have been paid so long after it was started; and clocks differ so much. */
const prompt_lives_ms = 600_000
const clocks_differ_ms = 60_000

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const references = yield* IncomingPaymentReferences
    const topups = yield* TopUpReads
    const wallets = yield* WalletReads

    const proofOf = (receipt: string, { amount_minor }: Arrival, from_suspense = false) => ({
      receipt,
      amount_minor,
      from_suspense
    })

    /** Whose it is then, or undefined where the top-up does not take it. An unknown top-up takes nothing. */
    const offer = (topup_id: string, receipt: string, arrival: Arrival) =>
      system.ask(TopUpActor, topup_id, { _tag: "Prove", proof: proofOf(receipt, arrival) }).pipe(
        Effect.map((reply) => (reply._tag === "Proved" ? reply : undefined)),
        Effect.catchTag("topup.not_found", () => Effect.succeed(undefined))
      )

    const settle = (self: PayInSelf, workspace_id: string, topup_id: string) =>
      self.tell({ _tag: "Settle", workspace_id, topup_id })

    const unpaid = (workspace_id: string, { amount_minor, paid_at }: Arrival) =>
      topups.unpaid(workspace_id, amount_minor, paid_at - prompt_lives_ms, paid_at + clocks_differ_ms)

    const waitForClaim = (workspace_id: string, arrival: Arrival) =>
      Effect.gen(function* () {
        const open = yield* unpaid(workspace_id, arrival)
        const left_ms = arrival.arrived_at + claim_within_ms - (yield* Clock.currentTimeMillis)
        if (left_ms > 0 && open.some(({ status }) => status === "pending")) yield* Effect.sleep(left_ms)
      })

    const makeManual = (self: PayInSelf, workspace_id: string, arrival: Arrival, from_suspense: boolean): Done =>
      Effect.gen(function* () {
        const topup_id = receiptId("manual_topup", self.id)
        const facts = {
          workspace_id,
          provider: "manual" as const,
          amount_minor: arrival.amount_minor,
          currency: arrival.currency,
          phone_e164: null,
          account_ref: yield* references.of(workspace_id),
          created_at: yield* Clock.currentTimeMillis
        }
        const proof = proofOf(self.id, arrival, from_suspense)
        yield* system.ask(TopUpActor, topup_id, { _tag: "Start", facts, proof, origin: systemOrigin })
        return yield* settle(self, workspace_id, topup_id)
      })

    /** The workspace that the reference names, if its wallet can take the money. */
    const workspaceOf = ({ account_ref, currency }: Arrival) =>
      Effect.gen(function* () {
        const ref = Option.getOrUndefined(readAccountRef(account_ref ?? ""))
        const workspace_id = ref && (yield* references.workspaceOf(ref))
        const wallet = workspace_id && (yield* wallets.balance(workspace_id))
        return wallet && wallet.currency === currency ? wallet.workspace_id : undefined
      })

    const match = ({ arrival, claimed_by }: Extract<IncomingPaymentWork, { _tag: "Match" }>, self: PayInSelf): Done =>
      Effect.gen(function* () {
        const claimed = claimed_by === null ? undefined : yield* offer(claimed_by, self.id, arrival)
        if (claimed?.taken === true) return yield* settle(self, claimed.workspace_id, claimed_by!)
        const workspace_id = claimed?.workspace_id ?? (yield* workspaceOf(arrival))
        if (workspace_id === undefined) return yield* self.tell({ _tag: "Suspend" })
        if (claimed_by === null) yield* waitForClaim(workspace_id, arrival)
        for (const { topup_id } of yield* unpaid(workspace_id, arrival)) {
          const offered = yield* offer(topup_id, self.id, arrival)
          if (offered?.taken === true) return yield* settle(self, workspace_id, topup_id)
        }
        return yield* makeManual(self, workspace_id, arrival, false)
      })

    const perform: Perform<IncomingPayment, IncomingPaymentCommand, IncomingPaymentReply, IncomingPaymentWork> = (
      work,
      self
    ) =>
      Effect.asVoid(
        retryWithBackoff(
          work._tag === "Match" ? match(work, self) : makeManual(self, work.workspace_id, work.arrival, true)
        )
      )
    yield* system.register(IncomingPaymentActor, perform)
  })
)
