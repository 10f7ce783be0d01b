// Stripe's API over real HTTP, as its documentation shows it: form-encoded requests, Idempotency-Key, payment pages,
// payments with their charge, refunds, disputes, and signed events.
import { Clock, Effect, Redacted } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Stripe } from "stripe"
import type { StripeOptions } from "../../src/layers/card/stripe/StripeClient.ts"
import type { Card, Charge, Dispute, Intent, Session } from "./StripeObjects.ts"

export const secretKey = "sk_test_51Mhunter2"
export const webhookSecret = "whsec_hunter2"

interface Answer {
  readonly status: number
  readonly body: unknown
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

/** Without its expanded members. */
const plain = (intent: Intent) => ({
  ...intent,
  payment_method: intent.payment_method?.id ?? null,
  latest_charge: intent.latest_charge.id
})

/** A session without its expanded members, as lists and events have it. */
const collapsed = (session: Session) => ({ ...session, payment_intent: session.payment_intent?.id ?? null })

export class StripeStandIn {
  /** Whether what is made from now on is of real money. */
  livemode = true
  readonly asked: Array<{ readonly method: string; readonly path: string; readonly form: URLSearchParams }> = []
  readonly sessions = new Map<string, Session>()
  readonly disputes: Array<Dispute> = []
  /** The charges of saved cards. */
  readonly intents: Array<Intent> = []
  /** How the bank answers the charge of a saved card: a decline code, or the status of a payment. Default: paid. */
  bank: "succeeded" | "processing" | "card_declined" | "insufficient_funds" | "authentication_required" = "succeeded"
  /** What happened, newest first: the events that `GET /v1/events` lists. */
  readonly log: Array<{
    readonly id: string
    readonly type: string
    readonly livemode: boolean
    readonly created: number
    readonly object: object
  }> = []
  /** Cards that no customer has any more. */
  readonly detached = new Set<string>()
  private readonly answered = new Map<string, { readonly form: string; readonly answer: Answer }>()
  private readonly signer = new Stripe(secretKey)
  /** Answers the next requests in this way: "cut" closes the connection after the request was carried out. */
  next: Array<"cut" | Answer> = []
  /** The same for the log of events, which the engine reads at intervals. */
  nextOfLog: Array<"cut" | Answer> = []
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
      livemode: this.livemode,
      amount_received: session.amount_total,
      currency: paid_in,
      metadata: session.metadata,
      latest_charge,
      status: "succeeded",
      customer: session.saves ? `cus_${this.count}` : null,
      payment_method: this.card(`pm_${this.count}`),
      setup_future_usage: session.saves ? "off_session" : null
    }
    session.status = "complete"
    session.payment_status = "paid"
    return session
  }

  private card(id: string): Card {
    return { id, object: "payment_method", type: "card", card: { brand: "visa", last4: "4242" } }
  }

  /** Charges a saved card, as `POST /v1/payment_intents` with `off_session` and `confirm` does. */
  private charge(form: URLSearchParams): Answer {
    const declined = (code: string, decline_code: string) => ({
      status: 402,
      body: { error: { type: "card_error", code, decline_code, message: "Your card was declined." } }
    })
    if (form.get("off_session") !== "true" || form.get("confirm") !== "true")
      return fault(400, "invalid_request_error", "parameter_missing", "Expected off_session and confirm")
    if (!form.get("customer")?.startsWith("cus_") || !form.get("payment_method")?.startsWith("pm_"))
      return fault(400, "invalid_request_error", "resource_missing", "No such payment method")
    if (this.detached.has(form.get("payment_method") ?? ""))
      return fault(400, "invalid_request_error", "resource_missing", "The payment method was detached from a Customer")
    const { bank } = this
    if (bank === "authentication_required") return declined("authentication_required", "authentication_required")
    if (bank !== "succeeded" && bank !== "processing") return declined("card_declined", bank)
    const id = `pi_3Off${String(++this.count).padStart(20, "x")}`
    const amount = Number(form.get("amount"))
    const currency = form.get("currency") ?? ""
    const intent: Intent = {
      id,
      object: "payment_intent",
      livemode: this.livemode,
      amount_received: amount,
      currency,
      metadata: { topup_id: form.get("metadata[topup_id]") ?? "" },
      customer: form.get("customer"),
      payment_method: this.card(form.get("payment_method") ?? ""),
      setup_future_usage: null,
      status: bank,
      latest_charge: {
        id: `ch_${this.count}`,
        object: "charge",
        amount,
        currency,
        payment_intent: id,
        amount_refunded: 0,
        disputed: false
      }
    }
    this.intents.push(intent)
    return { status: 200, body: plain(intent) }
  }

  /** `GET /v1/payment_methods/{id}`, and `POST` with `/detach`. */
  private paymentMethod(id: string, detach: boolean): Answer {
    if (!id.startsWith("pm_")) return fault(404, "invalid_request_error", "resource_missing", `No such: ${id}`)
    if (detach && this.detached.has(id))
      return fault(400, "invalid_request_error", "payment_method_not_attached", "It is not attached to a customer")
    if (detach) this.detached.add(id)
    return { status: 200, body: { ...this.card(id), customer: this.detached.has(id) ? null : "cus_1" } }
  }

  /** Something happens at Stripe, of which the log of events tells. The webhook of it may be lost. */
  record(type: string, object: object, at: number) {
    this.log.unshift({
      id: `evt_l${++this.count}`,
      type,
      livemode: this.livemode,
      created: Math.floor(at / 1000),
      object
    })
  }

  private events({ searchParams }: URL): Answer {
    const types = [...searchParams].flatMap(([name, value]) => (name.startsWith("types") ? [value] : []))
    const [from, to] = [Number(searchParams.get("created[gte]")), Number(searchParams.get("created[lte]"))]
    const found = this.log.filter(({ created, type }) => types.includes(type) && created >= from && created <= to)
    const begin = found.findIndex(({ id }) => id === searchParams.get("starting_after")) + 1
    const data = found.slice(begin, begin + Number(searchParams.get("limit") ?? 10))
    const shown = data.map(({ object, ...event }) => ({ ...event, object: "event", data: { object } }))
    const has_more = begin + data.length < found.length
    return { status: 200, body: { object: "list", url: "/v1/events", has_more, data: shown } }
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
      livemode: this.livemode,
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
    if (method === "POST" && path === "/v1/checkout/sessions")
      return this.once(form, headers["idempotency-key"], () => this.create(form))
    if (method === "POST" && path === "/v1/payment_intents")
      return this.once(form, headers["idempotency-key"], () => this.charge(form))
    if (path === "/v1/events") return this.events(url)
    const [, method_id, detach] = /^\/v1\/payment_methods\/(\w+)(\/detach)?$/.exec(path) ?? []
    if (method_id !== undefined) return this.paymentMethod(method_id, detach !== undefined && method === "POST")
    const [, intent_id] = /^\/v1\/payment_intents\/(\w+)$/.exec(path) ?? []
    if (intent_id !== undefined) {
      const intent = this.intents.find(({ id }) => id === intent_id)
      if (intent === undefined) return fault(404, "invalid_request_error", "resource_missing", `No such: ${intent_id}`)
      const expands = [...url.searchParams].some(
        ([name, value]) => name.startsWith("expand") && value === "latest_charge"
      )
      return { status: 200, body: expands ? intent : plain(intent) }
    }
    const [, id] = /^\/v1\/checkout\/sessions\/(\w+)$/.exec(path) ?? []
    if (id !== undefined) {
      const session = this.sessions.get(id)
      if (session === undefined) return fault(404, "invalid_request_error", "resource_missing", `No such: ${id}`)
      const expanded = [...url.searchParams].flatMap(([name, value]) => (name.startsWith("expand") ? [value] : []))
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
  private once(form: URLSearchParams, key: string | Array<string> | undefined, carryOut: () => Answer): Answer {
    if (typeof key !== "string") return carryOut()
    const before = this.answered.get(key)
    if (before !== undefined)
      return before.form === form.toString()
        ? before.answer
        : fault(400, "idempotency_error", "", "Keys for idempotent requests can only be used with the same parameters")
    const answer = carryOut()
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
      livemode: this.livemode,
      client_reference_id: form.get("client_reference_id") ?? "",
      amount_total: amount,
      currency,
      saves: form.get("payment_intent_data[setup_future_usage]") === "off_session",
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
  const next = (url.pathname === "/v1/events" ? standIn.nextOfLog : standIn.next).shift()
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
      return_url: "https://api.example.com/v1/ingest/card/return",
      live_only: false
    }))
  )

/** An event of now, on the engine's clock. */
export const signedNow = (standIn: StripeStandIn, type: string, object: object) =>
  Effect.map(Clock.currentTimeMillis, (now) => standIn.event(type, object, now))
