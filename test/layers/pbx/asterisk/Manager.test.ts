import { assert, it } from "@effect/vitest"
import { registrationsIn } from "../../../../src/layers/pbx/asterisk/Manager.ts"

it("parses the states of outbound registrations", () => {
  const block = (event: string, name: string, status: string) =>
    `Event: ${event}\r\nObjectName: ${name}\r\nClientUri: sip:acme@example.net:5060\r\nStatus: ${status}\r\n`
  const text = [
    "Response: Success\r\nEventList: start\r\n",
    block("OutboundRegistrationDetail", "trunk-k.1", "Registered"),
    block("AuthDetail", "trunk-k.1", "x"),
    block("OutboundRegistrationDetail", "trunk-k.2", "Rejected"),
    "Event: OutboundRegistrationDetailComplete\r\n"
  ]
  assert.deepStrictEqual(
    [...registrationsIn(text.join("\r\n"))],
    [
      ["trunk-k.1", "Registered"],
      ["trunk-k.2", "Rejected"]
    ]
  )
})
