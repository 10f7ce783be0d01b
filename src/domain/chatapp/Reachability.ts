// What becomes of a call from the chat app, as the call settings of the number say (docs/chat-app.md).
import { Schema } from "effect"
import type { CallSettings } from "./CallSettings.ts"

const Trigger = Schema.Literals(["no_answer", "declined", "outside_hours", "busy"])
type Trigger = typeof Trigger.Type
const isTrigger = Schema.is(Trigger)

/** When callers are asked for a message. */
export const Voicemail = Schema.Struct({
  triggers: Schema.Array(Trigger),
  /** How long it rings before, in seconds. */
  timeout_seconds: Schema.Int
})
export type Voicemail = typeof Voicemail.Type

/** What an incoming call from the chat app obeys. */
export const ChatAppReception = Schema.Struct({
  /** `off`: the number takes no calls. `closed`: it takes none at this hour. */
  reachability: Schema.Literals(["open", "closed", "off"]),
  voicemail: Schema.optionalKey(Voicemail)
})
export type ChatAppReception = typeof ChatAppReception.Type

/** The local date (YYYY-MM-DD), day (MONDAY) and time (HHMM). */
const localTime = (timeZone: string, now: number) => {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit"
  }).formatToParts(now)
  const part = (wanted: Intl.DateTimeFormatPartTypes): string => parts.find(({ type }) => type === wanted)?.value ?? ""
  return {
    date: `${part("year")}-${part("month")}-${part("day")}`,
    day: part("weekday").toUpperCase(),
    time: `${part("hour")}${part("minute")}`
  }
}

/** No time of a schedule is later than 2359, so that means the end of the day. */
const isWithin = (time: string, from: string, to: string): boolean => from <= time && (time < to || to === "2359")

/** A row of a date takes the place of the hours of its day: it says when calls are taken on that date. */
const isOpen = ({ call_hours }: CallSettings, now: number): boolean => {
  const { holiday_schedule, status, timezone_id, weekly_operating_hours } = call_hours
  if (status !== "ENABLED") return true
  const { date, day, time } = localTime(timezone_id, now)
  const holiday = holiday_schedule.find((row) => row.date === date)
  if (holiday !== undefined) return isWithin(time, holiday.start_time, holiday.end_time)
  return weekly_operating_hours.some(
    ({ close_time, day_of_week, open_time }) => day_of_week === day && isWithin(time, open_time, close_time)
  )
}

const voicemailOf = ({ voicemail: { status, timeout_seconds, triggers } }: CallSettings): Voicemail | undefined =>
  status === "ENABLED" ? { triggers: triggers.filter(isTrigger), timeout_seconds } : undefined

/** `settings`: null before the first write, when everything is off. `now`: epoch milliseconds. */
export const receptionOf = (settings: CallSettings | null, now: number): ChatAppReception => {
  if (settings?.status !== "ENABLED") return { reachability: "off" }
  const voicemail = voicemailOf(settings)
  return { reachability: isOpen(settings, now) ? "open" : "closed", ...(voicemail && { voicemail }) }
}

/** Said to a caller outside the hours who is asked for no message. */
export const closedAnnouncement = "Calls are not taken at this time. Please call again later."

export const takesMessage = (voicemail: Voicemail | undefined, trigger: Trigger): boolean =>
  voicemail?.triggers.includes(trigger) === true
