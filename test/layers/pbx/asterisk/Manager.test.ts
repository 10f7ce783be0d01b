import { assert, it } from "@effect/vitest"
import { hasOwnLogin, registrationsIn } from "../../../../src/layers/pbx/asterisk/Manager.ts"

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

it.each([
  ["the login of the user", "SuccessfulAuth", "AMI", "trunkline", true],
  ["the login of another user", "SuccessfulAuth", "AMI", "other", false],
  ["a device that authenticates under the same name", "SuccessfulAuth", "PJSIP", "trunkline", false],
  ["a failed login", "InvalidPassword", "AMI", "trunkline", false]
])("recognises among security events: %s", (_, event, service, account, is_own) => {
  const block = `Event: ${event}\r\nPrivilege: security,all\r\nService: ${service}\r\nAccountID: ${account}\r\n`
  const text = ["Response: Success\r\nMessage: Waiting for Event completed.\r\n", block, "Event: WaitEventComplete"]
  assert.strictEqual(hasOwnLogin(text.join("\r\n"), "trunkline"), is_own)
})
