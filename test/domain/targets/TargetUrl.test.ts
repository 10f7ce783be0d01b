import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { classify, parseIpv4, parseIpv6 } from "../../../src/domain/targets/AddressClass.ts"
import { targetUrl } from "../../../src/domain/targets/TargetUrl.ts"

describe("classes of addresses", () => {
  const table: Record<string, ReadonlyArray<string>> = {
    public: [
      "1.1.1.1",
      "8.8.8.8",
      "9.255.255.255",
      "11.0.0.0",
      "126.255.255.255",
      "128.0.0.0",
      "172.15.255.255",
      "172.32.0.0",
      "192.167.255.255",
      "192.169.0.0",
      "100.63.255.255",
      "100.128.0.0",
      "169.253.255.255",
      "223.255.255.255",
      "2606:4700:4700::1111",
      "2a00:1450:4001:82a::200e",
      "2001:200::1",
      "2003::1"
    ],
    private: [
      "10.0.0.0",
      "10.255.255.255",
      "127.0.0.1",
      "127.255.255.255",
      "172.16.0.0",
      "172.31.255.255",
      "192.168.0.0",
      "192.168.255.255",
      "::1",
      "fc00::",
      "fdff::1"
    ],
    special: [
      "0.0.0.0",
      "0.255.255.255",
      "100.64.0.0",
      "100.127.255.255",
      "168.63.129.16",
      "169.254.169.254",
      "192.0.0.8",
      "192.0.2.1",
      "192.31.196.1",
      "192.52.193.1",
      "192.88.99.1",
      "192.175.48.1",
      "198.18.0.0",
      "198.19.255.255",
      "198.51.100.1",
      "203.0.113.1",
      "224.0.0.1",
      "239.255.255.255",
      "240.0.0.0",
      "255.255.255.255",
      "::",
      "::ffff:8.8.8.8",
      "::8.8.8.8",
      "64:ff9b::8.8.8.8",
      "64:ff9b:1::1",
      "100::1",
      "2001::1",
      "2001:db8::1",
      "2002:808:808::1",
      "2620:4f:8000::1",
      "3fff::1",
      "4000::",
      "5f00::1",
      "fe80::1",
      "fe80::1%eth0",
      "fec0::1",
      "ff02::1",
      "fd00:ec2::254",
      "",
      "1.2.3",
      "1.2.3.4.5",
      "256.1.1.1",
      "1.2.3.4 ",
      "host",
      "1::2::3",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "g::1",
      "::1.2.3",
      "1:2:3:4:5:6:7::8"
    ]
  }
  for (const [expected, addresses] of Object.entries(table)) {
    for (const address of addresses)
      it(`${address || "nothing"} is ${expected}`, () => assert.strictEqual(classify(address), expected))
  }

  it("reads every spelling of an address as the same number", () => {
    assert.strictEqual(parseIpv4("1.2.3.4"), 0x01020304n)
    for (const text of ["::ffff:1.2.3.4", "::FFFF:102:304", "0:0:0:0:0:ffff:102:304", "0:0::ffff:1.2.3.4"]) {
      assert.strictEqual(parseIpv6(text), 0xffff01020304n, text)
    }
    assert.strictEqual(parseIpv6("2001:db8::"), 0x20010db8n << 96n)
  })
})

describe("target URLs", () => {
  const production = { allow_insecure: false, allow_private: false }
  const development = { allow_insecure: true, allow_private: true }
  const judge = (text: string, policy: typeof production) =>
    Result.match(targetUrl(text, policy), { onSuccess: () => "ok", onFailure: ({ reason }) => reason })

  const table: ReadonlyArray<readonly [string, string, string]> = [
    // url, in production, in development
    ["https://example.com/hook?a=b", "ok", "ok"],
    ["https://example.com:8443/", "ok", "ok"],
    ["https://8.8.8.8/", "ok", "ok"],
    ["https://example.com:0/", "malformed", "malformed"],
    ["https://8.8.8.8:00/", "malformed", "malformed"],
    ["https://example.com:65536/", "malformed", "malformed"],
    ["http://example.com/", "scheme_not_allowed", "ok"],
    ["https://localhost/", "ok", "ok"], // a name: checked when it is resolved
    ["https://127.0.0.1/", "private_address", "ok"],
    ["https://[::1]/", "private_address", "ok"],
    ["https://2130706433/", "private_address", "ok"],
    ["https://0x7f.1/", "private_address", "ok"],
    ["https://１２７.0.0.1/", "private_address", "ok"],
    ["https://169.254.169.254/", "private_address", "private_address"],
    ["https://[::ffff:127.0.0.1]/", "private_address", "private_address"],
    ["https://user@example.com/", "user_info", "user_info"],
    ["https://:pass@example.com/", "user_info", "user_info"],
    ["ftp://example.com/", "scheme_not_allowed", "scheme_not_allowed"],
    ["javascript:alert(1)", "scheme_not_allowed", "scheme_not_allowed"],
    ["example.com/hook", "malformed", "malformed"],
    ["https://", "malformed", "malformed"],
    ["https:///x", "malformed", "malformed"],
    ["https:example.com", "malformed", "malformed"],
    ["https:/example.com/hook", "malformed", "malformed"],
    ["https:\\\\example.com/hook", "malformed", "malformed"],
    ["https://?a=b", "malformed", "malformed"],
    ["https://#a", "malformed", "malformed"],
    ["", "malformed", "malformed"],
    [`https://example.com/${"a".repeat(2_048)}`, "too_long", "too_long"]
  ]
  for (const [url, strict, loose] of table) {
    it(`${url.slice(0, 40) || "nothing"}: ${strict}, ${loose}`, () => {
      assert.strictEqual(judge(url, production), strict)
      assert.strictEqual(judge(url, development), loose)
    })
  }
})
