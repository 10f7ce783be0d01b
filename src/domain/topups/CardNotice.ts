// What the card provider posts about a payment.
import type { TopUpId } from "../BrandedIds.ts"

/** Where card providers reach the engine. */
export const cardIngestPath = "/v1/ingest/card"
/** Where a payer arrives after the payment page. */
export const cardReturnPath = "/v1/ingest/card/return"

export interface PostedCardNotice {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body as it was sent: signatures cover its bytes. */
  readonly body: Uint8Array
}

export type CardNotice =
  /** The payment of this top-up may have changed. `request_id` is the provider's id of its payment page. */
  | { readonly _tag: "Changed"; readonly topup_id: TopUpId; readonly request_id: string }
  /** It concerns no top-up. */
  | { readonly _tag: "Unrelated" }
  /** Its signature is missing, wrong or too old. */
  | { readonly _tag: "Forged" }
