// Which hosts that a workspace names a PBX may send SIP to.
import { expect, it } from "@effect/vitest"
import { type HostVerdict, judgeHost } from "../../../src/domain/targets/HostCheck.ts"

const strict = { allow_insecure: false, allow_private: false }
const others = ["Carrier.example", "203.0.114.0/28", "8.8.4.4", "2620:fe::/48"]

it.each<[string, ReadonlyArray<string>, HostVerdict]>([
  ["sip.example.com", ["8.8.8.8"], "allowed"],
  ["sip.example.com", ["8.8.8.8", "2606:4700::1"], "allowed"],
  ["sip.example.com", [], "unknown"],
  ["carrier.example", ["8.8.8.8"], "of_others"],
  ["CARRIER.example.", ["8.8.8.8"], "of_others"],
  ["alias.example.com", ["8.8.4.4"], "of_others"],
  ["alias.example.com", ["203.0.114.3"], "of_others"],
  ["alias.example.com", ["2620:fe::9"], "of_others"],
  ["alias.example.com", ["::ffff:8.8.4.4"], "not_public"],
  ["mixed.example.com", ["8.8.8.8", "8.8.4.4"], "of_others"],
  ["rebind.example.com", ["8.8.8.8", "127.0.0.1"], "not_public"],
  ["internal.example.com", ["10.0.0.5"], "not_public"],
  ["metadata.example.com", ["169.254.169.254"], "not_public"],
  ["127.0.0.1", ["127.0.0.1"], "not_public"],
  ["local6.example.com", ["::1"], "not_public"]
])("judges %s at %j as %s", (host, addresses, verdict) =>
  expect(judgeHost({ host, addresses }, strict, others)).toBe(verdict)
)

it("allows private hosts where the deployment does, but never special ones", () => {
  const policy = { allow_insecure: true, allow_private: true }
  expect(judgeHost({ host: "a.example", addresses: ["10.0.0.5"] }, policy, [])).toBe("allowed")
  expect(judgeHost({ host: "a.example", addresses: ["10.0.0.5"] }, policy, ["10.0.0.0/8"])).toBe("of_others")
  expect(judgeHost({ host: "a.example", addresses: ["169.254.169.254"] }, policy, [])).toBe("not_public")
})
