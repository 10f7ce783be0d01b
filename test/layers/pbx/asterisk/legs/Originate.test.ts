// Which endpoint an outbound leg is dialled over, and which caller ID it shows.
import { assert, describe, it } from "@effect/vitest"
import { channelRequest, endpointOf, formatCallerId } from "../../../../../src/layers/pbx/asterisk/legs/Originate.ts"
import { pbxTrunkId } from "../../../../support/Ids.ts"

describe("an outbound leg", () => {
  const action = {
    kind: "originate",
    to: "+254711000200",
    from: "+254700000001",
    caller_id: "+254700000001",
    timeout_seconds: 30
  } as const

  const endpoints = { carrier: "carrier", sip_uris: "sip-uri" }

  it("uses the trunk that is named, or the carrier if none is", () => {
    assert.strictEqual(
      endpointOf({ ...action, trunk_id: pbxTrunkId("k.1") }, endpoints),
      "PJSIP/+254711000200@trunk-k.1"
    )
    assert.strictEqual(endpointOf(action, endpoints), "PJSIP/+254711000200@carrier")
  })

  it.each([
    ["sip:desk@pbx.example.com", "192.0.2.7", 5060, "sip:desk@pbx.example.com:5060;maddr=192.0.2.7"],
    ["sip:desk@pbx.example.com:5070", "192.0.2.7", 5070, "sip:desk@pbx.example.com:5070;maddr=192.0.2.7"],
    ["sip:desk@pbx.example.com", "2001:db8::7", 5060, "sip:desk@[2001:db8::7]:5060"],
    ["sips:desk@pbx.example.com", "192.0.2.7", 5061, "sips:desk@pbx.example.com:5061"],
    ["sip:a&b@pbx.example.com", "192.0.2.7", 5060, "sip:a%26b@pbx.example.com:5060;maddr=192.0.2.7"]
  ])("to %s at %s goes over the endpoint of SIP addresses and no trunk", (to, ip, port, uri) =>
    assert.strictEqual(
      endpointOf({ ...action, to, trunk_id: pbxTrunkId("k.1"), address: { ip, port } }, endpoints),
      `PJSIP/sip-uri/${uri}`
    )
  )

  it("to a SIP address is not placed if its address is unknown or there is no endpoint for it", () => {
    const to = "sip:a@b.example"
    assert.isUndefined(endpointOf({ ...action, to }, endpoints))
    const address = { ip: "192.0.2.7", port: 5060 }
    assert.isUndefined(endpointOf({ ...action, to, address }, { ...endpoints, sip_uris: undefined }))
  })

  it.each([
    [undefined, "+254712345678", "+254712345678"],
    ["e164", "+254712345678", "+254712345678"],
    ["digits", "+254712345678", "254712345678"],
    ["national", "+254712345678", "0712345678"],
    ["national", "+12015550123", "2015550123"],
    ["national", "+99900000001", "+99900000001"]
  ])("with the caller ID format %s shows %s as %s", (format, number, shown) => {
    assert.strictEqual(formatCallerId(format, number), shown)
    const wish = { app: "a", channel: "HD_a", endpoint: "e", tenant_pbx_id: "t1", format }
    const { variables } = channelRequest(wish, { ...action, caller_id: number, caller_name: "Acme" })
    assert.deepInclude(variables, {
      "CALLERID(all)": `"Acme" <${shown}>`,
      "CONNECTEDLINE(all,i)": `"Acme" <${shown}>`
    })
  })
})
