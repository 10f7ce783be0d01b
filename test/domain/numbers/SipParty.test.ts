import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { calledNumbers, callerOf } from "../../../src/domain/numbers/SipParty.ts"
import { NumberPlan } from "../../../src/domain/ports/numbers/NumberPlan.ts"
import * as LibPhoneNumber from "../../../src/layers/numberplan/LibPhoneNumber.ts"

const { read } = Effect.runSync(Effect.provide(NumberPlan, LibPhoneNumber.layer))
const kenyan = "+254711000001"

describe("a caller is shown as", () => {
  it.each<[string, string, string, string?]>([
    ["E.164 as it is", kenyan, kenyan],
    ["E.164 without the plus", "254711000001", kenyan],
    ["00 and the number", "00254711000001", kenyan],
    ["national form of the called number's country", "0711000001", kenyan],
    ["national form without the trunk prefix", "711000001", kenyan],
    ["national form of another country", "0772123456", "+256772123456", "UG"],
    ["national form of North America", "(212) 555-1234", "+12125551234", "US"],
    ["the prefix 011 of North America", "011254711000001", kenyan, "US"],
    ["separators", "+254-711.000 001", kenyan],
    ["a tel URI", "tel:+254-711-000-001", kenyan],
    ["a tel URI with a context", "tel:0711000001;phone-context=+254", kenyan, "UG"],
    ["a SIP URI", "sip:+254711000001@carrier.example;user=phone", kenyan],
    ["an address with a name", '"Asha" <sip:0711000001@10.0.0.1>;tag=1', kenyan],
    ["parameters of the user", "+254711000001;npdi;rn=+254700000000", kenyan],
    ["an escaped plus", "%2B254711000001", kenyan],
    ["a password", "sip:254711000001:secret@carrier.example", kenyan],
    ["a test number", "99900000003", "+99900000003"],
    ["anonymous", "anonymous", "anonymous"],
    ["anonymous in another spelling", "Anonymous", "anonymous"],
    ["anonymous in a URI", "sip:+254711000001@anonymous.invalid", "anonymous"],
    ["restricted", "Restricted", "anonymous"],
    ["nothing", "", "anonymous"],
    ["a URI without a user", "sip:@carrier.example", "anonymous"],
    ["a user name", "sip:asha@carrier.example", "sip:asha@carrier.example"],
    ["a short code", "1001", "1001"],
    ["digits of no numbering plan", "0000000", "0000000"],
    ["a broken escape", "%E0%A4%A", "%E0%A4%A"],
    ["digits that no number has", "9".repeat(300), "9".repeat(300)]
  ])("%s", (_, text, shown, country = "KE") => {
    assert.strictEqual(callerOf(text, country, read), shown)
  })

  it("as it is in national form if no country is known", () => {
    assert.strictEqual(callerOf("0711000001", undefined, read), "0711000001")
  })

  it("in the time of a usual one, or some times that, however hostile", () => {
    const took = (text: string) => {
      const began = performance.now()
      for (let n = 0; n < 100; n++) callerOf(text, "KE", read)
      return performance.now() - began
    }
    // The shortest of several: the others were interrupted.
    const shortest = (text: string) => Math.min(...Array.from({ length: 5 }, () => took(text)))
    const usual = shortest("0711 000 001")
    for (const text of ["(".repeat(256), "<".repeat(256), ";phone-context=+1".repeat(15), "1 ".repeat(128)])
      assert.isBelow(shortest(text) / usual, 100, text)
  })
})

describe("a called number is read", () => {
  it.each<[string, string, ReadonlyArray<string>, ReadonlyArray<string>?]>([
    ["in E.164", kenyan, [kenyan]],
    ["without the plus", "254711000001", [kenyan]],
    ["with 00", "00254711000001", [kenyan]],
    ["in national form", "0711000001", [kenyan]],
    ["in the national forms of two countries", "0711000001", [kenyan, "+256711000001"], ["KE", "UG"]],
    ["in national form, if no country is known, as no number", "0711000001", [], []],
    ["with a trunk prefix after the country code", "+2540711000001", ["+2540711000001", kenyan]],
    ["of a ported subscriber (RFC 4694)", `${kenyan};npdi;rn=+254700000000`, [kenyan]],
    ["in a tel URI with a context", "tel:0711000001;phone-context=+256", ["+256711000001"]],
    ["in a To header", `"A" <sip:${kenyan}@192.0.2.1:5060>`, [kenyan]],
    ["with dashes", "+254-711-000-001", [kenyan]],
    ["without the plus although a national number looks the same", "12125551234", ["+12125551234"], ["US"]],
    ["of the test network", "99900000003", ["+99900000003"]],
    ["with a comma as no number", `${kenyan},192.0.2.3:5060`, []],
    ["of letters as no number", "trunkline", []],
    ["of endless digits as no number", "9".repeat(300), []],
    ["of nothing as no number", "", []]
  ])("%s", (_, text, numbers, countries = ["KE"]) => {
    assert.deepStrictEqual(calledNumbers(text, countries, read), numbers)
  })
})
