// Stripe's API through its own library, which is loaded only where Stripe is the provider.
import { Effect, Redacted } from "effect"
import type { Stripe } from "stripe"

export interface StripeOptions {
  /** `https://api.stripe.com`. */
  readonly url: string
  readonly secret_key: Redacted.Redacted
  /** Each of them is accepted in signatures, so that one can be rolled. */
  readonly webhook_secrets: ReadonlyArray<Redacted.Redacted>
  /** Where payers go after they have paid, or have turned back. */
  readonly return_url: string
  /** Whether what Stripe's test mode has made counts for nothing (https://docs.stripe.com/test-mode). */
  readonly live_only: boolean
}

/** Whether a page, payment or event counts here: in production only if Stripe says that it is of the live mode. */
export const counts = ({ live_only }: StripeOptions, { livemode }: { readonly livemode: boolean }): boolean =>
  !live_only || livemode === true

const timeout_ms = 10_000
const retries = 1

/** The library repeats a failed request once, with the same Idempotency-Key. */
export const makeStripe = ({ secret_key, url }: StripeOptions): Effect.Effect<Stripe> =>
  Effect.promise(async () => {
    const { Stripe } = await import("stripe")
    const { hostname, port, protocol } = new URL(url)
    return new Stripe(Redacted.value(secret_key), {
      host: hostname.replace(/^\[|\]$/g, ""),
      ...(port !== "" && { port }),
      protocol: protocol === "http:" ? "http" : "https",
      timeout: timeout_ms,
      maxNetworkRetries: retries,
      telemetry: false
    })
  })

/** What is known of a failed request. Stripe's message is left out: it may quote the key. */
export interface StripeFault {
  /** Undefined if no answer came. */
  readonly status: number | undefined
  readonly code: string | undefined
  /** Why the bank declined a charge. */
  readonly decline_code: string | undefined
  readonly request_id: string | undefined
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

export const faultOf = (cause: unknown): StripeFault => {
  const { code, decline_code, requestId, statusCode } = (cause ?? {}) as Readonly<Record<string, unknown>>
  return {
    status: typeof statusCode === "number" ? statusCode : undefined,
    code: text(code),
    decline_code: text(decline_code),
    request_id: text(requestId)
  }
}

/** Sends a request with the library. */
export const request = <A>(send: () => Promise<A>): Effect.Effect<A, StripeFault> =>
  Effect.tryPromise({ try: send, catch: faultOf })

/** Whether it may succeed later: no answer, a conflict with itself, too many requests, or an error of Stripe. */
export const isTemporary = ({ status }: StripeFault): boolean =>
  status === undefined || status === 409 || status === 429 || status >= 500
