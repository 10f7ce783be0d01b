// The stored state of a number in the chat app.
import { Schema } from "effect"
import { NumberId, WorkspaceId } from "../BrandedIds.ts"
import { storedState, Unreadable } from "../state/StoredState.ts"
import type { CallSettings } from "./CallSettings.ts"
import { type ChatApp, TrunkRecord } from "./ChatApp.ts"

const Instant = Schema.Int
const Count = Schema.Int
const orNull = Schema.NullOr
const texts = Schema.Array(Schema.String)

/** The shape of `CallSettings`. Its limits were checked when it was written; a later engine may have others. */
const StoredSettings = Schema.Struct({
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

const StoredTrunk = Schema.Struct({
  status: TrunkRecord.fields.status,
  status_reason: orNull(Schema.String),
  provider_code: orNull(Schema.Int),
  attempts: Count,
  next_retry_at: orNull(Instant),
  sip_host: orNull(Schema.String),
  updated_at: Instant
})

const StoredChatApp = Schema.Struct({
  number_id: NumberId,
  workspace_id: orNull(WorkspaceId),
  since: Instant,
  number: Schema.String,
  stored: orNull(StoredSettings),
  trunk: orNull(StoredTrunk),
  ineligible: Count,
  sequence: Count,
  turning_off: Schema.Boolean,
  heard: texts
} satisfies Record<keyof ChatApp, Schema.Top>)

/** Rows of version 0 may be older than these members. */
const added = {
  workspace_id: null,
  since: 0,
  number: "",
  stored: null,
  trunk: null,
  ineligible: 0,
  sequence: 0,
  turning_off: false,
  heard: []
}

/** The settings of version 1, as far as the upgrade changes them. */
interface Settings1 {
  readonly voicemail: { readonly announcement_media_id: number | null }
}

/** Version 1 had null where there was no announcement. */
const withMediaId = (settings: Settings1 | null): Settings1 | null =>
  settings === null
    ? null
    : {
        ...settings,
        voicemail: { ...settings.voicemail, announcement_media_id: settings.voicemail.announcement_media_id ?? 0 }
      }

export const chatAppState = storedState({
  schema: StoredChatApp,
  upgrades: [
    (stored) => ({ ...added, ...stored }),
    (stored) => ({ ...stored, stored: withMediaId(stored["stored"] as Settings1 | null) })
  ]
})

export const restoreChatApp = chatAppState.restore(({ stored, trunk, workspace_id, ...common }): ChatApp => {
  if (workspace_id !== null) return { ...common, workspace_id, stored, trunk }
  if (stored === null && trunk === null) return { ...common, workspace_id, stored, trunk }
  throw new Unreadable("The stored number is in use in the chat app, but by no workspace.")
})
