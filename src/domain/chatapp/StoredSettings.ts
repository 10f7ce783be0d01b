// The call settings of a number in the chat app, as they are stored.
import { Schema } from "effect"
import type { CallSettings } from "./CallSettings.ts"

const texts = Schema.Array(Schema.String)

/** The shape of `CallSettings` without its limits: they were checked when it was stored, and may change later. */
export const StoredSettings = Schema.Struct({
  status: Schema.String,
  call_icon_visibility: Schema.String,
  call_icons: Schema.Struct({ restrict_to_user_countries: texts }),
  call_hours: Schema.Struct({
    status: Schema.String,
    timezone_id: Schema.String,
    weekly_operating_hours: Schema.Array(
      Schema.Struct({ day_of_week: Schema.String, open_time: Schema.String, close_time: Schema.String })
    ),
    holiday_schedule: Schema.Array(
      Schema.Struct({ date: Schema.String, start_time: Schema.String, end_time: Schema.String })
    )
  }),
  callback_permission_status: Schema.String,
  voicemail: Schema.Struct({
    status: Schema.String,
    triggers: texts,
    announcement_media_id: Schema.Int,
    timeout_seconds: Schema.Int
  }),
  audio_additional_codecs: texts
} satisfies Record<keyof CallSettings, Schema.Top>)
