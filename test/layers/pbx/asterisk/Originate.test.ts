// Which endpoint an outbound leg is dialled over, and which caller ID it shows.
import { assert, describe, it } from "@effect/vitest"
import { channelRequest, endpointOf, formatCallerId } from "../../../../src/layers/pbx/asterisk/Originate.ts"

describe("an outbound leg", () => {
  const action = {
    kind: "originate",
    to: "+254711000200",
    from: "+254700000001",
    caller_id: "+254700000001",
    timeout_seconds: 30
  } as const

  it("uses the trunk that is named, or the carrier if none is", () => {
    assert.strictEqual(endpointOf({ ...action, trunk_id: "k.1" }, "carrier"), "PJSIP/+254711000200@trunk-k.1")
    assert.strictEqual(endpointOf(action, "carrier"), "PJSIP/+254711000200@carrier")
    assert.strictEqual(
      endpointOf({ ...action, to: "sip:desk@pbx.example.com", trunk_id: "k.1" }, "carrier"),
      "PJSIP/carrier/sip:desk@pbx.example.com"
    )
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
