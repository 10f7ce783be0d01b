import { expect, it } from "@effect/vitest"
import { default_policy } from "../../../../src/domain/calls/policy/CallingPolicy.ts"
import { authoriseSip, dialledUser, isSipUri, readSipUri } from "../../../../src/domain/calls/policy/SipDestination.ts"
import { extensionsBy } from "../../../../src/domain/credentials/Extension.ts"
import { credentialId, numberId } from "../../../support/Ids.ts"

const policy = { ...default_policy, sip_allowlist: ["pbx.example.com", "*.partner.example"] }
const extensions = extensionsBy([
  {
    credential_id: credentialId("c"),
    extension: "1001",
    username: "acme-1001",
    number_id: numberId("n"),
    number: "+254700000001",
    display_name: null
  }
])
const allowed = (user: string, host: string, port?: number) => ({
  ok: true,
  uri: { secure: false, user, host, port }
})
const refused = { ok: false, reason: "sip_not_allowed" }

it.each([
  ["sip:1001@anything.example", { ok: true, endpoint: "acme-1001" }],
  ["sips:1001@anything.example:5061", { ok: true, endpoint: "acme-1001" }],
  ["sip:1002@anything.example", refused],
  ["sip:1002@pbx.example.com", allowed("1002", "pbx.example.com")],
  ["sip:alice@PBX.example.com:5060", allowed("alice", "PBX.example.com", 5060)],
  ["sip:alice@a.b.partner.example", allowed("alice", "a.b.partner.example")],
  ["sip:alice@pbx.example.com;maddr=192.0.2.1", refused],
  ["sip:alice@pbx.example.com@evil.example", refused],
  ["sip:alice@pbx.example.com?Route=sip:evil.example", refused],
  ["sip:alice@partner.example", refused],
  ["sip:alice@evilpartner.example", refused],
  ["sip:alice@pbx.example.com.evil.example", refused],
  ["sip:10011@anything.example", refused]
])("%s", (uri, outcome) => expect(authoriseSip(uri, policy, extensions)).toEqual(outcome))

it("distinguishes a SIP URI from a number", () => {
  expect(["sip:a@b", "sips:a@b", "+254700000001", "", "sip"].map(isSipUri)).toEqual([true, true, false, false, false])
})

/** The texts and readings of the users of these URIs at a host. */
const userOf = (user: string) => {
  const uri = readSipUri(`sip:${user}@h.example`)
  return uri && dialledUser(uri)
}

it.each<[string, ReadonlyArray<string>]>([
  ["alice", []],
  ["2001", []],
  ["112", []],
  ["x254711000200", []],
  ["+254711000200", ["+254711000200"]],
  ["+882161234567;npdi", ["+882161234567"]],
  ["%2B882161234567", ["+882161234567"]],
  ["+88-216.123(4567)", ["+882161234567"]],
  ["00882161234567", ["00882161234567"]],
  ["882161234567", ["+882161234567", "882161234567"]],
  ["99%23882161234567", ["99#882161234567"]],
  ["*21*254711000200", ["*21*254711000200"]]
])("reads the user %s as the telephone numbers %j", (user, readings) =>
  expect(userOf(user)?.readings).toEqual(readings)
)

it.each(["112", "1%31%32", "112;x", "1-1-2"])("reads the user %s as 112", (user) =>
  expect(userOf(user)?.text).toBe("112")
)
