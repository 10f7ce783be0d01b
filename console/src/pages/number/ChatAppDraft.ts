// Call settings of the chat app as their form has them, and the settings that they become (docs/chat-app.md).
import type { ChatAppCallSettings } from "../../api/Types.ts"
import { valuesOf } from "../../ui/Choices.tsx"

export const weekdays = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"] as const

export interface Hours {
  readonly day: string
  readonly open: string
  readonly close: string
}

export interface ChatAppDraft {
  readonly on: boolean
  readonly icon: boolean
  readonly countries: string
  readonly hours_on: boolean
  readonly zone: string
  readonly hours: ReadonlyArray<Hours>
  readonly callback: boolean
  readonly voicemail: boolean
  readonly triggers: ReadonlyArray<string>
  readonly timeout: string
  readonly codecs: ReadonlyArray<string>
}

const isOn = (status: string): boolean => status === "ENABLED"
const statusOf = (on: boolean): string => (on ? "ENABLED" : "DISABLED")

/** `0930` becomes `09:30`, the value of a time input. */
const clockOf = (hhmm: string): string => `${hhmm.slice(0, 2)}:${hhmm.slice(2)}`
const hhmmOf = (clock: string): string => clock.replace(":", "")

export const draftOf = (settings: ChatAppCallSettings): ChatAppDraft => ({
  on: isOn(settings.status),
  icon: settings.call_icon_visibility === "DEFAULT",
  countries: settings.call_icons.restrict_to_user_countries.join(", "),
  hours_on: isOn(settings.call_hours.status),
  zone: settings.call_hours.timezone_id,
  hours: settings.call_hours.weekly_operating_hours.map(({ close_time, day_of_week, open_time }) => ({
    day: day_of_week,
    open: clockOf(open_time),
    close: clockOf(close_time)
  })),
  callback: isOn(settings.callback_permission_status),
  voicemail: isOn(settings.voicemail.status),
  triggers: settings.voicemail.triggers,
  timeout: String(settings.voicemail.timeout_seconds),
  codecs: settings.audio_additional_codecs
})

/** What the form does not show, such as holidays, stays as it is in `stored`: the API replaces the whole object. */
export const settingsOf = (draft: ChatAppDraft, stored: ChatAppCallSettings): ChatAppCallSettings => ({
  status: statusOf(draft.on),
  call_icon_visibility: draft.icon ? "DEFAULT" : "DISABLE_ALL",
  call_icons: { restrict_to_user_countries: valuesOf(draft.countries.toUpperCase()) },
  call_hours: {
    status: statusOf(draft.hours_on),
    timezone_id: draft.zone,
    weekly_operating_hours: draft.hours.map(({ close, day, open }) => ({
      day_of_week: day,
      open_time: hhmmOf(open),
      close_time: hhmmOf(close)
    })),
    holiday_schedule: stored.call_hours.holiday_schedule
  },
  callback_permission_status: statusOf(draft.callback),
  voicemail: {
    status: statusOf(draft.voicemail),
    triggers: draft.triggers,
    timeout_seconds: Number(draft.timeout),
    announcement_media_id: stored.voicemail.announcement_media_id
  },
  audio_additional_codecs: draft.codecs
})
