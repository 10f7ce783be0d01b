// Which configurations of an Asterisk are unsafe, and which hosts it reports as its own.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { examine } from "../../../../../src/layers/pbx/asterisk/checks/CheckAsterisk.ts"
import { makeWorld } from "../../../../support/AsteriskRegistry.ts"

type Objects = Readonly<Record<string, Readonly<Record<string, string>>>>

/** As `scripts/asterisk/configure` writes it, with a carrier that asks for a password. */
const safe: Objects = {
  "endpoint/carrier": { identify_by: "ip", aors: "carrier", outbound_auth: "carrier" },
  "endpoint/sip-uri": { identify_by: "ip", rewrite_contact: "true", outbound_auth: "", from_user: "", from_domain: "" },
  "endpoint/1001-ab": { identify_by: "username,auth_username", auth: "1001-ab" },
  "endpoint/trunk-k.1": { identify_by: "username,ip" },
  "auth/carrier": { realm: "carrier.example" },
  "aor/carrier": { contact: "sip:sip.carrier.example:5062;transport=tcp" },
  "identify/carrier": { match: "203.0.113.0/255.255.255.0,203.0.112.7:5060/255.255.255.255,!203.0.113.9" },
  "transport/udp": { bind: "192.0.2.1:5060", external_signaling_address: "198.51.100.1" }
}

const own = { bind: "192.0.2.1:5062", protocol: "udp" }
/** A carrier that trusts the address of Asterisk. */
const trusting = { identify_by: "ip", aors: "carrier", transport: "carrier" }

const examined = (change: Objects, sip_uris: string | null = "sip-uri") =>
  Effect.gen(function* () {
    const objects: Objects = { ...safe, ...change }
    const { ari } = yield* makeWorld((path) => {
      if (path === "/endpoints/PJSIP") {
        const names = Object.keys(objects).flatMap((name) => (name.startsWith("endpoint/") ? [name.slice(9)] : []))
        return { status: 200, body: names.map((resource) => ({ resource })) }
      }
      const found = objects[path.replace("/asterisk/config/dynamic/res_pjsip/", "")]
      if (path.startsWith("/asterisk/modules/")) {
        const status = objects[path.slice("/asterisk/".length)]?.["status"]
        return { status: status === undefined ? 404 : 200, body: { status } }
      }
      if (found === undefined) return { status: 404, body: {} }
      return { status: 200, body: Object.entries(found).map(([attribute, value]) => ({ attribute, value })) }
    })
    return yield* examine(ari, { carrier: "carrier", sip_uris: sip_uris ?? undefined })
  })

describe("the check of an Asterisk", () => {
  it.effect("finds nothing in a safe configuration, and reports the hosts of the carrier and of Asterisk", () =>
    Effect.gen(function* () {
      const { deviations, hosts } = yield* examined({})
      assert.deepStrictEqual(deviations, [])
      assert.deepStrictEqual(hosts, [
        "sip.carrier.example",
        "192.0.2.1",
        "198.51.100.1",
        "203.0.113.0/24",
        "203.0.112.7/32",
        "203.0.113.9"
      ])
    })
  )

  it.effect.each<[string, Objects, RegExp, string?]>([
    [
      "a carrier that is identified by its name",
      { "endpoint/carrier": { identify_by: "username,ip", outbound_auth: "carrier" } },
      /carrier has no auth/
    ],
    [
      "another endpoint without a password",
      { "endpoint/anonymous": { identify_by: "username" } },
      /anonymous has no auth/
    ],
    ["a carrier's password for any realm", { "auth/carrier": { realm: "" } }, /names no realm/],
    ["a carrier's password for the realm *", { "auth/carrier": { realm: "*" } }, /names no realm/],
    ["SIP addresses over the carrier's endpoint", {}, /an endpoint of its own/, "carrier"],
    ["a missing endpoint for SIP addresses", {}, /There is no endpoint other/, "other"],
    [
      "a password for SIP addresses",
      { "endpoint/sip-uri": { identify_by: "ip", rewrite_contact: "yes", outbound_auth: "carrier" } },
      /must not have outbound_auth/
    ],
    [
      "the carrier's identity for SIP addresses",
      { "endpoint/sip-uri": { identify_by: "ip", rewrite_contact: "yes", from_domain: "carrier.example" } },
      /must not have from_domain/
    ],
    [
      "contacts that are not rewritten",
      { "endpoint/sip-uri": { identify_by: "ip", rewrite_contact: "no" } },
      /rewrite_contact/
    ],
    [
      "a carrier that is anybody in a wide range",
      { "identify/carrier": { match: "203.0.113.0/255.255.255.0,192.0.0.0/255.0.0.0" } },
      /admits 192\.0\.0\.0\/255\.0\.0\.0/
    ],
    [
      "a carrier that is anybody in a wide range of IPv6",
      { "identify/carrier": { match: "2001:db8::/ffff::" } },
      /admits 2001/
    ],
    [
      "a carrier that trusts an address, at the port of tenants",
      { "endpoint/carrier": { ...trusting, transport: "udp" } },
      /trusts an address/
    ],
    [
      "a carrier that trusts an address, at any port",
      { "endpoint/carrier": { ...trusting, transport: "" } },
      /trusts an address/
    ],
    [
      "a carrier that trusts an address, at a port that another endpoint has too",
      {
        "endpoint/carrier": trusting,
        "transport/carrier": own,
        "aor/carrier": { contact: "sip:203.0.113.7" },
        "endpoint/other": trusting
      },
      /trusts an address/
    ],
    [
      "a carrier that trusts an address and is called by TCP from there",
      {
        "endpoint/carrier": trusting,
        "transport/carrier": { ...own, protocol: "tcp" },
        "aor/carrier": { contact: "sip:203.0.113.7;transport=tcp" }
      },
      /trusts an address/
    ],
    [
      "a call over the carrier that silence does not end",
      { "endpoint/carrier": { identify_by: "ip", outbound_auth: "carrier", rtp_timeout: "0" } },
      /Set rtp_timeout/
    ],
    [
      "sound of the carrier that passes by Asterisk",
      { "endpoint/carrier": { identify_by: "ip", outbound_auth: "carrier", direct_media: "true" } },
      /carrier needs direct_media = no/
    ],
    [
      "sound of SIP addresses that passes by Asterisk",
      { "endpoint/sip-uri": { identify_by: "ip", rewrite_contact: "yes", direct_media: "yes" } },
      /sip-uri needs direct_media = no/
    ],
    [
      "a device that names any caller",
      { "endpoint/1001-ab": { identify_by: "username", auth: "1001-ab", trust_id_inbound: "true" } },
      /1001-ab .* trust_id_inbound/
    ],
    ["transfers without the engine", { "modules/res_pjsip_refer.so": { status: "Running" } }, /res_pjsip_refer runs/],
    [
      "calls in over the endpoint for SIP addresses",
      { "identify/sip-uri": { match: "192.0.2.9" } },
      /must have no identify/
    ]
  ])("names %s", ([, change, expected, sip_uris]) =>
    Effect.map(examined(change, sip_uris), ({ deviations }) => {
      assert.lengthOf(deviations, 1)
      assert.match(deviations[0] ?? "", expected)
    })
  )

  it.effect.each<[string, Objects]>([
    ["a port of its own", { "transport/carrier": own, "aor/carrier": { contact: "sip:203.0.113.7" } }],
    [
      "an address of its own, by TCP",
      {
        "transport/carrier": { bind: "192.0.2.2:5060", protocol: "tcp" },
        "aor/carrier": { contact: "sip:203.0.113.7;transport=tcp" }
      }
    ]
  ])("lets a carrier trust %s", ([, change]) =>
    Effect.map(examined({ ...change, "endpoint/carrier": trusting }), ({ deviations }) =>
      assert.deepStrictEqual(deviations, [])
    )
  )

  it.effect("reports where Asterisk may send, and in which contexts calls come in", () =>
    Effect.gen(function* () {
      const { contexts, reach } = yield* examined({
        "endpoint/carrier": { identify_by: "ip", aors: "carrier", outbound_auth: "carrier", context: "in" },
        "transport/udp": { bind: "0.0.0.0:5060", local_net: "10.1.0.0/255.255.0.0" },
        "transport/udp6": { bind: "[::]:5060", local_net: "" }
      })
      assert.deepStrictEqual(contexts, { carrier: "in", sip_uris: undefined })
      assert.deepStrictEqual(reach, {
        endpoint: "sip-uri",
        binds: ["0.0.0.0", "::"],
        allowed: ["10.1.0.0/16", "sip.carrier.example", "203.0.113.0/24", "203.0.112.7/32", "203.0.113.9"]
      })
    })
  )

  it.effect("checks nothing of an endpoint for SIP addresses if there is none", () =>
    Effect.map(examined({ "identify/sip-uri": { match: "192.0.2.9" } }, null), ({ deviations }) =>
      assert.deepStrictEqual(deviations, [])
    )
  )
})
