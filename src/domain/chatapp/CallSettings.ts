// The call settings of a number in the chat app (docs/chat-app.md; the provider's "Configure call settings").
import { Result, Schema } from "effect"
import { ChatAppSettingsInvalid } from "../errors/ChatAppErrors.ts"
import type { Detail } from "../errors/Failure.ts"

const Text = Schema.String.check(Schema.isMaxLength(128))
const Texts = Schema.Array(Text).check(Schema.isMaxLength(300))

const WeeklyHours = Schema.Struct({
  day_of_week: Text.annotate({ description: "MONDAY to SUNDAY." }),
  open_time: Text.annotate({ description: "HHMM." }),
  close_time: Text.annotate({ description: "HHMM, after `open_time`." })
})

const Holiday = Schema.Struct({
  date: Text.annotate({ description: "YYYY-MM-DD." }),
  start_time: Text.annotate({ description: "HHMM." }),
  end_time: Text.annotate({ description: "HHMM, after `start_time`." })
})

const OnOff = Text.annotate({ description: "ENABLED or DISABLED." })

const hours = {
  status: OnOff,
  timezone_id: Text.annotate({ description: "A time zone of the IANA database." }),
  weekly_operating_hours: Schema.Array(WeeklyHours).check(Schema.isMaxLength(100))
}

/** The provider's id of a recording, or 0. */
const MediaId = Schema.Int.annotate({ description: "The provider's id of the recording that is played; 0: none." })

const voicemail = {
  status: OnOff,
  triggers: Texts.annotate({ description: "Any of no_answer, declined, outside_hours, busy." }),
  timeout_seconds: Schema.Int.annotate({ description: "5 to 60." })
}

/** All settings. The schema checks their shape; `settingsOf` checks their values. */
export const CallSettings = Schema.Struct({
  status: OnOff,
  call_icon_visibility: Text.annotate({ description: "DEFAULT or DISABLE_ALL." }),
  call_icons: Schema.Struct({
    restrict_to_user_countries: Texts.annotate({
      description: "ISO 3166-1 alpha-2 codes; empty: shown in all countries."
    })
  }),
  call_hours: Schema.Struct({ ...hours, holiday_schedule: Schema.Array(Holiday).check(Schema.isMaxLength(100)) }),
  callback_permission_status: OnOff,
  voicemail: Schema.Struct({ ...voicemail, announcement_media_id: MediaId }),
  audio_additional_codecs: Texts.annotate({ description: "Any of PCMA, PCMU." })
}).annotate({ identifier: "ChatAppCallSettings" })
export type CallSettings = typeof CallSettings.Type

/** The document does not show it (TidyDocument.ts). */
const refused = Schema.optionalKey(Schema.Unknown).annotateKey({
  description: "Not allowed: a holiday has `start_time` and `end_time`."
})

/** The body of a write. It also declares members that are refused with a precise error. */
export const CallSettingsRequest = Schema.Struct({
  ...CallSettings.fields,
  call_hours: Schema.Struct({
    ...hours,
    holiday_schedule: Schema.Array(Schema.Struct({ ...Holiday.fields, open_time: refused, close_time: refused })).check(
      Schema.isMaxLength(100)
    )
  }),
  voicemail: Schema.Struct({
    ...voicemail,
    announcement_media_id: Schema.NullOr(MediaId).annotate({ description: "The same as in a reading; null is 0." })
  })
}).annotate({ identifier: "ChatAppCallSettingsRequest" })
export type CallSettingsRequest = typeof CallSettingsRequest.Type

/** The settings before the first write. */
export const initialSettings: CallSettings = {
  status: "DISABLED",
  call_icon_visibility: "DEFAULT",
  call_icons: { restrict_to_user_countries: [] },
  call_hours: { status: "DISABLED", timezone_id: "UTC", weekly_operating_hours: [], holiday_schedule: [] },
  callback_permission_status: "DISABLED",
  voicemail: { status: "DISABLED", triggers: [], announcement_media_id: 0, timeout_seconds: 30 },
  audio_additional_codecs: []
}

const onOff = ["ENABLED", "DISABLED"]
const days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]
const maxWeekly = 14
const maxPerDay = 2
const maxHolidays = 20

const isTime = (text: string): boolean => /^([01]\d|2[0-3])[0-5]\d$/.test(text)

const isDate = (text: string): boolean => {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text)
}

const isZone = (text: string): boolean => {
  try {
    return text !== "" && Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== ""
  } catch {
    return false
  }
}

const fault = (field: string, message: string, code = "invalid"): Detail => ({ field, code, message })

const oneOf = (field: string, value: string, allowed: ReadonlyArray<string>): ReadonlyArray<Detail> =>
  allowed.includes(value) ? [] : [fault(field, `Expected one of ${allowed.join(", ")}.`)]

const allOf = (field: string, values: ReadonlyArray<string>, allowed: ReadonlyArray<string>): ReadonlyArray<Detail> => [
  ...values.flatMap((value, index) => oneOf(`${field}/${index}`, value, allowed)),
  ...(new Set(values).size === values.length ? [] : [fault(field, "A value is repeated.", "duplicate")])
]

const span = (field: string, from: readonly [string, string], to: readonly [string, string]): ReadonlyArray<Detail> => {
  const wrong = [from, to]
    .filter(([, time]) => !isTime(time))
    .map(([name]) => fault(`${field}/${name}`, "Expected a time as HHMM."))
  return wrong.length > 0 || from[1] < to[1]
    ? wrong
    : [fault(`${field}/${to[0]}`, `${to[0]} must be after ${from[0]}.`)]
}

const weeklyFaults = (rows: CallSettings["call_hours"]["weekly_operating_hours"]): ReadonlyArray<Detail> => {
  const field = "/call_hours/weekly_operating_hours"
  const faults: Array<Detail> = rows.length > maxWeekly ? [fault(field, `At most ${maxWeekly} rows.`, "too_many")] : []
  for (const [index, { close_time, day_of_week, open_time }] of rows.entries()) {
    faults.push(...oneOf(`${field}/${index}/day_of_week`, day_of_week, days))
    faults.push(...span(`${field}/${index}`, ["open_time", open_time], ["close_time", close_time]))
    const before = rows.slice(0, index).filter((row) => row.day_of_week === day_of_week)
    if (before.length === maxPerDay)
      faults.push(fault(`${field}/${index}`, `At most ${maxPerDay} rows a day.`, "too_many"))
    if (before.some((row) => open_time < row.close_time && row.open_time < close_time)) {
      faults.push(fault(`${field}/${index}`, "It overlaps another row of the same day.", "overlap"))
    }
  }
  return faults
}

const holidayFaults = (rows: CallSettings["call_hours"]["holiday_schedule"]): ReadonlyArray<Detail> => {
  const field = "/call_hours/holiday_schedule"
  const faults: Array<Detail> =
    rows.length > maxHolidays ? [fault(field, `At most ${maxHolidays} holidays.`, "too_many")] : []
  for (const [index, { date, end_time, start_time }] of rows.entries()) {
    if (!isDate(date)) faults.push(fault(`${field}/${index}/date`, "Expected a date as YYYY-MM-DD."))
    faults.push(...span(`${field}/${index}`, ["start_time", start_time], ["end_time", end_time]))
    if (rows.findIndex((row) => row.date === date) < index)
      faults.push(fault(`${field}/${index}/date`, "The date is repeated.", "duplicate"))
  }
  return faults
}

const voicemailFaults = ({
  announcement_media_id,
  status,
  timeout_seconds,
  triggers
}: CallSettings["voicemail"]): ReadonlyArray<Detail> => [
  ...oneOf("/voicemail/status", status, onOff),
  ...allOf("/voicemail/triggers", triggers, ["no_answer", "declined", "outside_hours", "busy"]),
  ...(announcement_media_id >= 0
    ? []
    : [fault("/voicemail/announcement_media_id", "Expected the id of a recording, or 0 for none.")]),
  ...(timeout_seconds >= 5 && timeout_seconds <= 60
    ? []
    : [fault("/voicemail/timeout_seconds", "Expected 5 to 60 seconds.")])
]

/** Every value that the provider would reject or misread. */
const faultsOf = (settings: CallSettings): ReadonlyArray<Detail> => [
  ...oneOf("/status", settings.status, onOff),
  ...oneOf("/call_icon_visibility", settings.call_icon_visibility, ["DEFAULT", "DISABLE_ALL"]),
  ...settings.call_icons.restrict_to_user_countries.flatMap((country, index) =>
    /^[A-Z]{2}$/.test(country)
      ? []
      : [fault(`/call_icons/restrict_to_user_countries/${index}`, "Expected an ISO 3166 alpha-2 code.")]
  ),
  ...oneOf("/call_hours/status", settings.call_hours.status, onOff),
  ...(isZone(settings.call_hours.timezone_id)
    ? []
    : [fault("/call_hours/timezone_id", "Expected a time zone of the IANA database.")]),
  ...weeklyFaults(settings.call_hours.weekly_operating_hours),
  ...holidayFaults(settings.call_hours.holiday_schedule),
  ...oneOf("/callback_permission_status", settings.callback_permission_status, onOff),
  ...voicemailFaults(settings.voicemail),
  ...allOf("/audio_additional_codecs", settings.audio_additional_codecs, ["PCMA", "PCMU"])
]

/** Members of weekly hours in a holiday. The provider would ignore them silently. */
const misnamed = (rows: CallSettingsRequest["call_hours"]["holiday_schedule"]): ReadonlyArray<Detail> =>
  rows.flatMap((row, index) =>
    (["open_time", "close_time"] as const)
      .filter((name) => name in row)
      .map((name) =>
        fault(
          `/call_hours/holiday_schedule/${index}/${name}`,
          "A holiday has start_time and end_time.",
          "unknown_field"
        )
      )
  )

const maxDetails = 50

/** Reads a request. Fails with one detail per fault, at most 50. */
export const settingsOf = (request: CallSettingsRequest): Result.Result<CallSettings, ChatAppSettingsInvalid> => {
  const { voicemail } = request
  const settings: CallSettings = {
    ...request,
    voicemail: { ...voicemail, announcement_media_id: voicemail.announcement_media_id ?? 0 }
  }
  const details = [...misnamed(request.call_hours.holiday_schedule), ...faultsOf(settings)]
  const [first] = details
  return first === undefined
    ? Result.succeed(settings)
    : Result.fail(new ChatAppSettingsInvalid({ message: first.message, details: details.slice(0, maxDetails) }))
}

export const Restriction = Schema.Struct({
  type: Schema.String.annotate({ description: "What is restricted." }),
  reason: Schema.String.annotate({ description: "Why it is restricted." }),
  expiration: Schema.Int.annotate({ description: "Seconds since the epoch." })
}).annotate({ identifier: "ChatAppRestriction" })

export type Restriction = typeof Restriction.Type

/** Whether it forbids calls to users at `now` (epoch milliseconds). Those about calls of users do not. */
export const forbidsCalls = ({ expiration, type }: Restriction, now: number): boolean =>
  expiration * 1_000 > now && !type.includes("USER_INITIATED")
