import { expect, it } from "@effect/vitest"
import { default_policy } from "../../../src/domain/calls/CallingPolicy.ts"
import { authoriseSip, isSipUri } from "../../../src/domain/calls/SipDestination.ts"
import { numberId } from "../../support/Ids.ts"

const policy = { ...default_policy, sip_allowlist: ["pbx.example.com", "*.partner.example"] }
const extensions = [
  {
    credential_id: "c",
    extension: "1001",
    username: "acme-1001",
    number_id: numberId("n"),
    number: "+254700000001",
    display_name: null
  }
]
const refused = { ok: false, reason: "sip_not_allowed" }

it.each([
  ["sip:1001@anything.example", { ok: true, endpoint: "acme-1001" }],
  ["sips:1001@anything.example:5061", { ok: true, endpoint: "acme-1001" }],
  ["sip:1002@anything.example", refused],
  ["sip:1002@pbx.example.com", { ok: true }],
  ["sip:alice@PBX.example.com:5060", { ok: true }],
  ["sip:alice@a.b.partner.example", { ok: true }],
  ["sip:alice@partner.example", refused],
  ["sip:alice@evilpartner.example", refused],
  ["sip:alice@pbx.example.com.evil.example", refused],
  ["sip:10011@anything.example", refused]
])("%s", (uri, outcome) => expect(authoriseSip(uri, policy, extensions)).toEqual(outcome))

it("tells a SIP URI from a number", () => {
  expect(["sip:a@b", "sips:a@b", "+254700000001", "", "sip"].map(isSipUri)).toEqual([true, true, false, false, false])
})
