// What is read of STIR/SHAKEN from the headers of an INVITE, which callers and networks write.
import { assert, describe, it } from "@effect/vitest"
import { type Attestation, type AttestingHeaders, readAttestation } from "../../../src/domain/pbx/Attestation.ts"

const none: AttestingHeaders = { asserted: undefined, from: undefined, indicator: undefined }
const read = (headers: Partial<AttestingHeaders>) => readAttestation({ ...none, ...headers })
const number = "+254722000001"
const behindHost = (verstat: string) => `<sip:${number}@198.51.100.7;user=phone;verstat=${verstat}>`
const identity = (verstat: string) => `<sip:${number};verstat=${verstat}@198.51.100.7;user=phone>`

describe("readAttestation", () => {
  it.each<[string, Attestation]>([
    ["TN-Validation-Passed", "passed"],
    ["TN-Validation-Passed-A", "A"],
    ["TN-Validation-Passed-B", "B"],
    ["TN-Validation-Passed-C", "C"],
    ["TN-Validation-Failed", "failed"],
    ["TN-Validation-Failed-A", "failed"],
    ["TN-Validation-Failed-B", "failed"],
    ["TN-Validation-Failed-C", "failed"],
    ["No-TN-Validation", "not_validated"],
    ["tn-validation-PASSED-b", "B"]
  ])("reads the verstat %s as %s", (verstat, attestation) => {
    assert.strictEqual(read({ asserted: identity(verstat) }), attestation)
    assert.strictEqual(read({ from: `"A" ${behindHost(verstat)};tag=1` }), attestation)
  })

  it.each([
    ["after the number", `<sip:${number};verstat=TN-Validation-Passed-B@198.51.100.7>`],
    ["after the host", `<sip:${number}@198.51.100.7:5060;user=phone;verstat=TN-Validation-Passed-B>`],
    ["after the brackets", `"Asha" <sip:${number}@198.51.100.7> ; verstat = TN-Validation-Passed-B;tag=1`],
    ["in a tel URI", `<tel:${number};verstat=TN-Validation-Passed-B>`],
    ["without brackets", `sip:${number}@198.51.100.7;verstat=TN-Validation-Passed-B`],
    ["of the first of two identities", `${identity("TN-Validation-Passed-B")}, <tel:${number}>`],
    ["of a caller without a number", "<sip:anonymous@anonymous.invalid;verstat=TN-Validation-Passed-B>"]
  ])("reads a verstat %s", (_, header) => assert.strictEqual(read({ asserted: header }), "B"))

  it.each([
    ["no verstat", `<sip:${number}@198.51.100.7>`],
    ["an unknown value", identity("TN-Validation-Passed-D")],
    ["an empty value", identity("")],
    ["a value with something behind it", identity("TN-Validation-Passed-A%20")],
    ["a quoted value", `<sip:${number}@198.51.100.7>;verstat="TN-Validation-Passed-A"`],
    ["another parameter that ends in verstat", `<sip:${number};xverstat=TN-Validation-Passed-A@198.51.100.7>`],
    ["it within another parameter", `<sip:${number}@198.51.100.7;x=verstat=TN-Validation-Passed-A>`],
    ["it in the name", `"A;verstat=TN-Validation-Passed-A" <sip:${number}@198.51.100.7>`],
    ["it in a name with an escaped quote", `"A\\";verstat=TN-Validation-Passed-A" <sip:${number}@198.51.100.7>`],
    ["an address in the name", `"<sip:a@b>;verstat=TN-Validation-Passed-A" <sip:${number}@198.51.100.7>`],
    ["it in a name without quotes", `A;verstat=TN-Validation-Passed-A <sip:${number}@198.51.100.7>`],
    ["a quote that does not end", `"A <sip:${number}@198.51.100.7;verstat=TN-Validation-Passed-A>`],
    ["a bracket that does not end", `<sip:${number}@198.51.100.7;verstat=TN-Validation-Passed-A`],
    ["two addresses in one", `<sip:a@b><sip:${number};verstat=TN-Validation-Passed-A@198.51.100.7>`],
    ["it escaped in the user", `<sip:${number}%3Bverstat=TN-Validation-Passed-A@198.51.100.7>`],
    ["it in the headers of the URI", `<sip:${number}@198.51.100.7?x=1;verstat=TN-Validation-Passed-A>`],
    ["it in the second of two identities", `<sip:${number}@198.51.100.7>, ${identity("TN-Validation-Passed-A")}`],
    ["a header that is too long", `<sip:${number}@198.51.100.7;x=${"x".repeat(1_024)};verstat=TN-Validation-Passed-A>`],
    ["nothing", ""]
  ])("reads nothing from %s", (_, header) => {
    assert.strictEqual(read({ asserted: header }), undefined)
    assert.strictEqual(read({ from: header }), undefined)
  })

  it.each<[string, ReadonlyArray<string>, Attestation | undefined]>([
    ["of two levels the lower one", ["TN-Validation-Passed-A", "TN-Validation-Passed-C"], "C"],
    ["a level that the network does not tell", ["TN-Validation-Passed-A", "TN-Validation-Passed"], "passed"],
    ["a missing validation", ["No-TN-Validation", "TN-Validation-Passed-A"], "not_validated"],
    ["a failed validation", ["TN-Validation-Passed-A", "TN-Validation-Failed", "No-TN-Validation"], "failed"],
    ["nothing beside an unknown value", ["TN-Validation-Passed-A", "Unknown"], undefined]
  ])("takes %s if a caller has added another verstat", (_, values, attestation) => {
    const [first = "", ...others] = values
    const added = others.map((value) => `;verstat=${value}`).join("")
    assert.strictEqual(read({ asserted: `<sip:${number};verstat=${first}@198.51.100.7>${added}` }), attestation)
    assert.strictEqual(read({ asserted: `<sip:${number}@198.51.100.7;verstat=${first}${added}>` }), attestation)
  })

  it.each<[string, Partial<AttestingHeaders>, Attestation | undefined]>([
    [
      "P-Asserted-Identity before From",
      { asserted: identity("TN-Validation-Failed"), from: behindHost("TN-Validation-Passed-A") },
      "failed"
    ],
    [
      "From, if P-Asserted-Identity names the same number and tells nothing",
      { asserted: `<tel:${number}>`, from: behindHost("TN-Validation-Passed-A") },
      "A"
    ],
    [
      "nothing of From, if P-Asserted-Identity names another number",
      { asserted: "<tel:+254722000002>", from: behindHost("TN-Validation-Passed-A") },
      undefined
    ],
    [
      "nothing after the number in From, which may be an escaped text of the caller",
      { from: identity("TN-Validation-Passed-A") },
      undefined
    ],
    [
      "a failed validation, wherever From has it",
      { from: `<sip:${number};verstat=TN-Validation-Failed@198.51.100.7;verstat=TN-Validation-Passed-A>` },
      "failed"
    ],
    ["no validation after the number in From", { from: identity("No-TN-Validation") }, "not_validated"],
    [
      "what is behind the host of From, whatever is before it",
      { from: `<sip:${number};verstat=TN-Validation-Passed-A@x@198.51.100.7;verstat=TN-Validation-Failed>` },
      "failed"
    ],
    [
      "the weaker level, if From has two",
      { from: `<sip:${number};verstat=TN-Validation-Passed-A@198.51.100.7;verstat=TN-Validation-Passed-C>` },
      "C"
    ],
    ["a tel URI of From", { from: `<tel:${number};verstat=TN-Validation-Passed-A>` }, "A"],
    [
      "nothing of From, if P-Asserted-Identity is no address",
      { asserted: "<", from: behindHost("TN-Validation-Passed-A") },
      undefined
    ]
  ])("takes %s", (_, headers, attestation) => assert.strictEqual(read(headers), attestation))

  it.each<[string, string, string | undefined, Attestation | undefined]>([
    ["adds its level to a validation that has passed", "TN-Validation-Passed", "B", "B"],
    ["may be written in lower case and with a semicolon", "TN-Validation-Passed", " c; ", "C"],
    ["changes no level", "TN-Validation-Passed-C", "A", "C"],
    ["does not mend a validation that has failed", "TN-Validation-Failed", "A", "failed"],
    ["does not stand for a validation", "No-TN-Validation", "A", "not_validated"],
    ["proves nothing without a verstat", "", "A", undefined],
    ["is ignored if it is no level", "TN-Validation-Passed", "AA", "passed"],
    ["is ignored if it is several", "TN-Validation-Passed", "A, B", "passed"]
  ])("P-Attestation-Indicator %s", (_, verstat, indicator, attestation) =>
    assert.strictEqual(read({ asserted: identity(verstat), indicator }), attestation)
  )
})
