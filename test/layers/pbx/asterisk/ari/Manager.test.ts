import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import {
  hasOwnLogin,
  makeManager,
  registrationsHandledIn,
  registrationsIn,
  registrationsLeftIn
} from "../../../../../src/layers/pbx/asterisk/ari/Manager.ts"

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

it.each<[string, string, ReadonlyArray<readonly [string, number]>]>([
  ["a registration", " trunk-k.1/sip:192.0.2.9:5060   trunk-k.1   Registered        (exp. 107s)", [["trunk-k.1", 107]]],
  [
    "a longer URI",
    " trunk-k.1/sip:a.example:5060;transport=tcp;maddr=192.0.2.9  n/a  Registered  (exp. 3590s)",
    [["trunk-k.1", 3590]]
  ],
  ["one that is overdue", " trunk-k.1/sip:192.0.2.9:5060   trunk-k.1   Registered        (exp. 3s ago)", []],
  ["one that is not registered", " trunk-k.1/sip:192.0.2.9:5060   trunk-k.1   Unregistered      (exp. 9s)", []],
  ["one that was refused", " trunk-k.1/sip:192.0.2.9:5060   trunk-k.1   Rejected          (exp. 29s)", []],
  ["a host that imitates the status", " trunk-k.1/sip:Registered(exp.9s):5060   trunk-k.1   Rejected", []],
  ["a user without the right", "Message: Permission denied", []]
])("reads how long registrations last: %s", (_, line, expected) => {
  const text = ["Response: Success", "Message: Command output follows", "Output: ", `Output: ${line}`, "", ""].join(
    "\r\n"
  )
  assert.deepStrictEqual([...registrationsLeftIn(text)], expected)
})

it("reads how much is handled for each registration, also where it was replaced", () => {
  const line = (name: string, count: number) => `Output: ${name.padEnd(70)} ${count}          0          2        450`
  const text = [
    "Response: Success",
    "Message: Command output follows",
    "Output: Processor                      Processed   In Queue  Max Depth",
    line("pjsip/outreg/trunk-0199aaaa-bbbb-7ccc-8ddd-0123456789ab.5-0000004e", 839),
    line("pjsip/outreg/trunk-0199aaaa-bbbb-7ccc-8ddd-0123456789ab.5-00000050", 3),
    line("pjsip/outreg/trunk-k.1-00000052", 5),
    line("pjsip/distributor-00000020", 7),
    "Output: 4 taskprocessors",
    ""
  ].join("\r\n")
  assert.deepStrictEqual(
    [...registrationsHandledIn(text)],
    [
      ["trunk-0199aaaa-bbbb-7ccc-8ddd-0123456789ab.5", 842],
      ["trunk-k.1", 5]
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

it.live("collects events from when it is told to begin, in the session that is read later", () =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const server = createServer(({ headers, url = "" }, response) => {
      const query = new URL(url, "http://asterisk").searchParams
      asked.push([query.get("action"), query.get("events"), headers.cookie].filter(Boolean).join(" "))
      response.setHeader("set-cookie", `mansession_id="${asked.length}"; Version=1`)
      response.end("Response: Success\r\nEvent: SuccessfulAuth\r\n")
    }).listen(0, "127.0.0.1")
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
    yield* Effect.promise(() => once(server, "listening"))
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/ari`
    const manager = yield* makeManager({ url, app: "a", username: "u", password: Redacted.make("p") })
    yield* manager.beginEvents
    yield* manager.beginEvents
    assert.include(yield* manager.waitEvents, "SuccessfulAuth")
    assert.deepStrictEqual(asked, ["Login on", 'WaitEvent mansession_id="1"'])
  })
)
