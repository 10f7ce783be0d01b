import { assert, describe, it } from "@effect/vitest"
import {
  addressKey,
  type ContactVerdict,
  judgeContact,
  mayBeDevice,
  oneForEach,
  readDeviceContact
} from "../../../src/domain/credentials/DeviceContact.ts"

const at = (transport: string, address: string, port: number) => ({ transport, address, port })

describe("a device's contact", () => {
  it.each<[string, object | undefined]>([
    ["sip:a@192.0.2.7:5060", at("udp", "192.0.2.7", 5060)],
    ["sip:192.0.2.7:5060", at("udp", "192.0.2.7", 5060)],
    ["sip:a@[2001:db8::7]:5060", at("udp", "2001:db8::7", 5060)],
    ["sip:a@192.0.2.7:5060;transport=UDP", at("udp", "192.0.2.7", 5060)],
    ["sip:a@192.0.2.7:40001;transport=TCP;ob", at("tcp", "192.0.2.7", 40_001)],
    ["sips:a@192.0.2.7:40001;transport=TLS", at("tls", "192.0.2.7", 40_001)],
    ["sip:a@127.0.0.1:40001;transport=ws;x-ast-orig-host=x7.invalid:0", at("ws", "127.0.0.1", 40_001)],
    ["sip:a@192.0.2.7:5060;x-ast-orig-host=10.0.0.5:5060;line=ab12", at("udp", "192.0.2.7", 5060)],
    ["sip:a@192.0.2.7:5060;rinstance=9f;user=phone;pn-provider=apns;pn-prid=x", at("udp", "192.0.2.7", 5060)],
    ["sip:a@192.0.2.7:5060;maddr=192.0.2.66", undefined],
    ["sip:a@192.0.2.7:5060;MADDR=192.0.2.66", undefined],
    ["sip:a@192.0.2.7:5060;m%61ddr=192.0.2.66", undefined],
    ["sip:a@192.0.2.7:5060?Route=%3Csip:192.0.2.66%3Blr%3E", undefined],
    ["sip:a@192.0.2.7:5060;ob?X=1", undefined],
    ["sip:a@192.0.2.7:5060;x-ast-txp=ws", undefined],
    ["sip:a@192.0.2.7:5060;lr", undefined],
    ["sip:a@192.0.2.7:5060;method=BYE", undefined],
    ["sip:a@192.0.2.7:5060;ttl=3", undefined],
    ["sip:a@192.0.2.7:5060;unheard-of", undefined],
    ["sip:a@192.0.2.7:5060;transport=sctp", undefined],
    ["sip:a@192.0.2.7:5060;transport", at("udp", "192.0.2.7", 5060)],
    ["sip:a@192.0.2.7:5060;transport=tcp;transport=udp", undefined],
    ["sips:a@192.0.2.7:5060;transport=tcp", undefined],
    ["sip:a@192.0.2.7", undefined],
    ["sip:a@host.example:5060", undefined],
    ["sip:a:password@192.0.2.7:5060", undefined],
    ["sip:a@192.0.2.7:0", undefined],
    ["sip:a@192.0.2.7:5060>,<sip:b@192.0.2.66:5060", undefined],
    ["sip:x&PJSIP/carrier/sip:b@192.0.2.66:5060", undefined],
    ["sip:a/b@192.0.2.66:5060", undefined],
    ["sip:a b@192.0.2.66:5060", undefined],
    ["tel:+254700000001", undefined]
  ])("%s", (uri, read) => {
    assert.deepStrictEqual(readDeviceContact(uri), read)
  })

  it("has one address, however it is written", () => {
    assert.strictEqual(
      addressKey({ address: "2001:db8::7", port: 5060 }),
      addressKey({ address: "2001:DB8:0::0:7", port: 5060 })
    )
    assert.notStrictEqual(addressKey({ address: "192.0.2.7", port: 1 }), addressKey({ address: "192.0.2.7", port: 2 }))
  })
})

const development = { allow_insecure: true, allow_private: true }
const production = { allow_insecure: false, allow_private: false }

describe("a device by UDP", () => {
  const platform = [
    { range: "9.9.9.0/28", port: undefined },
    { range: "8.8.8.8", port: 5060 },
    { range: "127.0.0.1", port: 15_080 },
    { range: "127.0.0.2", port: undefined }
  ]
  it.each([
    ["is where it wants to be", "9.9.9.99", 5060, production, true],
    ["is not at the carrier", "9.9.9.3", 40_000, production, false],
    ["is not at another port of the carrier", "8.8.8.8", 40_000, production, false],
    ["is not at the carrier, written as IPv6", "::ffff:8.8.8.8", 5060, production, false],
    ["is not on the PBX's machine", "127.0.0.1", 40_000, production, false],
    ["is not at a private address", "192.168.7.7", 5060, production, false],
    ["is at a private address of the operator's network", "10.0.0.7", 5060, production, true],
    ["is not at a special address", "169.254.169.254", 80, development, false],
    ["is on the PBX's machine in development", "127.0.0.1", 40_000, development, true],
    ["is not the carrier on the same machine", "127.0.0.1", 15_080, development, false],
    ["is at no port of a carrier that has all of them", "127.0.0.2", 40_000, development, false]
  ])("%s", (_, address, port, policy, may) => {
    assert.strictEqual(mayBeDevice({ address, port }, { policy, local: ["10.0.0.0/8"], platform }), may)
  })
})

describe("a registered contact", () => {
  const hosts = { policy: production, local: ["192.0.2.0/24"], platform: [] }
  it.each<[string, string, boolean, boolean, ContactVerdict]>([
    ["by UDP, from where the device has authenticated", "sip:a@192.0.2.7:5060", false, true, "called"],
    ["by UDP, from elsewhere", "sip:a@192.0.2.7:5060", false, false, "unproven"],
    ["by UDP at a private host", "sip:a@10.0.0.7:5060", false, true, "refused"],
    ["over the connection of its registration", "sip:a@192.0.2.7:40001;transport=TCP", true, false, "called"],
    ["over a connection of others", "sip:a@192.0.2.7:40001;transport=TCP", false, true, "refused"],
    ["over the gate's connection for another browser", "sip:a@127.0.0.1:40001;transport=ws", false, true, "refused"],
    ["that directs calls elsewhere", "sip:a@192.0.2.7:5060;maddr=192.0.2.66", false, true, "refused"]
  ])("%s", (_, uri, is_own_connection, has_sent, verdict) => {
    assert.strictEqual(
      judgeContact({ uri, is_own_connection }, hosts, () => has_sent),
      verdict
    )
  })

  it("is called once for each registration, where it lasts longest", () => {
    const contact = (uri: string, call_id: string, expires_at: number) => ({ uri, call_id, expires_at })
    const contacts = [
      contact("former port", "c1", 100),
      contact("present port", "c1", 200),
      contact("other phone", "c2", 50),
      contact("its second contact", "c2", 50),
      contact("unnamed", "", 1),
      contact("unnamed too", "", 1)
    ]
    assert.deepStrictEqual(
      oneForEach(contacts).map(({ uri }) => uri),
      ["present port", "other phone", "unnamed", "unnamed too"]
    )
  })
})
