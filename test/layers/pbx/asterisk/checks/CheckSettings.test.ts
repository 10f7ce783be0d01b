// What is unsafe in an Asterisk's dialplan, where its interfaces listen, and its timers.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  bindFaults,
  dialplanFaults,
  settingsFaults,
  timerFaults
} from "../../../../../src/layers/pbx/asterisk/checks/CheckSettings.ts"
import { dialplanIn, outputIn } from "../../../../../src/layers/pbx/asterisk/ari/Manager.ts"

const contexts = { app: "trunkline", carriers: ["from-carrier", "carriers"], devices: ["from-user"], nobody: "nobody" }
const step = (context: string, application: string, data = "") => ({ context, application, arguments: data })
/** As `scripts/asterisk/configure` writes it. */
const safe = [
  step("from-carrier", "Stasis", "trunkline,inbound,carrier"),
  step("from-carrier", "Hangup"),
  step("from-user", "Stasis", "trunkline,inbound,user"),
  step("from-user", "Hangup"),
  step("other", "Dial", "PJSIP/1001"),
  step("other", "Stasis", "another,${EXTEN}"),
  // Asterisk makes this context itself for each application.
  step("stasis-trunkline", "Stasis", "trunkline")
]

describe("the dialplan", () => {
  it("is safe if it enters the application with fixed arguments", () =>
    assert.deepStrictEqual(dialplanFaults(safe, contexts), []))

  it.each<[string, ReturnType<typeof step>, RegExp]>([
    [
      "an argument that a caller writes",
      step("from-carrier", "Stasis", "trunkline,inbound,carrier,${EXTEN}"),
      /from-carrier has .*Write Stasis\(trunkline,inbound,carrier\), with no more/
    ],
    ["devices that count as the carrier", step("from-user", "stasis", "trunkline,inbound,carrier"), /inbound,user/],
    ["a carrier that counts as a device", step("carriers", "Stasis", "trunkline, inbound, user"), /inbound,carrier/],
    ["arguments of another context", step("other", "Stasis", "trunkline,inbound,${EXTEN}"), /The context other has/],
    ["a call without the engine", step("from-user", "Dial", "PJSIP/${EXTEN}@carrier"), /from-user has Dial/],
    ["a program", step("from-carrier", "AGI", "x"), /from-carrier has AGI/],
    ["calls in over the endpoint for SIP addresses", step("nobody", "NoOp"), /nobody .* has extensions/]
  ])("names %s", (_, added, expected) => {
    const faults = dialplanFaults([...safe, added], contexts)
    assert.lengthOf(faults, 1)
    assert.match(faults[0] ?? "", expected)
  })
})

const http = (at: string) => `HTTP Server Status:\nPrefix: \nServer Enabled and Bound to ${at}\n\nEnabled URI's:\n`
const manager = (at: string) => `  Web Manager (AMI/HTTP):    Yes            \n  TCP Bindaddress:           ${at}\n`

describe("the interfaces", () => {
  it.each([
    ["127.0.0.1:8088", "127.0.0.1:5038"],
    ["[::1]:8088", "Disabled       "],
    ["10.0.0.5:8088", "192.168.0.5:5038  "]
  ])("may listen at %s and %s", (ari, ami) => assert.deepStrictEqual(bindFaults(http(ari), manager(ami)), []))

  it.each([
    ["0.0.0.0:8088", "127.0.0.1:5038", /ARI listens at 0\.0\.0\.0 .*http\.conf/],
    ["[::]:8088", "127.0.0.1:5038", /ARI listens at \[::\]/],
    ["127.0.0.1:8088", "0.0.0.0:5038  ", /manager interface listens at 0\.0\.0\.0 .*manager\.conf/],
    ["8.8.8.8:8088", "127.0.0.1:5038", /ARI listens at 8\.8\.8\.8/]
  ])("may not listen at %s and %s", (ari, ami, expected) => {
    const faults = bindFaults(http(ari), manager(ami))
    assert.lengthOf(faults, 1)
    assert.match(faults[0] ?? "", expected)
  })
})

describe("the timers", () => {
  it.each([
    ["16000", []],
    ["500", []],
    ["32000", [/waits 32 s/]]
  ] as const)("timer_b of %s ms", (timer_b, expected) => {
    const faults = timerFaults(`System Settings:\n\n timer_b                     : ${timer_b}\n timer_t1 : 250\n`)
    assert.lengthOf(faults, expected.length)
    expected.forEach((each, place) => assert.match(faults[place] ?? "", each))
  })
})

describe("the settings of an Asterisk", () => {
  it.effect("are not judged where the manager's user may not read them", () =>
    Effect.gen(function* () {
      const silent = { dialplan: Effect.undefined, print: () => Effect.undefined }
      assert.deepStrictEqual(yield* settingsFaults(silent, contexts), [])
    })
  )

  it.effect("are all judged", () =>
    Effect.gen(function* () {
      const printed: Readonly<Record<string, string>> = {
        "http show status": http("0.0.0.0:8088"),
        "manager show settings": manager("0.0.0.0:5038"),
        "pjsip show settings": " timer_b : 32000\n"
      }
      const telling = {
        dialplan: Effect.succeed([step("from-user", "Dial")]),
        print: (command: string) => Effect.succeed(printed[command])
      }
      assert.lengthOf(yield* settingsFaults(telling, contexts), 4)
    })
  )

  it("are read from what the manager interface responds", () => {
    const event = (of: string, more: string) => `Event: ${of}\r\nContext: c\r\nExtension: _X.\r\n${more}`
    const text = [
      "Response: Success\r\nEventList: start\r\nMessage: DialPlan list will follow",
      event("ListDialplan", "Application: Stasis\r\nAppData: trunkline,inbound,user\r\nRegistrar: pbx_config"),
      event("ListDialplan", "IncludeContext: d"),
      "Event: ShowDialPlanComplete\r\nListItems: 1\r\n"
    ].join("\r\n\r\n")
    assert.deepStrictEqual(dialplanIn(text), [step("c", "Stasis", "trunkline,inbound,user")])
    assert.isUndefined(dialplanIn("Response: Error\r\nMessage: Permission denied\r\n"))
    const output =
      "Response: Success\r\nMessage: Command output follows\r\nOutput: a: b \r\nOutput: \r\nOutput: c\r\n\r\n"
    assert.strictEqual(outputIn(output), "a: b \n\nc")
    assert.isUndefined(outputIn("Response: Error\r\nMessage: Permission denied\r\n"))
  })
})
