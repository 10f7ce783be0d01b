import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { NumberReading, ReadOptions } from "../../../src/domain/numbers/ReadNumber.ts"
import { NumberPlan } from "../../../src/domain/ports/numbers/NumberPlan.ts"
import { layer as libPhoneNumber } from "../../../src/layers/numberplan/LibPhoneNumber.ts"

const ok = (e164: string, country: string | null): NumberReading => ({ ok: true, e164, country })
const no = (reason: Extract<NumberReading, { ok: false }>["reason"], suggested_e164?: string): NumberReading => ({
  ok: false,
  reason,
  ...(suggested_e164 !== undefined && { suggested_e164 })
})

type Row = readonly [text: string, options: ReadOptions, NumberReading]

const from_kenya: ReadOptions = { default_country: "KE" }
const strict: ReadOptions = { default_country: "KE", strict: true }
const strict_test: ReadOptions = { strict: true, allow_test: true }

const exactly: ReadonlyArray<Row> = [
  ["+254712345678", strict, ok("+254712345678", "KE")],
  ["+256712345678", strict, ok("+256712345678", "UG")],
  ["+255712345678", strict, ok("+255712345678", "TZ")],
  ["+250720123456", strict, ok("+250720123456", "RW")],
  ["+27711234567", strict, ok("+27711234567", "ZA")],
  ["+233231234567", strict, ok("+233231234567", "GH")],
  ["+2348021234567", strict, ok("+2348021234567", "NG")],
  ["+12025550123", strict, ok("+12025550123", "US")],
  ["+390612345678", strict, ok("+390612345678", "IT")],
  ["+80012345678", strict, ok("+80012345678", null)],
  ["0712345678", strict, no("missing_country_code", "+254712345678")],
  ["254712345678", strict, no("missing_country_code", "+254712345678")],
  ["00254712345678", strict, no("missing_country_code", "+254712345678")],
  ["0712345678", { strict: true }, no("missing_country_code")],
  ["+254 712-345-678", strict, no("invalid_characters", "+254712345678")],
  ["(0712) 345.678", strict, no("invalid_characters", "+254712345678")],
  [" +254712345678", strict, no("invalid_characters", "+254712345678")],
  ["+254712345678\n", strict, no("invalid_characters", "+254712345678")],
  ["+2540712345678", strict, no("not_possible", "+254712345678")],
  ["+1-800-FLOWERS", strict, no("invalid_characters")],
  ["+254712345678;ext=1", strict, no("invalid_characters")],
  ["++254712345678", strict, no("invalid_characters")],
  ["sip:+254712345678@example.com", strict, no("invalid_characters")],
  ["", strict, no("empty")],
  ["+", strict, no("empty")],
  [" - ", strict, no("empty")],
  ["+254712", strict, no("too_short")],
  ["+2547123456789012", strict, no("too_long")],
  ["+".padEnd(65, "1"), strict, no("too_long")],
  ["+210712345678", strict, no("unknown_country_code")],
  ["+0712345678", strict, no("unknown_country_code")],
  ["+99900000001", strict, no("unknown_country_code")],
  ["+99900000001", strict_test, ok("+99900000001", null)],
  ["+9990000001", strict_test, no("too_short")],
  ["+999000000012", strict_test, no("too_long")],
  ["999 0000 0001", strict_test, no("invalid_characters", "+99900000001")]
]

const freely: ReadonlyArray<Row> = [
  ["+254712345678", from_kenya, ok("+254712345678", "KE")],
  ["0712 345 678", from_kenya, ok("+254712345678", "KE")],
  ["712345678", from_kenya, ok("+254712345678", "KE")],
  ["254712345678", from_kenya, ok("+254712345678", "KE")],
  ["00254 (712) 345-678", from_kenya, ok("+254712345678", "KE")],
  ["+254 (0) 712 345678", from_kenya, ok("+254712345678", "KE")],
  ["+2540712345678", from_kenya, ok("+254712345678", "KE")],
  ["\u202a+254\u00a0712\u2011345\u2013678\u202c", from_kenya, ok("+254712345678", "KE")],
  ["＋２５４７１２３４５６７８", from_kenya, ok("+254712345678", "KE")],
  ["+44 20 7183 8750", from_kenya, ok("+442071838750", "GB")],
  ["0044 20 7183 8750", from_kenya, ok("+442071838750", "GB")],
  ["256712345678", { default_country: "KE" }, ok("+256712345678", "UG")],
  ["254712345678", {}, ok("+254712345678", "KE")],
  // The length fits a Nigerian number, but no number in use begins with these digits.
  ["254712345678", { default_country: "NG" }, ok("+254712345678", "KE")],
  // In Germany the digits could also be a national number, so the text is ambiguous.
  ["254712345678", { default_country: "DE" }, no("missing_country_code")],
  ["0712345678", {}, no("missing_country_code")],
  ["0712345678", { default_country: "XX" }, no("unknown_country_code")],
  ["0712", from_kenya, no("too_short")],
  ["999", from_kenya, no("too_short")],
  ["0712345678901", from_kenya, no("too_long")],
  ["00210712345678", from_kenya, no("unknown_country_code")],
  ["call me", from_kenya, no("invalid_characters")],
  ["0712+345678", from_kenya, no("invalid_characters")],
  ["٠٧١٢", from_kenya, no("invalid_characters")]
]

layer(libPhoneNumber)("the numbering plans", (it) => {
  it.effect.each(exactly)("read %j strictly with %j", ([text, options, reading]) =>
    Effect.map(NumberPlan, (plan) => expect(plan.read(text, options)).toEqual(reading))
  )

  it.effect.each(freely)("read %j leniently with %j", ([text, options, reading]) =>
    Effect.map(NumberPlan, (plan) => expect(plan.read(text, options)).toEqual(reading))
  )

  it.effect("give the same result with and without a cached entry", () =>
    Effect.map(NumberPlan, (plan) => {
      const all = Array.from({ length: 25_000 }, (_, index) => `+2547${10_000_000 + index}`)
      for (const text of [...all, ...all]) expect(plan.read(text, strict)).toEqual(ok(text, "KE"))
    })
  )

  it.effect("suggest only numbers that they accept", () =>
    Effect.map(NumberPlan, (plan) => {
      for (const [text, options] of [...exactly, ...freely]) {
        const reading = plan.read(text, { ...options, strict: true })
        if (reading.ok || reading.suggested_e164 === undefined) continue
        expect(plan.read(reading.suggested_e164, { ...options, strict: true })).toMatchObject({
          ok: true,
          e164: reading.suggested_e164
        })
      }
    })
  )
})
