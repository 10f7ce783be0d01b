// Who collects the money of top-ups. A prompt asks a person for money, so it is sent at most once; whether it was paid is
// told by the provider, or asked.
import { Context, Data, type Effect } from "effect"
import type { FailureCode } from "../topups/TopUpRecord.ts"

export interface PushRequest {
  readonly topup_id: string
  readonly amount_minor: number
  readonly currency: string
  /** Who is prompted; empty for a card. */
  readonly phone_e164: string
  /** Shown to the payer, and given back with the payment. */
  readonly account_ref: string
}

export type Pushed =
  | { readonly _tag: "Accepted"; readonly request_id: string }
  /** Nobody was prompted. */
  | { readonly _tag: "Refused"; readonly code: FailureCode; readonly message: string }

export type Standing =
  | { readonly _tag: "Pending" }
  /** `receipt` is null where the provider says that it was paid and not under which receipt. */
  | { readonly _tag: "Paid"; readonly receipt: string | null; readonly amount_minor: number }
  | { readonly _tag: "Failed"; readonly code: FailureCode; readonly message: string }

/** The provider did not answer, or not in a way that can be understood: what was asked may have been done. */
export class ProviderUnanswered extends Data.TaggedError("ProviderUnanswered")<{ readonly cause: unknown }> {}

export interface PaymentProvider {
  readonly push: (request: PushRequest) => Effect.Effect<Pushed, ProviderUnanswered>
  readonly query: (request: PushRequest, request_id: string) => Effect.Effect<Standing, ProviderUnanswered>
}

/** A payment as the provider lists it. */
export interface ListedPayment {
  readonly receipt: string
  readonly amount_minor: number
  readonly account_ref: string
  readonly paid_at: number
}

/** `provider` is undefined where the deployment has none. */
export class MobileMoney extends Context.Service<
  MobileMoney,
  {
    readonly provider:
      | (PaymentProvider & {
          /** Every payment to the account between the two instants. */
          readonly payments: (
            from: number,
            to: number
          ) => Effect.Effect<ReadonlyArray<ListedPayment>, ProviderUnanswered>
        })
      | undefined
  }
>()("trunkline/domain/ports/MobileMoney") {}

export class CardPayments extends Context.Service<
  CardPayments,
  {
    readonly provider: PaymentProvider | undefined
  }
>()("trunkline/domain/ports/CardPayments") {}
