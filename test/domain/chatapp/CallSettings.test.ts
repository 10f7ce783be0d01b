import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import {
  CallSettings,
  CallSettingsRequest,
  initialSettings,
  settingsOf
} from "../../../src/domain/chatapp/CallSettings.ts"

const monday = { day_of_week: "MONDAY", open_time: "0900", close_time: "1200" }
const newYear = { date: "2027-01-01", start_time: "0000", end_time: "2359" }
const settings = {
  ...initialSettings,
  status: "ENABLED",
  call_icons: { restrict_to_user_countries: ["KE", "UG"] },
  call_hours: {
    status: "ENABLED",
    timezone_id: "Africa/Nairobi",
    weekly_operating_hours: [
      monday,
      { ...monday, open_time: "1200", close_time: "1700" },
      { ...monday, day_of_week: "SUNDAY" }
    ],
    holiday_schedule: [newYear]
  },
  voicemail: { status: "ENABLED", triggers: ["no_answer", "busy"], announcement_media_id: 17, timeout_seconds: 60 },
  audio_additional_codecs: ["PCMA", "PCMU"]
}
const hours = (change: object) => ({ call_hours: { ...settings.call_hours, ...change } })
const week = (...weekly_operating_hours: ReadonlyArray<object>) => hours({ weekly_operating_hours })
const holidays = (...holiday_schedule: ReadonlyArray<object>) => hours({ holiday_schedule })
const voicemail = (change: object) => ({ voicemail: { ...settings.voicemail, ...change } })

const decode = Schema.decodeUnknownResult(CallSettingsRequest)
const read = (document: unknown) => settingsOf(Result.getOrThrow(decode(document)))

describe("call settings", () => {
  it("are accepted unchanged if they follow the provider's rules", () => {
    assert.deepStrictEqual(Result.getOrThrow(read(settings)), settings)
    assert.isTrue(Result.isSuccess(read(initialSettings)))
  })

  it("name no announcement with the number 0, before the first write and where null is written", () => {
    assert.strictEqual(initialSettings.voicemail.announcement_media_id, 0)
    const written = Result.getOrThrow(read({ ...settings, ...voicemail({ announcement_media_id: null }) }))
    assert.strictEqual(written.voicemail.announcement_media_id, 0)
    const shown = Schema.decodeUnknownResult(CallSettings)({
      ...settings,
      ...voicemail({ announcement_media_id: null })
    })
    assert.isTrue(Result.isFailure(shown))
  })

  it.each([
    [{ status: "enabled" }, "/status"],
    [{ call_icon_visibility: "HIDE" }, "/call_icon_visibility"],
    [{ call_icons: { restrict_to_user_countries: ["KE", "Kenya"] } }, "/call_icons/restrict_to_user_countries/1"],
    [hours({ status: "" }), "/call_hours/status"],
    [hours({ timezone_id: "Nairobi" }), "/call_hours/timezone_id"],
    [hours({ timezone_id: "" }), "/call_hours/timezone_id"],
    [week({ ...monday, day_of_week: "monday" }), "/call_hours/weekly_operating_hours/0/day_of_week"],
    [week({ ...monday, open_time: "9:00" }), "/call_hours/weekly_operating_hours/0/open_time"],
    [week({ ...monday, close_time: "2400" }), "/call_hours/weekly_operating_hours/0/close_time"],
    [week({ ...monday, close_time: "0900" }), "/call_hours/weekly_operating_hours/0/close_time"],
    [week(monday, { ...monday, open_time: "1159", close_time: "1300" }), "/call_hours/weekly_operating_hours/1"],
    [
      week(
        monday,
        { ...monday, open_time: "1300", close_time: "1400" },
        { ...monday, open_time: "1500", close_time: "1600" }
      ),
      "/call_hours/weekly_operating_hours/2"
    ],
    [week(...Array.from({ length: 15 }, () => monday)), "/call_hours/weekly_operating_hours"],
    [holidays({ ...newYear, date: "2027-02-29" }), "/call_hours/holiday_schedule/0/date"],
    [holidays({ ...newYear, date: "1.1.2027" }), "/call_hours/holiday_schedule/0/date"],
    [holidays({ ...newYear, start_time: "2359" }), "/call_hours/holiday_schedule/0/end_time"],
    [holidays(newYear, newYear), "/call_hours/holiday_schedule/1/date"],
    [holidays({ ...newYear, open_time: "0000" }), "/call_hours/holiday_schedule/0/open_time"],
    [holidays({ ...newYear, close_time: "0000" }), "/call_hours/holiday_schedule/0/close_time"],
    [
      holidays(
        ...Array.from({ length: 21 }, (_, day) => ({ ...newYear, date: `2027-03-${String(day + 1).padStart(2, "0")}` }))
      ),
      "/call_hours/holiday_schedule"
    ],
    [{ callback_permission_status: "YES" }, "/callback_permission_status"],
    [voicemail({ status: "on" }), "/voicemail/status"],
    [voicemail({ announcement_media_id: -1 }), "/voicemail/announcement_media_id"],
    [voicemail({ triggers: ["no_answer", "away"] }), "/voicemail/triggers/1"],
    [voicemail({ triggers: ["busy", "busy"] }), "/voicemail/triggers"],
    [voicemail({ timeout_seconds: 4 }), "/voicemail/timeout_seconds"],
    [voicemail({ timeout_seconds: 61 }), "/voicemail/timeout_seconds"],
    [{ audio_additional_codecs: ["OPUS"] }, "/audio_additional_codecs/0"]
  ])("with %o are refused at %s", (change, field) => {
    const { _tag, details } = Result.getOrThrow(Result.flip(read({ ...settings, ...change })))
    assert.deepStrictEqual([_tag, details?.[0]?.field], ["chatapp.settings_invalid", field])
  })

  it.each(Object.keys(settings))("without %s are refused", (name) => {
    const { [name as keyof typeof settings]: _, ...rest } = settings
    assert.isTrue(Result.isFailure(decode(rest)))
  })
})
