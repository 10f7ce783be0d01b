// The objects of Stripe's API, as far as the engine reads them.

export interface Charge {
  readonly id: string
  readonly object: "charge"
  readonly amount: number
  readonly currency: string
  readonly payment_intent: string
  amount_refunded: number
  disputed: boolean
}

export interface Dispute {
  readonly id: string
  readonly object: "dispute"
  readonly amount: number
  readonly charge: string
  readonly payment_intent: string
  status: string
}

export interface Card {
  readonly id: string
  readonly object: "payment_method"
  readonly type: "card"
  readonly card: { readonly brand: string; readonly last4: string }
}

export interface Intent {
  readonly id: string
  readonly object: "payment_intent"
  readonly livemode: boolean
  readonly customer: string | null
  readonly payment_method: Card | null
  readonly setup_future_usage: string | null
  status: string
  readonly amount_received: number
  readonly currency: string
  readonly metadata: Readonly<Record<string, string>>
  readonly latest_charge: Charge
}

export interface Session {
  readonly id: string
  readonly object: "checkout.session"
  readonly livemode: boolean
  readonly client_reference_id: string
  readonly amount_total: number
  readonly currency: string
  /** Whether the card is kept for later charges. */
  readonly saves: boolean
  readonly expires_at: number
  readonly url: string
  readonly metadata: Readonly<Record<string, string>>
  status: "open" | "complete" | "expired"
  payment_status: "paid" | "unpaid"
  payment_intent: Intent | null
}
