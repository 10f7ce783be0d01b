import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Catalog } from "../../../src/domain/errors/Catalog.ts"
import { toEnvelope } from "../../../src/domain/errors/Envelope.ts"
import { Failure } from "../../../src/domain/errors/Failure.ts"
import { FailureFromWire } from "../../../src/domain/errors/FailureFromWire.ts"
import { IdempotencyInProgress, InternalError, NotFound } from "../../../src/domain/errors/GeneralErrors.ts"
import { WalletInsufficientFunds } from "../../../src/domain/errors/WalletErrors.ts"

const full = {
  message: "The call costs 400, and 120 are available.",
  details: [{ field: "/to", code: "too_dear", message: "Choose another." }],
  resolution: "Top up by 280.",
  reason: "balance",
  suggested_e164: "+254700000001",
  retry_after_seconds: 7
}

describe("Failure", () => {
  it.effect("can be caught by its code and has the code's message", () =>
    Effect.gen(function* () {
      const caught = yield* Effect.gen(function* () {
        return yield* new WalletInsufficientFunds({ reason: "balance" })
      }).pipe(Effect.catchTag("wallet.insufficient_funds", (failure) => Effect.succeed(failure)))
      assert.instanceOf(caught, WalletInsufficientFunds)
      assert.instanceOf(caught, Failure)
      assert.instanceOf(caught, Error)
      assert.strictEqual(caught.message, WalletInsufficientFunds.summary)
      assert.strictEqual(caught.resolution, WalletInsufficientFunds.resolution)
      assert.strictEqual(caught.reason, "balance")
      assert.strictEqual(String(caught), `wallet.insufficient_funds: ${WalletInsufficientFunds.summary}`)
    })
  )

  it("has its code's message by default", () => {
    assert.strictEqual(new IdempotencyInProgress().retry_after_seconds, 1)
    const { message, resolution, retry_after_seconds } = new IdempotencyInProgress(full)
    assert.deepStrictEqual([message, resolution, retry_after_seconds], [full.message, full.resolution, 7])
  })
})

describe("toEnvelope", () => {
  it("sends every field but those for the header and the log", () => {
    const failure = new WalletInsufficientFunds({ ...full, cause: new Error("select balance from wallets") })
    const { retry_after_seconds: _, ...sent } = full
    assert.deepStrictEqual(toEnvelope(failure, "req_1"), {
      error: {
        code: "wallet.insufficient_funds",
        request_id: "req_1",
        doc_url: "/docs/errors#wallet.insufficient_funds",
        ...sent
      }
    })
  })

  it("leaves out what is absent", () => {
    assert.deepStrictEqual(toEnvelope(new NotFound(), "req_1"), {
      error: { code: "not_found", message: NotFound.summary, request_id: "req_1", doc_url: "/docs/errors#not_found" }
    })
  })
})

describe("FailureFromWire", () => {
  const codec = Schema.fromJsonString(FailureFromWire)

  it.effect("carries every failure of the catalogue between processes", () =>
    Effect.gen(function* () {
      for (const Declared of Catalog.values()) {
        for (const sent of [new Declared(), new Declared(full)]) {
          const received = yield* Effect.flatMap(Schema.encodeEffect(codec)(sent), Schema.decodeEffect(codec))
          assert.instanceOf(received, Declared)
          assert.deepStrictEqual({ ...received }, { ...sent })
        }
      }
    })
  )

  it.effect("does not send the cause", () =>
    Effect.gen(function* () {
      const sent = new InternalError({ cause: new Error("secret") })
      assert.notInclude(yield* Schema.encodeEffect(codec)(sent), "secret")
    })
  )

  it.effect("turns an unknown code into an internal error", () =>
    Effect.gen(function* () {
      const received = yield* Schema.decodeUnknownEffect(FailureFromWire)({ code: "calls.from_tomorrow", message: "m" })
      assert.instanceOf(received, InternalError)
    })
  )
})
