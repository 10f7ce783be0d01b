import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { MobileMoney } from "../../../../src/domain/ports/money/PaymentProvider.ts"
import * as Daraja from "../../../../src/layers/mobilemoney/daraja/Daraja.ts"
import { DarajaStandIn, darajaAt, fault } from "../../../support/DarajaStandIn.ts"
import { topUpId } from "../../../support/Ids.ts"
import { until } from "../../../support/Until.ts"

const optionsAt = (url: string) => ({
  url,
  consumer_key: "key",
  consumer_secret: Redacted.make("secret"),
  shortcode: "174379",
  passkey: Redacted.make("bfb279f9"),
  callbacks: "https://api.example.com/v1/ingest/mobilemoney",
  callback_secret: Redacted.make("s3cret")
})

const request = {
  topup_id: topUpId("0190f5fe-7c00-7a00-8000-0000000000ff"),
  amount_minor: 50_000,
  currency: "KES" as const,
  phone_e164: "+254708374149",
  account_ref: "4T7K2M9QX3",
  created_at: 0
}

const withDaraja = <A, E>(
  test: (standIn: DarajaStandIn, daraja: NonNullable<MobileMoney["Service"]["provider"]>) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const standIn = new DarajaStandIn()
    const url = yield* darajaAt(standIn)
    const context = yield* Layer.build(Daraja.layer(optionsAt(url)))
    return yield* Effect.flatMap(MobileMoney, ({ provider }) => test(standIn, provider!)).pipe(
      Effect.provideContext(context)
    )
  }).pipe(Effect.scoped)

describe("a prompt", () => {
  it.live("is signed, in shillings, with a callback URL", () =>
    withDaraja((standIn, { push }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* push(request), { _tag: "Accepted", request_id: "ws_CO_191220191020363925" })
        const { Password, Timestamp, ...rest } = standIn.of("/mpesa/stkpush/")[0]!.body
        assert.deepStrictEqual(rest, {
          BusinessShortCode: "174379",
          TransactionType: "CustomerPayBillOnline",
          Amount: 500,
          PartyA: "254708374149",
          PartyB: "174379",
          PhoneNumber: "254708374149",
          AccountReference: "4T7K2M9QX3",
          TransactionDesc: "Top-up",
          CallBackURL: `https://api.example.com/v1/ingest/mobilemoney/stk/s3cret/${request.topup_id}`
        })
        assert.match(String(Timestamp), /^\d{14}$/)
        assert.strictEqual(Buffer.from(String(Password), "base64").toString(), `174379bfb279f9${String(Timestamp)}`)
        const [token] = standIn.of("/oauth/v1/generate?grant_type=client_credentials")
        assert.strictEqual(token?.authorization, `Basic ${Buffer.from("key:secret").toString("base64")}`)
      })
    )
  )

  it.live("is refused with the provider's message", () =>
    withDaraja((standIn, { push }) =>
      Effect.gen(function* () {
        standIn.push = fault(400, "400.002.02", "Bad Request - Invalid PhoneNumber")
        assert.deepStrictEqual(yield* push(request), {
          _tag: "Refused",
          code: "provider_error",
          message: "Bad Request - Invalid PhoneNumber"
        })
        standIn.push = fault(
          500,
          "500.001.1001",
          "Unable to lock subscriber, a transaction is already in process for the current subscriber"
        )
        assert.deepInclude(yield* push(request), { _tag: "Refused", code: "payer_busy" })
        standIn.push = { status: 200, body: { ResponseCode: "17", ResponseDescription: "Duplicate" } }
        assert.deepInclude(yield* push(request), { _tag: "Refused", code: "duplicate_request" })
        standIn.token = fault(400, "400.008.01", "Invalid Authentication passed")
        standIn.expire()
        assert.deepInclude(yield* push(request), { _tag: "Refused", message: "Invalid Authentication passed" })
      })
    )
  )

  it.live("has an unknown outcome if the answer is cut off or missing", () =>
    withDaraja((standIn, { push, query }) =>
      Effect.gen(function* () {
        standIn.push = "cut"
        standIn.query = "cut"
        assert.strictEqual((yield* Effect.flip(push(request)))._tag, "ProviderUnanswered")
        assert.strictEqual((yield* Effect.flip(query(request, "ws")))._tag, "ProviderUnanswered")
        standIn.push = { status: 503, body: "Service Unavailable" }
        assert.strictEqual((yield* Effect.flip(push(request)))._tag, "ProviderUnanswered")
      })
    )
  )

  it.live("was certainly not sent if no server listens", () =>
    Effect.gen(function* () {
      const { provider } = yield* MobileMoney
      assert.deepInclude(yield* provider!.push(request), { _tag: "Refused", code: "provider_error" })
    }).pipe(Effect.provide(Daraja.layer(optionsAt("http://127.0.0.1:9"))))
  )
})

describe("a token", () => {
  it.live("is reused until it expires, renewed when refused, and requested once by concurrent callers", () =>
    withDaraja((standIn, { push }) =>
      Effect.gen(function* () {
        yield* Effect.forEach([1, 2, 3, 4], () => push(request), { concurrency: "unbounded" })
        assert.strictEqual(standIn.tokens, 1)
        standIn.expire()
        assert.strictEqual((yield* push(request))._tag, "Accepted")
        assert.strictEqual(standIn.tokens, 2)
        standIn.expires_in = "30"
        standIn.expire()
        yield* push(request)
        yield* push(request)
        assert.strictEqual(standIn.tokens, 4)
      })
    )
  )
})

describe("the outcome of a prompt", () => {
  it.live("is pending, paid without a receipt, or failed", () =>
    withDaraja((standIn, { query }) =>
      Effect.gen(function* () {
        const ended = (ResultCode: string, ResultDesc: string) => ({
          status: 200,
          body: { ResponseCode: "0", CheckoutRequestID: "ws", ResultCode, ResultDesc }
        })
        assert.deepStrictEqual(yield* query(request, "ws"), { _tag: "Pending" })
        standIn.query = ended("0", "The service request is processed successfully.")
        assert.deepStrictEqual(yield* query(request, "ws"), { _tag: "Paid", receipt: null, amount_minor: 50_000 })
        standIn.query = ended("1032", "Request cancelled by user")
        assert.deepStrictEqual(yield* query(request, "ws"), {
          _tag: "Failed",
          code: "cancelled_by_user",
          message: "Request cancelled by user"
        })
        standIn.query = ended("4999", "The transaction is still under processing")
        assert.deepStrictEqual(yield* query(request, "ws"), { _tag: "Pending" })
        standIn.query = fault(404, "404.001.01", "Resource not found")
        assert.strictEqual((yield* Effect.flip(query(request, "ws")))._tag, "ProviderUnanswered")
        assert.deepInclude(standIn.of("/mpesa/stkpushquery/")[0]!.body, {
          CheckoutRequestID: "ws",
          BusinessShortCode: "174379"
        })
      })
    )
  )
})

describe("the list of payments", () => {
  const row = (transactionId: string, amount: string) => ({
    transactionId,
    trxDate: "2020-08-05T10:13:00Z",
    msisdn: 722_000_000,
    sender: "MPESA",
    transactiontype: "c2b-pay-bill-debit",
    billreference: "37207636392",
    amount,
    organizationname: "Daraja Pull API Test"
  })

  it.live("is read to its end, each payment once, without invalid entries", () =>
    withDaraja((standIn, { payments }) =>
      Effect.gen(function* () {
        standIn.payments = [
          [row("OH541OWK8E", "168.00"), row("OH541OWK8F", "5")],
          [row("OH541OWK8G", "1.50"), row("bad receipt", "1")],
          [row("OH541OWK8H", "-1")]
        ]
        const found = yield* payments(Date.UTC(2020, 7, 4, 5, 36), Date.UTC(2020, 7, 6))
        assert.deepStrictEqual(
          found.map(({ amount_minor, receipt }) => [receipt, amount_minor]),
          [
            ["OH541OWK8E", 16_800],
            ["OH541OWK8F", 500],
            ["OH541OWK8G", 150]
          ]
        )
        assert.deepInclude(found[0], { account_ref: "37207636392", paid_at: Date.UTC(2020, 7, 5, 10, 13) })
        assert.deepInclude(standIn.of("/pulltransactions/")[0]!.body, {
          ShortCode: "174379",
          StartDate: "2020-08-04 08:36:00",
          OffSetValue: "0"
        })
      })
    )
  )
})

it.live("the URLs for payments are registered at the start", () =>
  withDaraja((standIn) =>
    until(
      "registration",
      Effect.sync(() => standIn.of("/mpesa/c2b/v2/registerurl")[0]?.body),
      (body) => body !== undefined
    ).pipe(
      Effect.map((body) =>
        assert.deepStrictEqual(body, {
          ShortCode: "174379",
          ResponseType: "Completed",
          ConfirmationURL: "https://api.example.com/v1/ingest/mobilemoney/c2b/confirmation/s3cret",
          ValidationURL: "https://api.example.com/v1/ingest/mobilemoney/c2b/validation/s3cret"
        })
      )
    )
  )
)
