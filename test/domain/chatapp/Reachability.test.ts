import { assert, describe, it } from "@effect/vitest"
import { type CallSettings, initialSettings } from "../../../src/domain/chatapp/CallSettings.ts"
import { receptionOf, takesMessage } from "../../../src/domain/chatapp/Reachability.ts"

const hours: CallSettings["call_hours"] = {
  status: "ENABLED",
  timezone_id: "Africa/Nairobi",
  weekly_operating_hours: [
    { day_of_week: "MONDAY", open_time: "0800", close_time: "1200" },
    { day_of_week: "MONDAY", open_time: "1300", close_time: "1700" },
    { day_of_week: "SUNDAY", open_time: "2200", close_time: "2359" }
  ],
  holiday_schedule: [
    { date: "2026-11-30", start_time: "1000", end_time: "1100" },
    { date: "2026-12-01", start_time: "0900", end_time: "1000" }
  ]
}
const settings: CallSettings = { ...initialSettings, status: "ENABLED", call_hours: hours }
const at = (local: string): number => Date.parse(`${local}:00+03:00`)

describe("the hours of a number", () => {
  it.each([
    ["2026-11-23T07:59", "closed"],
    ["2026-11-23T08:00", "open"],
    ["2026-11-23T12:00", "closed"],
    ["2026-11-23T16:59", "open"],
    ["2026-11-24T09:00", "closed"],
    ["2026-11-22T23:59", "open"],
    ["2026-11-23T00:00", "closed"],
    // A row of a date takes the place of the hours of its day.
    ["2026-11-30T09:00", "closed"],
    ["2026-11-30T10:30", "open"],
    ["2026-12-01T09:30", "open"]
  ])("make it %s %s", (local, expected) => assert.strictEqual(receptionOf(settings, at(local)).reachability, expected))

  it("follow the summer time of its zone", () => {
    const berlin = { ...settings, call_hours: { ...hours, timezone_id: "Europe/Berlin", holiday_schedule: [] } }
    assert.strictEqual(receptionOf(berlin, Date.parse("2026-07-06T06:00:00Z")).reachability, "open")
    assert.strictEqual(receptionOf(berlin, Date.parse("2026-12-07T06:59:00Z")).reachability, "closed")
    assert.strictEqual(receptionOf(berlin, Date.parse("2026-12-07T07:00:00Z")).reachability, "open")
  })

  it("do not count while they are off, and nothing counts before the first write or while calls are off", () => {
    const anytime = { ...settings, call_hours: { ...hours, status: "DISABLED" } }
    assert.strictEqual(receptionOf(anytime, at("2026-11-24T03:00")).reachability, "open")
    assert.deepStrictEqual(receptionOf(null, 0), { reachability: "off" })
    assert.deepStrictEqual(receptionOf({ ...anytime, status: "DISABLED" }, 0), { reachability: "off" })
  })
})

it("takes messages for the triggers that are set, while voicemail is on", () => {
  const voicemail = { ...initialSettings.voicemail, status: "ENABLED", triggers: ["busy"], timeout_seconds: 7 }
  const on = receptionOf({ ...settings, voicemail }, 0).voicemail
  assert.deepStrictEqual(on, { triggers: ["busy"], timeout_seconds: 7 })
  assert.deepStrictEqual(
    (["no_answer", "declined", "outside_hours", "busy"] as const).filter((trigger) => takesMessage(on, trigger)),
    ["busy"]
  )
  assert.isUndefined(receptionOf({ ...settings, voicemail: { ...voicemail, status: "DISABLED" } }, 0).voicemail)
})
