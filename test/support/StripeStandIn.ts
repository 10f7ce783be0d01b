// Stripe's API over real HTTP, as its documentation shows it: form-encoded requests, Idempotency-Key, payment pages,
// payments with their charge, refunds, disputes, and signed events.
import { Clock, Effect, Redacted } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Stripe } from "stripe"
import type { StripeOptions } from "../../src/layers/card/stripe/StripeClient.ts"

export const secretKey = "sk_test_51Mhunter2"
export const webhookSecret = "whsec_hunter2"

interface Answer {
  readonly status: number
  readonly body: unknown
}

interface Charge {
  readonly id: string
  readonly object: "charge"
  readonly amount: number
  readonly currency: string
  readonly payment_intent: string
  amount_refunded: number
  disputed: boolean
}

interface Dispute {
  readonly id: string
  readonly object: "dispute"
  readonly amount: number
  readonly charge: string
  readonly payment_intent: string
  status: string
}

interface Intent {
  readonly id: string
  readonly object: "payment_intent"
  readonly amount_received: number
  readonly currency: string
  readonly metadata: Readonly<Record<string, string>>
  readonly latest_charge: Charge
}

interface Session {
  readonly id: string
  readonly object: "checkout.session"
  readonly client_reference_id: string
  readonly amount_total: number
  readonly currency: string
  readonly expires_at: number
  readonly url: string
  readonly metadata: Readonly<Record<string, string>>
  status: "open" | "complete" | "expired"
  payment_status: "paid" | "unpaid"
  payment_intent: Intent | null
}

const fault = (status: number, type: string, code: string, message: string): Answer => ({
  status,
  body: { error: { type, code, message, doc_url: "https://docs.stripe.com/error-codes" } }
})

const list = (url: string, data: ReadonlyArray<unknown>): Answer => ({
  status: 200,
  body: { object: "list", url, has_more: false, data }
})

/** Currencies without decimals at Stripe; UGX is written with two. */
const maximum = 99_999_999

/** A session without its expanded members, as lists and events have it. */
const collapsed = (session: Session) => ({ ...session, payment_intent: session.payment_intent?.id ?? null })

export class StripeStandIn {
  readonly asked: Array<{ readonly method: string; readonly path: string; readonly form: URLSearchParams }> = []
  readonly sessions = new Map<string, Session>()
  readonly disputes: Array<Dispute> = []
  private readonly answered = new Map<string, { readonly form: string; readonly answer: Answer }>()
  private readonly signer = new Stripe(secretKey)
  /** Answers the next requests in this way: "cut" closes the connection after the request was carried out. */
  next: Array<"cut" | Answer> = []
  private count = 0

  of(method: string, path: string) {
    return this.asked.filter((asked) => asked.method === method && asked.path.startsWith(path))
  }

  sessionOf(topup_id: string): Session {
    const session = [...this.sessions.values()].find(({ client_reference_id }) => client_reference_id === topup_id)
    if (session === undefined) throw new Error(`No payment page of ${topup_id}`)
    return session
  }

  /** The payer pays on the page, in another currency if one is given. */
  pay(topup_id: string, currency?: string): Session {
    const session = this.sessionOf(topup_id)
    if (session.status !== "open") throw new Error("The page cannot be paid on.")
    const id = `pi_3Mtw${String(++this.count).padStart(20, "x")}`
    const paid_in = currency ?? session.currency
    const latest_charge: Charge = {
      id: `ch_${this.count}`,
      object: "charge",
      amount: session.amount_total,
      currency: paid_in,
      payment_intent: id,
      amount_refunded: 0,
      disputed: false
    }
    session.payment_intent = {
      id,
      object: "payment_intent",
      amount_received: session.amount_total,
      currency: paid_in,
      metadata: session.metadata,
      latest_charge
    }
    session.status = "complete"
    session.payment_status = "paid"
    return session
  }

  expire(topup_id: string): Session {
    const session = this.sessionOf(topup_id)
    if (session.status === "open") session.status = "expired"
    return session
  }

  chargeOf(topup_id: string): Charge {
    const intent = this.sessionOf(topup_id).payment_intent
    if (intent === null) throw new Error("Nothing was paid.")
    return intent.latest_charge
  }

  /** How much of the charge is refunded by now, in Stripe's units. A refund that fails lowers it again. */
  refund(topup_id: string, amount_refunded: number): Charge {
    const charge = this.chargeOf(topup_id)
    charge.amount_refunded = amount_refunded
    return charge
  }

  dispute(topup_id: string, status: string): Dispute {
    const charge = this.chargeOf(topup_id)
    charge.disputed = true
    const known = this.disputes.find((dispute) => dispute.charge === charge.id)
    if (known !== undefined) {
      known.status = status
      return known
    }
    const dispute: Dispute = {
      id: `dp_${charge.id}`,
      object: "dispute",
      amount: charge.amount - charge.amount_refunded,
      charge: charge.id,
      payment_intent: charge.payment_intent,
      status
    }
    this.disputes.push(dispute)
    return dispute
  }

  /** An event as Stripe posts it, signed by Stripe's own library. `at`: epoch milliseconds. */
  event(type: string, object: object, at: number, secret = webhookSecret) {
    const body = "payment_intent" in object && "url" in object ? collapsed(object as Session) : object
    const payload = JSON.stringify({
      id: `evt_${++this.count}`,
      object: "event",
      type,
      created: Math.floor(at / 1000),
      data: { object: body }
    })
    const signature = this.signer.webhooks.generateTestHeaderString({
      payload,
      secret,
      timestamp: Math.floor(at / 1000)
    })
    return { payload, headers: { "stripe-signature": signature, "content-type": "application/json" } }
  }

  answer(method: string, url: URL, form: URLSearchParams, headers: IncomingMessage["headers"]): Answer {
    const path = url.pathname
    this.asked.push({ method, path, form })
    if (headers.authorization !== `Bearer ${secretKey}`)
      return fault(401, "invalid_request_error", "", `Invalid API Key provided: ${headers.authorization}`)
    if (method === "POST" && path === "/v1/checkout/sessions") return this.once(form, headers["idempotency-key"])
    const [, id] = /^\/v1\/checkout\/sessions\/(\w+)$/.exec(path) ?? []
    if (id !== undefined) {
      const session = this.sessions.get(id)
      if (session === undefined) return fault(404, "invalid_request_error", "resource_missing", `No such: ${id}`)
      const expanded = url.searchParams.getAll("expand[0]").concat(url.searchParams.getAll("expand[]"))
      return { status: 200, body: expanded.includes("payment_intent.latest_charge") ? session : collapsed(session) }
    }
    const payment_intent = url.searchParams.get("payment_intent")
    if (path === "/v1/checkout/sessions")
      return list(
        path,
        [...this.sessions.values()].filter((session) => session.payment_intent?.id === payment_intent).map(collapsed)
      )
    if (path === "/v1/disputes")
      return list(
        path,
        this.disputes.filter((dispute) => dispute.payment_intent === payment_intent)
      )
    return fault(404, "invalid_request_error", "", `Unrecognized request URL (${method}: ${path})`)
  }

  /** A repeated request with its key has the first answer; other parameters with the same key are refused. */
  private once(form: URLSearchParams, key: string | Array<string> | undefined): Answer {
    if (typeof key !== "string") return this.create(form)
    const before = this.answered.get(key)
    if (before !== undefined)
      return before.form === form.toString()
        ? before.answer
        : fault(400, "idempotency_error", "", "Keys for idempotent requests can only be used with the same parameters")
    const answer = this.create(form)
    this.answered.set(key, { form: form.toString(), answer })
    return answer
  }

  private create(form: URLSearchParams): Answer {
    const currency = form.get("line_items[0][price_data][currency]") ?? ""
    const amount = Number(form.get("line_items[0][price_data][unit_amount]"))
    if (!Number.isInteger(amount) || currency !== currency.toLowerCase())
      return fault(400, "invalid_request_error", "parameter_invalid_integer", "Invalid integer")
    if (amount > maximum) return fault(400, "invalid_request_error", "amount_too_large", "Amount must be no more than")
    if (currency === "ugx" && amount % 100 !== 0)
      return fault(400, "invalid_request_error", "invalid_amount", "UGX amounts are divisible by 100")
    const id = `cs_test_a${++this.count}`
    const session: Session = {
      id,
      object: "checkout.session",
      client_reference_id: form.get("client_reference_id") ?? "",
      amount_total: amount,
      currency,
      expires_at: Number(form.get("expires_at")),
      url: `https://checkout.stripe.com/c/pay/${id}`,
      metadata: { topup_id: form.get("metadata[topup_id]") ?? "" },
      status: "open",
      payment_status: "unpaid",
      payment_intent: null
    }
    this.sessions.set(id, session)
    return { status: 200, body: { ...session } }
  }
}

const read = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ""
  for await (const chunk of request) text += chunk
  return new URLSearchParams(text)
}

const serve = async (standIn: StripeStandIn, request: IncomingMessage, response: ServerResponse) => {
  const url = new URL(request.url ?? "/", "http://stripe")
  const form = await read(request)
  const next = standIn.next.shift()
  const answer = typeof next === "object" ? next : standIn.answer(request.method ?? "", url, form, request.headers)
  if (next === "cut") return void response.destroy()
  response
    .writeHead(answer.status, { "content-type": "application/json", "request-id": "req_1" })
    .end(JSON.stringify(answer.body))
}

/** Serves until the scope closes. Returns the options for the engine. */
export const stripeAt = (standIn: StripeStandIn) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((request, response) => void serve(standIn, request, response))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(
    Effect.map((server): StripeOptions => ({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      secret_key: Redacted.make(secretKey),
      webhook_secrets: [Redacted.make("whsec_rolled"), Redacted.make(webhookSecret)],
      return_url: "https://api.example.com/v1/ingest/card/return"
    }))
  )

/** An event of now, on the engine's clock. */
export const signedNow = (standIn: StripeStandIn, type: string, object: object) =>
  Effect.map(Clock.currentTimeMillis, (now) => standIn.event(type, object, now))
