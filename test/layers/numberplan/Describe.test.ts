// What the numbering plans say of numbers, for lookups.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { NumberPlan } from "../../../src/domain/ports/numbers/NumberPlan.ts"
import type { NumberDescription } from "../../../src/domain/numbers/NumberDescription.ts"
import { layer as libPhoneNumber } from "../../../src/layers/numberplan/LibPhoneNumber.ts"

layer(libPhoneNumber)("the numbering plans", (it) => {
  it.effect.each<readonly [string, NumberDescription["kind"], boolean]>([
    ["+254711000001", "mobile", true],
    ["+254202345678", "landline", true],
    ["+254800723253", "toll_free", true],
    ["+254900223456", "premium", true],
    ["+27861123456", "company", true],
    ["+12025550123", "landline_or_mobile", true],
    ["+99900000011", "test", true],
    ["+254110", "unknown", false],
    ["no number", "unknown", false]
  ])("say of %s: %s", ([number, kind, valid]) =>
    Effect.gen(function* () {
      expect((yield* NumberPlan).describe(number)).toMatchObject({ kind, valid })
    })
  )

  it.effect("write a number as people do", () =>
    Effect.gen(function* () {
      expect((yield* NumberPlan).describe("+254711000001")).toStrictEqual({
        kind: "mobile",
        valid: true,
        national: "0711 000001",
        international: "+254 711 000001"
      })
    })
  )
})
