// Written by scripts/client/ClientTypes.ts from the contract. Do not edit.

export type ConferenceParticipant = {
  /** The id of the call. */
  readonly call_id: string
  /** When the call joined. */
  readonly joined_at: string
  /** Whether the others do not hear it. */
  readonly muted: boolean
  /** Whether it does not hear the others. */
  readonly deaf: boolean
  /** Whether it hears music instead of the others, and they do not hear it. */
  readonly hold: boolean
  /** The id of the call that alone hears this one; `null`: all hear it. */
  readonly coach: string | null
  /** Whether the conference starts when it joins. Default true. */
  readonly start_on_enter: boolean
  /** Whether the conference ends when it leaves. Default false. */
  readonly end_on_exit: boolean
}

export type RecordMode = "do-not-record" | "record-from-answer" | "record-from-ringing" | "record-from-answer-dual" | "record-from-ringing-dual"

export type NumberRouting = {
  /** The events of this number's calls are delivered here. */
  readonly events_url: string | null
  /** Asked for voice actions when the number is called. */
  readonly voice_url: string | null
  /** Asked if `voice_url` cannot be reached. */
  readonly voice_fallback_url: string | null
  /** Where calls to the number go without asking a URL. */
  readonly forward_to: {
    /** What `value` names. */
    readonly type: "none" | "extension" | "extensions" | "e164" | "sip"
    /** An extension of four digits, a list of one to ten of them, an E.164 number, or a SIP URI; null for `none`. */
    readonly value: string | ReadonlyArray<string> | null
    /** Rings several extensions one after the other. Default: all at once. */
    readonly sequential: boolean | null
  }
  /** How long a forwarded call rings at most. */
  readonly ring_timeout_seconds: number
  /** What to record. */
  readonly record: RecordMode
  /**
   * Spoken to a caller who is rejected because the wallet is empty; null: the call is rejected without a message.
   */
  readonly reject_when_no_funds_message: string | null
}

/** `manual`: the payer used the workspace's account reference instead of a prompt. */
export type TopUpProvider = "mobilemoney" | "card" | "manual"

export type TopUpStatus = "pending" | "succeeded" | "failed" | "expired" | "reversed"

export type TopUpFailureCode = "payer_insufficient_funds" | "provider_limit" | "duplicate_request" | "payer_busy" | "expired" | "push_failed" | "cancelled_by_user" | "payer_unreachable" | "wrong_pin" | "payer_locked" | "provider_misconfigured" | "card_declined" | "authentication_required" | "provider_error"

export type AutoTopUpDisabledReason = "payments_failed" | "authentication_required" | "unconfirmed" | "payment_reversed" | "workspace_closed" | "card_removed"

export type StatementKind = "topup" | "topup_reversal" | "call_charge" | "number_rental" | "storage_charge" | "manual_credit" | "refund" | "fee_waiver" | "manual_debit"

export type ChatAppTrunk = {
  /** The state of the trunk. */
  readonly status: "pending" | "active" | "failed"
  /** Why it has this status; `null` without a reason. */
  readonly status_reason: string | null
  /** The provider's code of the failure. */
  readonly provider_code: number | null
  /** How many attempts were made. */
  readonly attempts: number
  /** When it is retried automatically. */
  readonly next_retry_at: string | null
  /** The host that the chat app connects calls to. */
  readonly sip_host: string | null
  /** When it was last changed. */
  readonly updated_at: string
}

export type ChatAppCallSettings = {
  /** ENABLED or DISABLED. */
  readonly status: string
  /** DEFAULT or DISABLE_ALL. */
  readonly call_icon_visibility: string
  /** To whom the call button is shown. */
  readonly call_icons: {
    /** ISO 3166-1 alpha-2 codes; empty: shown in all countries. */
    readonly restrict_to_user_countries: ReadonlyArray<string>
  }
  /** When calls are taken. */
  readonly call_hours: {
    /** ENABLED or DISABLED. */
    readonly status: string
    /** A time zone of the IANA database. */
    readonly timezone_id: string
    /** The hours of each day of the week. */
    readonly weekly_operating_hours: ReadonlyArray<{
      /** MONDAY to SUNDAY. */
      readonly day_of_week: string
      /** HHMM. */
      readonly open_time: string
      /** HHMM, after `open_time`. */
      readonly close_time: string
    }>
    /** Days with other hours. */
    readonly holiday_schedule: ReadonlyArray<{
      /** YYYY-MM-DD. */
      readonly date: string
      /** HHMM. */
      readonly start_time: string
      /** HHMM, after `start_time`. */
      readonly end_time: string
    }>
  }
  /** ENABLED or DISABLED. */
  readonly callback_permission_status: string
  /** When and how callers are offered voicemail. */
  readonly voicemail: {
    /** ENABLED or DISABLED. */
    readonly status: string
    /** Any of no_answer, declined, outside_hours, busy. */
    readonly triggers: ReadonlyArray<string>
    /** 5 to 60. */
    readonly timeout_seconds: number
    /** The provider's id of the recording that is played; 0: none. */
    readonly announcement_media_id: number
  }
  /** Any of PCMA, PCMU. */
  readonly audio_additional_codecs: ReadonlyArray<string>
}

export type ChatAppPermission = {
  /** The user's number, E.164. */
  readonly user: string
  /** What the user decided. */
  readonly status: "granted" | "denied"
  /** Granted until it is revoked. */
  readonly permanent: boolean
  /** When the grant expires; null: denied or permanent. */
  readonly expires_at: string | null
  /** `automatic`: the provider granted it because the user called. */
  readonly source: "user" | "automatic"
  /** When the user replied. */
  readonly replied_at: string
}

export type EventCallRinging = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.ringing"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & {
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The kind of the event. */
    readonly kind: "call.ringing"
  }
}

export type EventCallAnswered = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.answered"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & {
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The kind of the event. */
    readonly kind: "call.answered"
  }
}

export type EventCallCompleted = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.completed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & {
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor: number
    /** The kind of the event. */
    readonly kind: "call.completed"
  }
}

export type EventCallNoAnswer = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.no_answer"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & {
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The kind of the event. */
    readonly kind: "call.no_answer"
  }
}

export type EventCallBusy = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.busy"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & {
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The kind of the event. */
    readonly kind: "call.busy"
  }
}

export type EventCallFailed = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.failed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & {
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The kind of the event. */
    readonly kind: "call.failed"
  }
}

export type EventCallCanceled = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.canceled"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & {
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The kind of the event. */
    readonly kind: "call.canceled"
  }
}

export type EventCallCallbackFailed = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.callback_failed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & ({
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** `callback_failed`, `callback_timeout` or `voice_action_invalid`. */
    readonly cause: string
    /** The HTTP status of the answer; `null` without one. */
    readonly http_status: number | null
    /** JSON pointer to the invalid part of the document. */
    readonly pointer: string | null
    /** What is at fault, in words. */
    readonly detail: string
    /** The kind of the event. */
    readonly kind: "call.callback_failed"
  })
}

export type EventCallBalanceLow = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.balance_low"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & {
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** Seconds until the call is cut off, unless the wallet is topped up. */
    readonly remaining_seconds: number
    /** The kind of the event. */
    readonly kind: "call.balance_low"
  }
}

export type EventCallMachineDetected = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.machine_detected"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & ({
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** From 0 to 1. */
    readonly confidence: number | null
    /** The kind of the event. */
    readonly kind: "call.machine_detected"
  })
}

export type EventCallDtmf = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.dtmf"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & ({
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The key that the party pressed. */
    readonly digit: string
    /** How long it took or lasted, in milliseconds; `null` if unknown. */
    readonly duration_ms: number | null
    /** The kind of the event. */
    readonly kind: "call.dtmf"
  })
}

export type EventCallRecordingAvailable = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.recording_available"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & ({
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The id of the recording. */
    readonly recording_id: string
    /** Why the recording failed or was deleted: `retention`, `storage_full` or `deleted`. */
    readonly reason: string | null
    /** The kind of the event. */
    readonly kind: "call.recording_available"
  })
}

export type EventCallRecordingFailed = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.recording_failed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & ({
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The id of the recording. */
    readonly recording_id: string
    /** Why the recording failed or was deleted: `retention`, `storage_full` or `deleted`. */
    readonly reason: string | null
    /** The kind of the event. */
    readonly kind: "call.recording_failed"
  })
}

export type EventCallRecordingDeleted = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.recording_deleted"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & ({
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The id of the recording. */
    readonly recording_id: string
    /** Why the recording failed or was deleted: `retention`, `storage_full` or `deleted`. */
    readonly reason: string | null
    /** The kind of the event. */
    readonly kind: "call.recording_deleted"
  })
}

export type EventCallStreamStarted = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.stream_started"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & ({
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The id of the stream. */
    readonly stream_id: string
    /** As the action `stream` names it. */
    readonly name: string
    /** Whether the application talks with the party (`duplex`) or only listens (`fork`). */
    readonly mode: "duplex" | "fork"
    /** The kind of the event. */
    readonly kind: "call.stream_started"
  })
}

export type EventCallStreamEnded = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.stream_ended"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & ({
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The id of the stream. */
    readonly stream_id: string
    /** As the action `stream` names it. */
    readonly name: string
    /** Whether the application talks with the party (`duplex`) or only listens (`fork`). */
    readonly mode: "duplex" | "fork"
    /** How the stream ended. */
    readonly result: "completed" | "remote_closed" | "connect_failed" | "protocol_error" | "too_slow" | "time_limit" | "limit_reached" | "media_failed" | "engine_restarted" | "unreported"
    /** Why, in words. */
    readonly detail: string | null
    /** How long the application was connected. */
    readonly stream_seconds: number
    /** The kind of the event. */
    readonly kind: "call.stream_ended"
  })
}

export type EventCallTranscriptAvailable = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "call.transcript_available"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadCall & {
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds?: number
    /** Seconds that the charge is based on. */
    readonly billed_seconds?: number
    /** What the call cost, in minor units. Present when the call has ended. */
    readonly cost_minor?: number
    /** The kind of the event. */
    readonly kind: "call.transcript_available"
  }
}

export type EventConferenceStarted = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "conference.started"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadConference & {
    /** The kind of the event. */
    readonly kind: "conference.started"
  }
}

export type EventConferenceParticipantJoined = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "conference.participant_joined"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadConference & {
    /** The id of the call. */
    readonly call_id: string
    /** How the call takes part. */
    readonly participant: ConferenceParticipant
    /** The kind of the event. */
    readonly kind: "conference.participant_joined"
  }
}

export type EventConferenceParticipantUpdated = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "conference.participant_updated"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadConference & {
    /** The id of the call. */
    readonly call_id: string
    /** How the call takes part. */
    readonly participant: ConferenceParticipant
    /** The kind of the event. */
    readonly kind: "conference.participant_updated"
  }
}

export type EventConferenceParticipantLeft = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "conference.participant_left"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadConference & ({
    /** The id of the call. */
    readonly call_id: string
    /** The result of the action that led to the request. */
    readonly result: "left" | "ended" | "removed" | "full" | "time_limit" | "limit_reached" | "other_gateway" | "media_failed"
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds: number
    /** The kind of the event. */
    readonly kind: "conference.participant_left"
  })
}

export type EventConferenceEnded = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "conference.ended"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadConference & ({
    /** Why it ended; `null` while it lives. */
    readonly ended_by: "everyone_left" | "host_left" | "requested"
    /** How many times a call has joined. */
    readonly joined_count: number
    /** How many calls took part at once at most. */
    readonly peak_participants: number
    /** The kind of the event. */
    readonly kind: "conference.ended"
  })
}

export type EventNumberClaimed = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "number.claimed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadNumber & {
    /** What was charged for the month. */
    readonly amount_minor?: number
    /** The kind of the event. */
    readonly kind: "number.claimed"
  }
}

export type EventNumberRenewed = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "number.renewed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadNumber & {
    /** What was charged for the month. */
    readonly amount_minor?: number
    /** The kind of the event. */
    readonly kind: "number.renewed"
  }
}

export type EventNumberPastDue = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "number.past_due"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadNumber & {
    /** The kind of the event. */
    readonly kind: "number.past_due"
  }
}

export type EventNumberSuspended = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "number.suspended"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadNumber & {
    /** The kind of the event. */
    readonly kind: "number.suspended"
  }
}

export type EventNumberReleased = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "number.released"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadNumber & {
    /** The kind of the event. */
    readonly kind: "number.released"
  }
}

export type EventNumberRoutingChanged = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "number.routing_changed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadNumber & {
    /** The kind of the event. */
    readonly kind: "number.routing_changed"
  }
}

export type EventTopupSucceeded = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "topup.succeeded"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadTopup & {
    /** The kind of the event. */
    readonly kind: "topup.succeeded"
  }
}

export type EventTopupFailed = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "topup.failed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadTopup & {
    /** The kind of the event. */
    readonly kind: "topup.failed"
  }
}

export type EventTopupReversed = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "topup.reversed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadTopup & {
    /** The kind of the event. */
    readonly kind: "topup.reversed"
  }
}

export type EventWalletLowBalance = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "wallet.low_balance"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadWallet & {
    /** The kind of the event. */
    readonly kind: "wallet.low_balance"
  }
}

export type EventWalletNegative = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "wallet.negative"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadWallet & {
    /** The kind of the event. */
    readonly kind: "wallet.negative"
  }
}

export type EventWalletAutoTopupDisabled = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "wallet.auto_topup_disabled"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadWallet & ({
    /** Why. */
    readonly reason: AutoTopUpDisabledReason
    /** Of the last payment, if it failed. */
    readonly failure_code: TopUpFailureCode | null
    /** The kind of the event. */
    readonly kind: "wallet.auto_topup_disabled"
  })
}

export type EventWalletAdjusted = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "wallet.adjusted"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadWallet & ({
    /** The entry of the ledger. */
    readonly entry: {
      /** The id of the entry. */
      readonly id: string
      /**
       * The number of the entry in the wallet, from 1 without gaps: each begins at the balance of the one before.
       */
      readonly sequence: number
      /** The kind of the entry. */
      readonly kind: StatementKind
      /** Positive into the wallet, negative out of it. */
      readonly amount_minor: number
      /** The balance after the entry, in minor units. */
      readonly balance_after_minor: number
      /** The currency (ISO 4217) of the amounts. */
      readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
      /** What the movement is about: `call`, `topup`, `number` … */
      readonly reference_type: string
      /** The id of what the entry is about. */
      readonly reference_id: string
      /** A description for people. */
      readonly description: string
      /** When it was created. */
      readonly created_at: string
    }
    /** The kind of the event. */
    readonly kind: "wallet.adjusted"
  })
}

export type EventStorageTierChanged = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "storage.tier_changed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** The size before, in MiB. */
    readonly from_tier_mb: number
    /** The size after, in MiB. */
    readonly to_tier_mb: number
    /** What this change debited; 0 if nothing. */
    readonly charge_minor: number
    /** The currency (ISO 4217) of the amounts. */
    readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
    /** Why. */
    readonly reason: "customer" | "renewal" | "downgrade" | "past_due"
    /** When it was changed. */
    readonly changed_at: string
    /** The kind of the event. */
    readonly kind: "storage.tier_changed"
  }
}

export type EventStorageUsageHigh = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "storage.usage_high"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** The mark that was passed. */
    readonly percent: 80 | 100
    /** How many bytes the recordings take. */
    readonly used_bytes: number
    /** The size that is paid for, in MiB. */
    readonly tier_mb: number
    /** The kind of the event. */
    readonly kind: "storage.usage_high"
  }
}

export type EventStorageRecordingsEvicted = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "storage.recordings_evicted"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** How many recordings were deleted. */
    readonly recordings: number
    /** How many bytes were freed. */
    readonly freed_bytes: number
    /** What is used afterwards. */
    readonly used_bytes: number
    /** The size that is paid for, in MiB. */
    readonly tier_mb: number
    /** The kind of the event. */
    readonly kind: "storage.recordings_evicted"
  }
}

export type EventSipTrunkActive = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "sip_trunk.active"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadSipTrunk & {
    /** The kind of the event. */
    readonly kind: "sip_trunk.active"
  }
}

export type EventSipTrunkFailed = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "sip_trunk.failed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadSipTrunk & {
    /** The kind of the event. */
    readonly kind: "sip_trunk.failed"
  }
}

export type EventSipTrunkUnreachable = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "sip_trunk.unreachable"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadSipTrunk & {
    /** The kind of the event. */
    readonly kind: "sip_trunk.unreachable"
  }
}

export type EventSipTrunkRecovered = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "sip_trunk.recovered"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadSipTrunk & {
    /** The kind of the event. */
    readonly kind: "sip_trunk.recovered"
  }
}

export type EventSipCredentialCreated = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "sip_credential.created"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadSipCredential & {
    /** The kind of the event. */
    readonly kind: "sip_credential.created"
  }
}

export type EventSipCredentialRotated = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "sip_credential.rotated"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadSipCredential & {
    /** The kind of the event. */
    readonly kind: "sip_credential.rotated"
  }
}

export type EventSipCredentialRevoked = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "sip_credential.revoked"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: PayloadSipCredential & {
    /** The kind of the event. */
    readonly kind: "sip_credential.revoked"
  }
}

export type EventChatappTrunkActive = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "chatapp.trunk_active"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** The number of the workspace that the call belongs to. */
    readonly number_id: string
    /** The telephone number, in E.164 form. */
    readonly number: string
    /** The trunk. */
    readonly trunk: ChatAppTrunk
    /** The kind of the event. */
    readonly kind: "chatapp.trunk_active"
  }
}

export type EventChatappTrunkFailed = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "chatapp.trunk_failed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** The number of the workspace that the call belongs to. */
    readonly number_id: string
    /** The telephone number, in E.164 form. */
    readonly number: string
    /** The trunk. */
    readonly trunk: ChatAppTrunk
    /** The kind of the event. */
    readonly kind: "chatapp.trunk_failed"
  }
}

export type EventChatappSettingsChanged = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "chatapp.settings_changed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** The number of the workspace that the call belongs to. */
    readonly number_id: string
    /** The telephone number, in E.164 form. */
    readonly number: string
    /** The settings. */
    readonly settings: ChatAppCallSettings
    /** The kind of the event. */
    readonly kind: "chatapp.settings_changed"
  }
}

export type EventChatappPermissionChanged = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "chatapp.permission_changed"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** The number of the workspace that the call belongs to. */
    readonly number_id: string
    /** The telephone number, in E.164 form. */
    readonly number: string
    /** Whether the user may be called. */
    readonly permission: ChatAppPermission
    /** The kind of the event. */
    readonly kind: "chatapp.permission_changed"
  }
}

export type EventSecurityFirstInternationalCall = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "security.first_international_call"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** When it happened. */
    readonly at: string
    /** ISO 3166-1 alpha-2. */
    readonly country: string
    /** The call; for a dial that rings several destinations, the call that dials. */
    readonly call_id: string
    /** The kind of the event. */
    readonly kind: "security.first_international_call"
  }
}

export type EventSecurityNewCountryCalled = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "security.new_country_called"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** When it happened. */
    readonly at: string
    /** ISO 3166-1 alpha-2. */
    readonly country: string
    /** The call; for a dial that rings several destinations, the call that dials. */
    readonly call_id: string
    /** The kind of the event. */
    readonly kind: "security.new_country_called"
  }
}

export type EventSecurityCallBurst = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "security.call_burst"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** When it happened. */
    readonly at: string
    /** `many_calls`: far more than in the busiest hour before. Otherwise the limit that was reached. */
    readonly reason: "many_calls" | "max_calls_to_new_country" | "max_calls_per_hour_on_first_day" | "max_calls_per_destination_per_hour" | "max_concurrent_high_risk_calls"
    /** Legs placed in the current hour. */
    readonly calls: number
    /** When the counted period began. */
    readonly since: string
    /** The kind of the event. */
    readonly kind: "security.call_burst"
  }
}

export type EventSecurityCallsFailing = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "security.calls_failing"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** When it happened. */
    readonly at: string
    /** Legs placed or refused within ten minutes. */
    readonly attempts: number
    /** Those of them that failed or were refused. */
    readonly failures: number
    /** When the counted period began. */
    readonly since: string
    /** The kind of the event. */
    readonly kind: "security.calls_failing"
  }
}

export type EventSecurityRegistrationAttack = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "security.registration_attack"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** When it happened. */
    readonly at: string
    /** The id of the credential. */
    readonly credential_id: string
    /** The number of the workspace that the call belongs to. */
    readonly number_id: string
    /** The extension by which the device is called. */
    readonly extension: string
    /** The name with which the device registers. */
    readonly username: string
    /** Wrong passwords or tokens in the counted period. */
    readonly attempts: number
    /** When the counted period began. */
    readonly since: string
    /** The first addresses that they came from, ten at most. Over UDP an address can be forged. */
    readonly addresses: ReadonlyArray<string>
    /** The kind of the event. */
    readonly kind: "security.registration_attack"
  }
}

export type EventSecuritySpendLimitReached = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "security.spend_limit_reached"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** When it happened. */
    readonly at: string
    /** The currency (ISO 4217) of the amounts. */
    readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
    /** The most that may be spent a day, in minor units; `null`: no limit. */
    readonly daily_spend_limit_minor: number
    /** What calls were charged today (UTC). */
    readonly spent_minor: number
    /** What is held for live calls. */
    readonly held_minor: number
    /** The kind of the event. */
    readonly kind: "security.spend_limit_reached"
  }
}

export type EventSecurityCallbackWaiversUsedUp = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "security.callback_waivers_used_up"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** When it happened. */
    readonly at: string
    /** How many were given back today (UTC). */
    readonly calls: number
    /** The kind of the event. */
    readonly kind: "security.callback_waivers_used_up"
  }
}

export type EventWorkspaceSuspended = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "workspace.suspended"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** The state of it. */
    readonly status: string
    /** When it was changed. */
    readonly changed_at: string
    /** Why. */
    readonly reason: string | null
    /** The kind of the event. */
    readonly kind: "workspace.suspended"
  }
}

export type EventWorkspaceReinstated = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "workspace.reinstated"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** The state of it. */
    readonly status: string
    /** When it was changed. */
    readonly changed_at: string
    /** The kind of the event. */
    readonly kind: "workspace.reinstated"
  }
}

export type EventWebhookTest = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "webhook.test"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** `webhook.test`, or the kind that the test request named. */
    readonly kind: string
    /** Always `true`: nothing has happened. */
    readonly test: true
  }
}

export type EventWebhookDisabled = {
  /** Id of the event. It is the same for all subscriptions and in a replay. */
  readonly id: string
  /** The kind of the event. */
  readonly event_kind: "webhook.disabled"
  /** The version of the interface that the event is written in. */
  readonly api_version: "2026-10-01"
  /** The id of the workspace. */
  readonly workspace_id: string
  /** `false` for an event of the sandbox. */
  readonly livemode: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** The position of the event among those of its subject, from 1. */
  readonly sequence: number
  /** What the event is about. */
  readonly payload: {
    /** The id of the workspace. */
    readonly workspace_id: string
    /** The id of the subscription. */
    readonly subscription_id: string
    /** The URL. */
    readonly url: string
    /** `receiver_gone`: the receiver answered 410. `failing`: no delivery succeeded for 120 hours. */
    readonly reason: "receiver_gone" | "failing"
    /** When deliveries stopped. */
    readonly disabled_at: string
    /** Since when every delivery has failed; `null` if none has. */
    readonly failing_since: string | null
    /** The kind of the event. */
    readonly kind: "webhook.disabled"
  }
}

/** What the payloads of `call.*` have in common. */
export type PayloadCall = {
  /** The id of it. */
  readonly id: string
  /** The id of the call's session on the PBX; it can be used in place of the call's id. */
  readonly session_id: string
  /** The call whose `dial` placed this leg; `null` for a call of its own. */
  readonly parent_call_id: string | null
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string | null
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** The state of it. */
  readonly status: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** The calling number, in E.164 form. */
  readonly from: string
  /** The called number, in E.164 form, or a SIP address. */
  readonly to: string
  /** The number that the called party sees. */
  readonly caller_id: string
  /** When it was created. */
  readonly created_at: string
  /** When the remote party began to ring; `null` until then. */
  readonly ringing_at: string | null
  /** When it was answered; `null` until then. */
  readonly answered_at: string | null
  /** When it ended; `null` until then. */
  readonly ended_at: string | null
  /** The price of a started minute in minor units, fixed when the call began. */
  readonly rate_per_min_minor: number
  /** The prefix of the rate that applies; `null` if no rate does. */
  readonly matched_prefix: string | null
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: string
  /** Who has answered, if machine detection was asked for and has finished. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** Why the call ended; `null` while it lasts. */
  readonly hangup_cause: "normal_clearing" | "user_busy" | "call_rejected" | "no_answer" | "no_user_response" | "unallocated_number" | "invalid_number_format" | "network_congestion" | "service_unavailable" | "destination_refused" | "insufficient_funds" | "balance_exhausted" | "max_duration" | "ring_timeout" | "canceled_by_workspace" | "answered_elsewhere" | "callback_failed" | "callback_timeout" | "voice_action_invalid" | "actions_ended" | "media_timeout" | "session_lost" | "machine_detected" | "pbx_error" | "no_route" | null
  /** Who ended the call; `null` while it lasts. */
  readonly hangup_source: "caller" | "callee" | "workspace" | "platform" | "carrier" | null
  /** The final SIP response (RFC 3261), if there was one. */
  readonly sip_code: number | null
  /** The cause of the release (ITU-T Q.850), if the network named one. */
  readonly q850_cause: number | null
  /** How long the call rings at most. */
  readonly timeout_seconds: number
  /** The longest time that the call may last, in seconds. */
  readonly max_duration_seconds: number
  /** The newest recording of the call; `null` without one. */
  readonly recording: {
    /** The id of the recording. */
    readonly id: string
    /** The state of the recording. */
    readonly status: "in_progress" | "processing" | "available" | "failed" | "expired" | "deleted"
    /** Where the recording can be read. */
    readonly url: string
  } | null
  /** Values of your own, as text. */
  readonly metadata: { readonly [name: string]: string }
  /** Your own reference. */
  readonly client_reference: string | null
  /** The legs that this call's `dial` placed. */
  readonly child_call_ids: ReadonlyArray<string>
  /** Reserved; always `null`. */
  readonly agent: null
  /** Whether the end of the call was requested and is under way. */
  readonly terminating: boolean
  /** `false` for what belongs to the sandbox (test mode). */
  readonly livemode?: boolean
  /** How the call came about: by the API, a `dial`, a browser, a SIP device or the chat app. */
  readonly call_kind: "api" | "dial" | "webrtc" | "sip" | "chatapp"
}

/** What the payloads of `conference.*` have in common. */
export type PayloadConference = {
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The id of the conference. */
  readonly conference_id: string
  /** The name. */
  readonly name: string
  /** The state of it. */
  readonly status: "waiting" | "in_progress" | "ended"
  /** How many calls take part now. */
  readonly participant_count: number
  /** When it happened. */
  readonly at: string
}

/** What the payloads of `number.*` have in common. */
export type PayloadNumber = {
  /** The id of it. */
  readonly id: string
  /** E.164. */
  readonly number: string
  /** The state of it. */
  readonly status: "active" | "past_due" | "suspended" | "released" | "retired"
  /** Where it comes from. */
  readonly source: "platform" | "byo"
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** The kind of it. */
  readonly type: "mobile" | "local" | "national" | "toll_free"
  /** What the number can do. */
  readonly capabilities: ReadonlyArray<"voice" | "sms" | "webrtc">
  /** A name for people. */
  readonly label: string | null
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN" | null
  /** The price of a month, in minor units. */
  readonly monthly_price_minor: number | null
  /** The price of a started minute of an inbound call, in minor units. */
  readonly inbound_per_min_minor: number | null
  /** The price of a started minute that replaces the rate; `null`: the rate applies. */
  readonly outbound_per_min_minor: number | null
  /** What happens to calls to the number. */
  readonly routing: NumberRouting
  /** When the workspace claimed the number. */
  readonly claimed_at: string | null
  /** When the next month is paid. */
  readonly renews_at: string | null
  /** Since when the renewal is unpaid; `null` if it is paid. */
  readonly past_due_since: string | null
  /** When the number was released; `null` while it is claimed. */
  readonly released_at: string | null
  /** The id of the workspace. */
  readonly workspace_id: string
}

/** What the payloads of `topup.*` have in common. */
export type PayloadTopup = {
  /** The id of the top-up. */
  readonly topup_id: string
  /** The id of the workspace. */
  readonly workspace_id: string
  /** Who collects the payment. */
  readonly provider: TopUpProvider
  /** The amount in minor units. */
  readonly amount_minor: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: string
  /** The payer's phone. Masked in lists. */
  readonly phone_e164: string | null
  /** The state of it. */
  readonly status: TopUpStatus
  /** The page on which the payer pays by card, while the top-up is pending. Null if there is no page. */
  readonly payment_url: string | null
  /** The workspace's account reference for manual payments. It never changes. */
  readonly mobilemoney_account_ref: string
  /** The provider's receipt. */
  readonly provider_reference: string | null
  /** Why the top-up failed; `null` if it did not. */
  readonly failure_code: TopUpFailureCode | null
  /** Why the top-up failed, in words; `null` if it did not. */
  readonly failure_message: string | null
  /** When it was created. */
  readonly created_at: string
  /** When it was completed; `null` until then. */
  readonly completed_at: string | null
  /** How much of the amount the provider took back again. If it is all, the status is `reversed`. */
  readonly reversed_minor: number
  /** When it expires. */
  readonly expires_at: string
}

/** What the payloads of `wallet.*` have in common. */
export type PayloadWallet = {
  /** The id of the workspace. */
  readonly workspace_id: string
  /** What the wallet holds. It can be negative after a renewal. */
  readonly balance_minor: number
  /** What can be spent: the balance less what is held. */
  readonly available_minor: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** Below it you are warned. */
  readonly low_balance_threshold_minor: number
}

/** What the payloads of `sip_trunk.*` have in common. */
export type PayloadSipTrunk = {
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The id of the trunk. */
  readonly trunk_id: string
  /** The state of it. */
  readonly status: "pending" | "active" | "failed"
  /** Why it has this status; `null` without a reason. */
  readonly status_reason: string | null
  /** When it happened. */
  readonly at: string
}

/** What the payloads of `sip_credential.*` have in common. */
export type PayloadSipCredential = {
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The id of the credential. */
  readonly credential_id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string
  /** The extension by which the device is called. */
  readonly extension: string
  /** The name with which the device registers. */
  readonly username: string
  /** When it happened. */
  readonly at: string
}

export type ErrorDetail = {
  /** JSON pointer (RFC 6901) to the invalid field. */
  readonly field: string
  /** What went wrong, for programs. */
  readonly code: string
  /** What went wrong, for people. */
  readonly message: string
}

export type TopUpLimits = {
  /** The limits of single top-ups. */
  readonly limits: ReadonlyArray<TopUpLimit>
}

export type TopUpLimit = {
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** The smallest amount, in minor units. */
  readonly minimum_minor: number
  /** At least the minimum. */
  readonly maximum_minor: number
}

export type TopUpLimitsRequest = {
  /** The limits of single top-ups. */
  readonly limits: ReadonlyArray<TopUpLimit>
}

export type TopUp = {
  /** The id of the top-up. */
  readonly topup_id: string
  /** The id of the workspace. */
  readonly workspace_id: string
  /** Who collects the payment. */
  readonly provider: TopUpProvider
  /** The amount in minor units. */
  readonly amount_minor: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: string
  /** The payer's phone. Masked in lists. */
  readonly phone_e164: string | null
  /** The state of the top-up. */
  readonly status: TopUpStatus
  /** The page on which the payer pays by card, while the top-up is pending. Null if there is no page. */
  readonly payment_url: string | null
  /** The workspace's account reference for manual payments. It never changes. */
  readonly mobilemoney_account_ref: string
  /** The provider's receipt. */
  readonly provider_reference: string | null
  /** Why the top-up failed; `null` if it did not. */
  readonly failure_code: TopUpFailureCode | null
  /** Why the top-up failed, in words; `null` if it did not. */
  readonly failure_message: string | null
  /** When it was created. */
  readonly created_at: string
  /** When it was completed; `null` until then. */
  readonly completed_at: string | null
  /** How much of the amount the provider took back again. If it is all, the status is `reversed`. */
  readonly reversed_minor: number
  /** When it expires. */
  readonly expires_at: string
}

export type ReleaseRequest = {
  /** The workspace to credit. */
  readonly workspace_id: string
}

export type SuspendedPayment = {
  /** The provider's receipt. */
  readonly id: string
  /** The amount in minor units. */
  readonly amount_minor: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** The reference as the payer entered it. */
  readonly account_ref: string | null
  /** When it was paid. */
  readonly paid_at: string
}

export type ReversalRequest = {
  /** The reason. The customer sees it on the statement. */
  readonly note: string
}

export type StatementEntry = {
  /** The id of the entry. */
  readonly id: string
  /** The number of the entry in the wallet, from 1 without gaps: each begins at the balance of the one before. */
  readonly sequence: number
  /** The kind of the entry. */
  readonly kind: StatementKind
  /** Positive into the wallet, negative out of it. */
  readonly amount_minor: number
  /** The balance after the entry, in minor units. */
  readonly balance_after_minor: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** What the movement is about: `call`, `topup`, `number` … */
  readonly reference_type: string
  /** The id of what the entry is about. */
  readonly reference_id: string
  /** A description for people. */
  readonly description: string
  /** When it was created. */
  readonly created_at: string
  /** Who caused the entry. */
  readonly actor: unknown
  /** What the entry refers to beside its reference. */
  readonly metadata: unknown
}

export type AdjustmentRequest = {
  /** `manual_credit`, `refund`, `fee_waiver` or `manual_debit`. */
  readonly kind: string
  /** Positive; the kind decides the direction. */
  readonly amount_minor: number
  /** The currency of the wallet. */
  readonly currency: string
  /** The reason. It is shown on the customer's statement. */
  readonly note: string
  /** The ticket, invoice or payment that the adjustment is for. */
  readonly reference: string
  /** Whether a debit may take more than is available. Default: false. */
  readonly allow_negative?: boolean
}

export type JsonWebKeySet = {
  /** The keys (RFC 7517). */
  readonly keys: ReadonlyArray<PublicJwk>
}

export type PublicJwk = {
  /** The type of the key. */
  readonly kty: "EC"
  /** The curve. */
  readonly crv: "P-256"
  /** The x coordinate, base64url. */
  readonly x: string
  /** The y coordinate, base64url. */
  readonly y: string
  /** The id of the key. */
  readonly kid: string
  /** The algorithm. */
  readonly alg: "ES256"
  /** What the key is for. */
  readonly use: "sig"
}

export type AssignedGateway = {
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The gateway that carries the workspace. */
  readonly gateway_id: string
}

export type GatewayAssignment = {
  /** The gateway that carries the workspace from now on. It may connect later. */
  readonly gateway_id: string
}

export type Gateway = {
  /** The name with which the gateway connects. */
  readonly gateway_id: string
  /** `away`: it was connected before. Calls of its workspaces are refused until it is back. */
  readonly state: "connected" | "away" | "never_connected"
  /**
   * Since when it has been connected or away, as far as this run of the engine knows; `null` if it never connected.
   */
  readonly since: string | null
  /** How often it has connected. */
  readonly connections: number
  /** How many workspaces it carries. */
  readonly workspaces: number
}

export type PolicyCeilings = {
  /** The most that may be spent a day, in minor units; `null`: no limit. */
  readonly daily_spend_limit_minor?: number | null
  /** The most calls at once. */
  readonly max_concurrent_calls?: number | null
  /** The most new calls a second. */
  readonly calls_per_second?: number | null
  /** The most calls an hour to one number; `null`: no limit. */
  readonly max_calls_per_destination_per_hour?: number | null
  /** The most calls in the hour after the first to a country; `null`: no limit. */
  readonly max_calls_to_new_country?: number | null
  /** The most calls an hour on the workspace's first day; `null`: no limit. */
  readonly max_calls_per_hour_on_first_day?: number | null
  /** The most high-risk calls at once; `null`: no limit. */
  readonly max_concurrent_high_risk_calls?: number | null
}

export type Workspace = {
  /** The id of the workspace. */
  readonly id: string
  /** The name. */
  readonly name: string
  /** A `suspended` or `closed` workspace can be read, but nothing in it can be changed. */
  readonly status: "onboarding" | "active" | "suspended" | "closed"
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN" | null
  /** `platform` once a number is claimed, `byoc` once a trunk becomes active. The choice is final. */
  readonly number_mode: "unset" | "platform" | "byoc"
  /** Days until recordings are deleted. */
  readonly retention_days: number
  /** When it was created. */
  readonly created_at: string
  /** `false` for what belongs to the sandbox (test mode). */
  readonly livemode?: boolean
  /** For a sandbox: its workspace. */
  readonly sandbox_of?: string | null
}

export type SuspendRequest = {
  /** The reason, which the workspace can read. */
  readonly reason?: string
}

export type Invitation = {
  /** The id of the invitation. */
  readonly id: string
  /** The e-mail address. */
  readonly email: string
  /** What the person may do. */
  readonly role: Role
  /** The member can read but change nothing, whatever the role allows. For viewers and members only. */
  readonly read_only: boolean
  /** The state of the invitation. */
  readonly status: "pending" | "accepted" | "revoked" | "expired"
  /** The e-mail address of the member who sent the invitation. */
  readonly invited_by: string
  /** When it was created. */
  readonly created_at: string
  /** When it expires. */
  readonly expires_at: string
}

export type Role = "viewer" | "member" | "admin" | "owner"

export type InvitationRequest = {
  /** The e-mail address. */
  readonly email: string
  /** What the person may do. */
  readonly role: Role
  /** The member can read but change nothing, whatever the role allows. For viewers and members only. */
  readonly read_only?: boolean
}

export type Member = {
  /** The id of the person. */
  readonly user_id: string
  /** The e-mail address. */
  readonly email: string
  /** What the person may do. */
  readonly role: Role
  /** The member can read but change nothing, whatever the role allows. For viewers and members only. */
  readonly read_only: boolean
  /** When the person joined. */
  readonly joined_at: string
}

export type MemberPatch = {
  /** What the person may do. */
  readonly role?: Role
  /** The member can read but change nothing, whatever the role allows. For viewers and members only. */
  readonly read_only?: boolean
}

export type AcceptedInvitation = {
  /** The id of the workspace. */
  readonly workspace_id: string
  /** What the person may do. */
  readonly role: Role
}

export type AcceptInvitationRequest = {
  /**
   * The token in the link of the e-mail. Default: the token in the cookie that was set while you were not signed
   * in.
   */
  readonly token?: string
}

export type WorkspaceRequest = {
  /** 1 to 100 characters, at least one of them not blank. */
  readonly name: string
  /** The currency of the wallet: KES, UGX, TZS, RWF, ZAR, GHS or NGN. It cannot be changed later. */
  readonly currency: string
}

export type SessionRow = {
  /** The id of the session. */
  readonly id: string
  /** Whether it is the session of this request. */
  readonly current: boolean
  /** The id of the workspace. */
  readonly workspace_id: string | null
  /** When it was created. */
  readonly created_at: string
  /** Accurate to the minute. */
  readonly last_seen_at: string
  /** The latest end. 12 hours without a request end the session earlier. */
  readonly expires_at: string
  /** The address that the request came from. */
  readonly ip: string | null
  /** The browser. */
  readonly user_agent: string | null
}

export type Session = {
  /** The person. */
  readonly user: User
  /** Whether you operate the platform. */
  readonly operator: boolean
  /** The workspace of the session; null until you have one. */
  readonly workspace_id: string | null
  /** The workspaces of the person. */
  readonly workspaces: ReadonlyArray<OwnWorkspace>
}

/** A workspace that you are a member of, with your role. */
export type OwnWorkspace = {
  /** The id of the workspace. */
  readonly id: string
  /** The name. */
  readonly name: string
  /** The state of the workspace. */
  readonly status: string
  /** What the person may do. */
  readonly role: Role
  /** Whether the person may change nothing. */
  readonly read_only: boolean
}

export type User = {
  /** The id of the person. */
  readonly id: string
  /** The e-mail address. */
  readonly email: string
}

export type SessionPatch = {
  /** The workspace to act for. */
  readonly workspace_id: string
}

export type TokenRequest = {
  /** The token in the link of the e-mail. */
  readonly token: string
}

export type LinkSent = {
  /** A link was sent, if the address can sign in. */
  readonly sent: true
}

export type EmailRequest = {
  /** Case does not matter. */
  readonly email: string
}

export type AuditVerdict = {
  /** Whether no fault was found. */
  readonly valid: boolean
  /** How many entries were checked: all that are stored. */
  readonly entries: number
  /** The first entry that does not fit the chain: it was changed, or the previous one was removed. */
  readonly broken_at: {
    /** The id of it. */
    readonly id: string
    /** The position among the events of the same subject, from 1. */
    readonly sequence: number
  } | null
  /** The sequence of the last entry; `null` without entries. */
  readonly last_sequence: number | null
  /** Store it elsewhere: if the hash at this sequence is ever different, the log was rewritten. */
  readonly last_hash: string | null
}

export type AuditEntry = {
  /** The id of the entry. */
  readonly id: string
  /** Its position in the chain of the workspace, from 1. */
  readonly sequence: number
  /** What was done. */
  readonly action_kind: AuditKind
  /** Who did it. */
  readonly actor: AuditActor
  /** What it was done to. */
  readonly target: {
    /** What kind of thing it was done to. */
    readonly type: string
    /** The id of what it was done to. */
    readonly id: string
  }
  /** The address that the request came from. */
  readonly ip: string | null
  /** What the client calls itself. */
  readonly user_agent: string | null
  /** The id of the request. Equal to the header `X-Request-Id`. */
  readonly request_id: string | null
  /** The values before the change; `null` without any. */
  readonly before: unknown
  /** The values after the change; `null` without any. */
  readonly after: unknown
  /** When it was created. */
  readonly created_at: string
  /** SHA-256 in hex, over this entry and the previous hash. */
  readonly hash: string
  /** The hash of the previous entry; empty for the first. */
  readonly prev_hash: string
}

export type AuditActor = {
  /** Whether a person, a key, the system or an operator did it. */
  readonly type: "user" | "api_key" | "system" | "ops"
  /** The id of the person or key; `null` for the system. */
  readonly id: string | null
  /** The name of the person or key. */
  readonly label: string | null
}

export type AuditKind = "api_key.created" | "api_key.revoked" | "member.role_changed" | "member.removed" | "member.left" | "invitation.created" | "invitation.revoked" | "invitation.accepted" | "session.signed_in" | "session.signed_out" | "session.idp_linked" | "session.idp_unlinked" | "number.claimed" | "number.released" | "number.routing_changed" | "number.byo_registered" | "number.byo_removed" | "number.reassigned" | "number.retired" | "sip_credential.created" | "sip_credential.rotated" | "sip_credential.revoked" | "sip_trunk.created" | "sip_trunk.updated" | "sip_trunk.approved" | "sip_trunk.rejected" | "sip_trunk.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.replayed" | "storage.tier_changed" | "wallet.adjusted" | "wallet.threshold_changed" | "wallet.topup_started" | "wallet.auto_topup_changed" | "wallet.card_removed" | "calling_policy.changed" | "calling_policy.ceilings_changed" | "chatapp.settings_changed" | "chatapp.trunk_retried" | "call.terminated" | "conference.ended" | "conference.participant_removed" | "recording.downloaded" | "recording.deleted" | "workspace.suspended" | "workspace.reinstated" | "workspace.closed" | "workspace.gateway_assigned" | "workspace.voice_secret_rotated" | "series.created" | "series.generated" | "series.retired" | "provider.created" | "provider.updated" | "provider.retired" | "rate.changed" | "security.alerted"

export type CurrentApiKey = {
  /** The id of it. */
  readonly id: string
  /** A name for people. */
  readonly label: string
  /** What the key may do. */
  readonly scopes: ReadonlyArray<Scope>
  /** `live`, or `test` for the sandbox. */
  readonly env: "live" | "test"
  /** `false` for what belongs to the sandbox (test mode). */
  readonly livemode?: boolean
  /** Addresses and CIDR ranges from which the key may be used. Empty: from anywhere. */
  readonly allowed_ips: ReadonlyArray<string>
  /** The id of the member who created it. */
  readonly created_by: string | null
  /** When it was created. */
  readonly created_at: string
  /** When it expires. */
  readonly expires_at: string
  /** Up to a minute behind. */
  readonly last_used_at: string | null
  /** Whether the key was revoked. */
  readonly revoked: boolean
  /** When it was revoked; `null` if it was not. */
  readonly revoked_at: string | null
  /** The last 8 characters of the key, which tell keys apart: all keys begin alike. */
  readonly prefix: string
  /** Where the key acts: its workspace, or for a test key the sandbox of its workspace. */
  readonly workspace_id: string
  /** The name of the key's workspace. */
  readonly workspace_name: string
  /** The currency of the workspace's wallet. Null while it has none. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN" | null
}

export type Scope = "calls.read" | "calls.write" | "recordings.read" | "recordings.write" | "numbers.read" | "numbers.write" | "sip_credentials.read" | "sip_credentials.write" | "sip_trunk.read" | "sip_trunk.write" | "wallet.read" | "wallet.write" | "webhooks.read" | "webhooks.write" | "storage.read" | "storage.write" | "chatapp.read" | "chatapp.write" | "webrtc.token" | "audit.read"

export type ApiKey = {
  /** The id of the key. */
  readonly id: string
  /** A name for people. */
  readonly label: string
  /** What the key may do. */
  readonly scopes: ReadonlyArray<Scope>
  /** `live`, or `test` for the sandbox. */
  readonly env: "live" | "test"
  /** `false` for what belongs to the sandbox (test mode). */
  readonly livemode?: boolean
  /** Addresses and CIDR ranges from which the key may be used. Empty: from anywhere. */
  readonly allowed_ips: ReadonlyArray<string>
  /** The id of the member who created it. */
  readonly created_by: string | null
  /** When it was created. */
  readonly created_at: string
  /** When it expires. */
  readonly expires_at: string
  /** Up to a minute behind. */
  readonly last_used_at: string | null
  /** Whether the key was revoked. */
  readonly revoked: boolean
  /** When it was revoked; `null` if it was not. */
  readonly revoked_at: string | null
  /** The last 8 characters of the key, which tell keys apart: all keys begin alike. */
  readonly prefix: string
}

export type MintedApiKey = {
  /** The id of the key. */
  readonly id: string
  /** A name for people. */
  readonly label: string
  /** What the key may do. */
  readonly scopes: ReadonlyArray<Scope>
  /** `live`, or `test` for the sandbox. */
  readonly env: "live" | "test"
  /** `false` for what belongs to the sandbox (test mode). */
  readonly livemode?: boolean
  /** Addresses and CIDR ranges from which the key may be used. Empty: from anywhere. */
  readonly allowed_ips: ReadonlyArray<string>
  /** The id of the member who created it. */
  readonly created_by: string | null
  /** When it was created. */
  readonly created_at: string
  /** When it expires. */
  readonly expires_at: string
  /** Up to a minute behind. */
  readonly last_used_at: string | null
  /** Whether the key was revoked. */
  readonly revoked: boolean
  /** When it was revoked; `null` if it was not. */
  readonly revoked_at: string | null
  /** The last 8 characters of the key, which tell keys apart: all keys begin alike. */
  readonly prefix: string
  /** The key itself. Shown only once. */
  readonly key: string
}

export type ApiKeyRequest = {
  /** A name for people. */
  readonly label?: string
  /** What the key may do. At least one. */
  readonly scopes?: ReadonlyArray<string>
  /** RFC 3339. At most 730 days ahead. Default: in 365 days. */
  readonly expires_at?: string
  /** Default `live`. */
  readonly env?: "live" | "test"
  /** Addresses and CIDR ranges from which the key may be used. Default: from anywhere. */
  readonly allowed_ips?: ReadonlyArray<string>
}

export type ChangedStorage = {
  /** The size of the tier, in MB of 1,048,576 bytes. */
  readonly tier_mb: number
  /** The size in GB; null if it is not a whole number. */
  readonly tier_gb: number | null
  /** How many bytes the recordings take. */
  readonly used_bytes: number
  /** The number of stored recordings. */
  readonly recordings: number
  /** How many days recordings are kept. */
  readonly retention_days: number
  /** The smaller tier that takes effect on the 1st. */
  readonly pending_tier_mb: number | null
  /** Why the size will change; `null` if it stays. */
  readonly pending_reason: "renewal" | "downgrade" | null
  /** When the next month is charged; null if nothing is due. */
  readonly renews_at: string | null
  /** When a renewal made the wallet negative. After 72 hours the storage falls back to the free tier. */
  readonly past_due_since: string | null
  /** The price of a month of the tier when it was last paid. */
  readonly price_minor: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN" | null
  /** The charge for this change. */
  readonly charge_minor: number
  /** When the change applies. */
  readonly effective: "now" | "next_month"
}

export type StorageTierAssignment = {
  /** Any tier, including those that are not sold. */
  readonly tier_mb: number
}

export type StoragePrices = {
  /** The prices. */
  readonly prices: ReadonlyArray<StoragePrice>
}

export type StoragePrice = {
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** The size, in MiB. */
  readonly tier_mb: 1024 | 4096 | 5120 | 10240 | 25600 | 51200 | 102400 | 256000
  /** The price of a month, in minor units. */
  readonly monthly_price_minor: number
}

export type StoragePricesRequest = {
  /** The prices. */
  readonly prices: ReadonlyArray<StoragePrice>
}

export type StorageTierRequest = {
  /** 5, 10, 25, 50, 100 or 250. */
  readonly tier_gb: number
}

export type Storage = {
  /** The size of the tier, in MB of 1,048,576 bytes. */
  readonly tier_mb: number
  /** The size in GB; null if it is not a whole number. */
  readonly tier_gb: number | null
  /** How many bytes the recordings take. */
  readonly used_bytes: number
  /** The number of stored recordings. */
  readonly recordings: number
  /** How many days recordings are kept. */
  readonly retention_days: number
  /** The smaller tier that takes effect on the 1st. */
  readonly pending_tier_mb: number | null
  /** Why the size will change; `null` if it stays. */
  readonly pending_reason: "renewal" | "downgrade" | null
  /** When the next month is charged; null if nothing is due. */
  readonly renews_at: string | null
  /** When a renewal made the wallet negative. After 72 hours the storage falls back to the free tier. */
  readonly past_due_since: string | null
  /** The price of a month of the tier when it was last paid. */
  readonly price_minor: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN" | null
}

export type Conference = {
  /** The id of the conference. */
  readonly id: string
  /** The name by which calls join. */
  readonly name: string
  /**
   * `waiting`: nobody with `start_on_enter` has come. `in_progress`: its participants hear each other. `ended`: it
   * is over.
   */
  readonly status: "waiting" | "in_progress" | "ended"
  /** When it was created. */
  readonly created_at: string
  /** When it started; `null` while it waits. */
  readonly started_at: string | null
  /** When it ended; `null` while it lives. */
  readonly ended_at: string | null
  /** Why it ended; `null` while it lives. */
  readonly ended_by: "everyone_left" | "host_left" | "requested" | null
  /** How many calls take part now. */
  readonly participant_count: number
  /** How many times a call has joined. */
  readonly joined_count: number
  /** How many calls took part at once at most. */
  readonly peak_participants: number
  /** The calls that take part now, in the order in which they joined. */
  readonly participants: ReadonlyArray<ConferenceParticipant>
}

export type ConferenceAnnouncement = {
  /** Speaks a text. */
  readonly say: {
    /** What to speak. */
    readonly text: string
    /** The voice, if the PBX has several. */
    readonly voice?: string
    /** The language, as in BCP 47. */
    readonly language?: string
    /** How often. Default 1. */
    readonly loop?: number
  }
  /** The participant who alone hears it; absent: all do. */
  readonly call_id?: string
} | {
  /** Plays a sound file. */
  readonly play: {
    /** The sound file, WAV or MP3. */
    readonly url: string
    /** How often. Default 1. */
    readonly loop?: number
  }
  /** The participant who alone hears it; absent: all do. */
  readonly call_id?: string
}

export type ConferenceParticipantChange = {
  /** Whether the others do not hear it. */
  readonly muted?: boolean
  /** Whether it does not hear the others. */
  readonly deaf?: boolean
  /** Whether it hears music instead of the others, and they do not hear it. */
  readonly hold?: boolean
  /** The id of the call that alone hears this one; `null`: all hear it. */
  readonly coach?: string | null
}

export type CallRecord = {
  /** The id of it. */
  readonly id: string
  /** The id of the call's session on the PBX; it can be used in place of the call's id. */
  readonly session_id: string
  /** The call whose `dial` placed this leg; `null` for a call of its own. */
  readonly parent_call_id: string | null
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string | null
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** How the call came about: by the API, a `dial`, a browser, a SIP device or the chat app. */
  readonly kind: "api" | "dial" | "webrtc" | "sip" | "chatapp"
  /** The state of the call. It never goes back. */
  readonly status: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** The calling number, in E.164 form. */
  readonly from: string
  /** The called number, in E.164 form, or a SIP address. */
  readonly to: string
  /** The number that the called party sees. */
  readonly caller_id: string
  /** When it was created. */
  readonly created_at: string
  /** When the remote party began to ring; `null` until then. */
  readonly ringing_at: string | null
  /** When it was answered; `null` until then. */
  readonly answered_at: string | null
  /** When it ended; `null` until then. */
  readonly ended_at: string | null
  /** Seconds from the answer to the end, rounded up; 0 without an answer. */
  readonly duration_seconds?: number
  /** Seconds that the charge is based on. */
  readonly billed_seconds?: number
  /** The price of a started minute in minor units, fixed when the call began. */
  readonly rate_per_min_minor: number
  /** The prefix of the rate that applies; `null` if no rate does. */
  readonly matched_prefix: string | null
  /** What the call cost, in minor units. Present when the call has ended. */
  readonly cost_minor?: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: string
  /** Who has answered, if machine detection was asked for and has finished. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** Why the call ended; `null` while it lasts. */
  readonly hangup_cause: "normal_clearing" | "user_busy" | "call_rejected" | "no_answer" | "no_user_response" | "unallocated_number" | "invalid_number_format" | "network_congestion" | "service_unavailable" | "destination_refused" | "insufficient_funds" | "balance_exhausted" | "max_duration" | "ring_timeout" | "canceled_by_workspace" | "answered_elsewhere" | "callback_failed" | "callback_timeout" | "voice_action_invalid" | "actions_ended" | "media_timeout" | "session_lost" | "machine_detected" | "pbx_error" | "no_route" | null
  /** Who ended the call; `null` while it lasts. */
  readonly hangup_source: "caller" | "callee" | "workspace" | "platform" | "carrier" | null
  /** The final SIP response (RFC 3261), if there was one. */
  readonly sip_code: number | null
  /** The cause of the release (ITU-T Q.850), if the network named one. */
  readonly q850_cause: number | null
  /** How long the call rings at most. */
  readonly timeout_seconds: number
  /** The longest time that the call may last, in seconds. */
  readonly max_duration_seconds: number
  /** The newest recording of the call; `null` without one. */
  readonly recording: {
    /** The id of the recording. */
    readonly id: string
    /** The state of the recording. */
    readonly status: "in_progress" | "processing" | "available" | "failed" | "expired" | "deleted"
    /** Where the recording can be read. */
    readonly url: string
  } | null
  /** Values of your own, as text. */
  readonly metadata: { readonly [name: string]: string }
  /** Your own reference. */
  readonly client_reference: string | null
  /** The legs that this call's `dial` placed. */
  readonly child_call_ids: ReadonlyArray<string>
  /** Reserved; always `null`. */
  readonly agent: null
  /** Whether the end of the call was requested and is under way. */
  readonly terminating: boolean
  /** `false` for what belongs to the sandbox (test mode). */
  readonly livemode?: boolean
}

export type ConferenceParticipantRequest = {
  /** The number to call, in E.164 form. */
  readonly to: string
  /** An active number of the workspace, in E.164 form. */
  readonly from: string
  /** How long the call rings at most. */
  readonly timeout_seconds?: number
  /** The longest time that the call may last, in seconds. */
  readonly max_duration_seconds?: number
  /** DTMF digits to send; `w` waits half a second, `W` a second. */
  readonly send_digits?: string
  /** Values of your own, as text. */
  readonly metadata?: { readonly [name: string]: string }
  /** Your own reference. */
  readonly client_reference?: string
  /** How it joins: the members of the action but its name. */
  readonly conference?: {
    /** Whether the others do not hear it. */
    readonly muted?: boolean
    /** Whether it does not hear the others. */
    readonly deaf?: boolean
    /** Whether the conference starts when it joins. Default true. */
    readonly start_on_enter?: boolean
    /** Whether the conference ends when it leaves. Default false. */
    readonly end_on_exit?: boolean
    /** If so many take part, the call is told `full`. Default 10. */
    readonly max_participants?: number
    /** What it hears until the conference starts: `music`, `silence`, or the URL of a sound. */
    readonly wait?: "music" | "silence" | string
    /** When the others hear a beep: as it joins, as it leaves, at both, or never. */
    readonly beep?: "both" | "enter" | "exit" | "none"
    /** The id of the call that alone hears this one. */
    readonly coach?: string
    /** The longest time in the conference, in seconds. Default 14,400. */
    readonly time_limit?: number
    /** The URL that is asked with the result; without it the next action follows. */
    readonly action_url?: string
  }
}

export type SipTrunk = {
  /** The id of the trunk. */
  readonly id: string
  /**
   * `ip`: each side accepts calls from the other's IP addresses. `digest`: calls are authenticated with a username
   * and password. `registration`: the platform registers with your registrar. `signaling`: IP peering, which an
   * operator has to approve.
   */
  readonly auth_mode: "ip" | "digest" | "registration" | "signaling"
  /** The port of the other side. */
  readonly port: number
  /** The transport of SIP. */
  readonly transport: "udp" | "tcp" | "tls"
  /** Addresses or ranges that requests may come from; empty: any. */
  readonly allowed_ips: ReadonlyArray<string>
  /** The name with which the platform authenticates. */
  readonly username: string | null
  /** The realm of the digest; `null`: any. */
  readonly realm: string | null
  /** How long a registration lasts; `null` if the platform does not register. */
  readonly expires_seconds: number | null
  /** Who is told about problems of the trunk. */
  readonly contact_email: string | null
  /** A name for people. */
  readonly label: string | null
  /** The most calls at once. */
  readonly max_channels: number | null
  /** The most new calls a second. */
  readonly max_cps: number | null
  /** The codecs in order of preference. */
  readonly codecs: ReadonlyArray<"PCMA" | "PCMU" | "opus" | "G722" | "G729">
  /** How digits are sent. */
  readonly dtmf: "rfc4733" | "info" | "inband"
  /** Whether the audio is encrypted. */
  readonly srtp: "off" | "optional" | "required"
  /** The session timer (RFC 4028), in seconds. */
  readonly session_timer_seconds: number
  /** How caller IDs are written. */
  readonly caller_id_format: "e164" | "digits" | "national"
  /** The host of the other side. */
  readonly host: string | null
  /** Set instead of `host` in mode `registration`. */
  readonly registrar: string | null
  /** The state of the trunk. */
  readonly status: "pending" | "active" | "failed"
  /** Why the trunk failed or was taken off the PBX, or what it is waiting for. */
  readonly status_reason: string | null
  /** Whether the trunk answers. */
  readonly health: {
    /** Whether the last probe was answered; `null` before the first. */
    readonly reachable: boolean | null
    /** When it was probed last; `null` before the first time. */
    readonly last_checked_at: string | null
    /** Until when the platform is registered; `null` if it is not. */
    readonly registered_until: string | null
    /** The SIP response to the last probe; `null` without one. */
    readonly last_sip_code: number | null
  }
  /** When the operators approved the trunk; `null` until then. */
  readonly approved_at: string | null
  /** When it was created. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
}

export type SipTrunkRejectRequest = {
  /** Shown to the workspace. */
  readonly reason?: string
}

export type WebrtcSession = {
  /** The token's `jti`. */
  readonly id: string
  /** Where the client connects. */
  readonly endpoint: string
  /** The WebSocket subprotocol (RFC 7118). */
  readonly protocol: "sip"
  /** ICE servers, which accept the client while the token is valid. */
  readonly turnServer: ReadonlyArray<{
    /** The addresses of the server. */
    readonly urls: ReadonlyArray<string>
    /** The name for the server. */
    readonly username: string
    /** The password for the server. */
    readonly credential: string
  }>
  /** The name of the browser. */
  readonly clientName: string
  /** How the browser registers. */
  readonly sipProfile: {
    /** The SIP address of the browser. */
    readonly uri: string
    /** The extension by which the device is called. */
    readonly extension: string
    /** The name that called devices see; `null` without one. */
    readonly display_name: string | null
    /** The caller ID of its calls. */
    readonly number: string
  }
  /** Seconds. */
  readonly expiresIn: number
  /** For this client only. */
  readonly token: string
}

export type WebrtcTokenRequest = {
  /** Names the client in your own records. Default: the extension. */
  readonly client_name?: string
  /** Use the oldest extension of this number. */
  readonly number_id?: string
  /** Use this extension. Default, without `number_id`: the oldest extension of the workspace. */
  readonly extension?: string
  /** Default: 900. */
  readonly ttl_seconds?: number
  /** What the client may do. Default: both. */
  readonly allow?: {
    /** Whether it may be called. */
    readonly incoming?: boolean
    /** Whether it may call. */
    readonly outgoing?: boolean
  }
  /** Up to 16 values of your own, included in the token. */
  readonly metadata?: { readonly [name: string]: string }
}

export type SipTrunkRequest = {
  /** `ip`, `digest`, `registration` or `signaling`. */
  readonly auth_mode: string
  /** Host name or IP address of your side. Required except for `registration`. */
  readonly host?: string
  /** Host name or IP address of your registrar. Required for `registration`. */
  readonly registrar?: string
  /** Default 5060, or 5061 with `tls`. */
  readonly port?: number
  /** `udp` (default), `tcp` or `tls`. */
  readonly transport?: string
  /** 1 to 16 public IP addresses or CIDR ranges that your calls come from. Required for `ip` and `signaling`. */
  readonly allowed_ips?: ReadonlyArray<string>
  /** Required for `digest` and `registration`. */
  readonly username?: string
  /** Required for `digest` and `registration`. Never returned. */
  readonly password?: string
  /** The realm of the digest. */
  readonly realm?: string
  /** Lifetime of a registration: 300 to 3600. Default 3600. For `registration`. */
  readonly expires_seconds?: number
  /** Required for `signaling`. */
  readonly contact_email?: string
  /** A name for people. */
  readonly label?: string
  /** Concurrent calls in both directions: 1 to 10,000, or null for no limit. Default 30. */
  readonly max_channels?: number | null
  /** Outbound calls per second: 1 to 1,000, or null for no limit. Default 5. */
  readonly max_cps?: number | null
  /** Any of PCMA, PCMU, opus, G722 and G729. Default: PCMA and PCMU. */
  readonly codecs?: ReadonlyArray<string>
  /** `rfc4733` (default), `info` or `inband`. */
  readonly dtmf?: string
  /** `off` (default), `optional` or `required`. */
  readonly srtp?: string
  /** 90 to 7200, or 0 to disable session timers. Default 1800. */
  readonly session_timer_seconds?: number
  /** `e164` (default), `digits` (E.164 without the plus) or `national`. */
  readonly caller_id_format?: string
}

export type LinkedRecording = {
  /** The id of the recording. */
  readonly id: string
  /** The id of the call. */
  readonly call_id: string
  /** The state of the recording. */
  readonly status: "in_progress" | "processing" | "available" | "failed" | "expired" | "deleted"
  /** What asked for the recording. */
  readonly source: "dial" | "originate" | "routing" | "verb"
  /** 2: each side of the call has its own channel. */
  readonly channels: 1 | 2
  /** The format of the audio file. */
  readonly format: "mp3" | "wav" | "ogg"
  /** Rounded up; null until the recording is available. */
  readonly duration_seconds: number | null
  /** The size of the audio in bytes. */
  readonly size_bytes: number | null
  /** SHA-256 of the downloaded audio, in hex. */
  readonly sha256: string | null
  /** Why the recording failed. */
  readonly error: string | null
  /** Why the audio was removed. */
  readonly reason: "retention" | "storage_full" | "deleted" | null
  /** When the recording began. */
  readonly created_at: string
  /** When it is deleted at the latest; null until the recording is available. */
  readonly expires_at: string | null
  /** Link to the audio. Valid for 15 minutes, needs no API key. Each issued link is recorded in the audit log. */
  readonly download_url: string | null
  /** When the link stops working. */
  readonly download_url_expires_at: string | null
}

export type Recording = {
  /** The id of the recording. */
  readonly id: string
  /** The id of the call. */
  readonly call_id: string
  /** The state of the recording. */
  readonly status: "in_progress" | "processing" | "available" | "failed" | "expired" | "deleted"
  /** What asked for the recording. */
  readonly source: "dial" | "originate" | "routing" | "verb"
  /** 2: each side of the call has its own channel. */
  readonly channels: 1 | 2
  /** The format of the audio file. */
  readonly format: "mp3" | "wav" | "ogg"
  /** Rounded up; null until the recording is available. */
  readonly duration_seconds: number | null
  /** The size of the audio in bytes. */
  readonly size_bytes: number | null
  /** SHA-256 of the downloaded audio, in hex. */
  readonly sha256: string | null
  /** Why the recording failed. */
  readonly error: string | null
  /** Why the audio was removed. */
  readonly reason: "retention" | "storage_full" | "deleted" | null
  /** When the recording began. */
  readonly created_at: string
  /** When it is deleted at the latest; null until the recording is available. */
  readonly expires_at: string | null
}

export type SipCredential = {
  /** The id of the credential. */
  readonly id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string
  /** Four digits, unique among the active credentials of the workspace. */
  readonly extension: string
  /** For the digest authentication of the device. */
  readonly username: string
  /** Where devices register. */
  readonly domain: string
  /** Currently registered devices. */
  readonly registrations: ReadonlyArray<{
    /** The contact URI that the device registered. */
    readonly contact: string
    /** What the client calls itself. */
    readonly user_agent: string | null
    /** The transport of SIP. */
    readonly transport: string | null
    /** When it expires. */
    readonly expires_at: string
  }>
  /** When a device last registered; `null` if none has. */
  readonly last_registered_at: string | null
  /** A name for people. */
  readonly label: string | null
  /** The name that called devices see; `null` without one. */
  readonly display_name: string | null
  /** The state of it. */
  readonly status: "active" | "revoked"
  /** Devices that may be registered at once. */
  readonly max_contacts: number
  /** Whether phones must encrypt audio, and how. `optional`: they may. Browsers always do. */
  readonly media_encryption: "optional" | "sdes" | "dtls"
  /** When it was created. */
  readonly created_at: string
  /** When the password was last changed; `null` if it was not. */
  readonly rotated_at: string | null
  /** When it was revoked; `null` if it was not. */
  readonly revoked_at: string | null
}

export type SipCredentialWithPassword = {
  /** The id of the credential. */
  readonly id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string
  /** Four digits, unique among the active credentials of the workspace. */
  readonly extension: string
  /** For the digest authentication of the device. */
  readonly username: string
  /** Where devices register. */
  readonly domain: string
  /** Currently registered devices. */
  readonly registrations: ReadonlyArray<{
    /** The contact URI that the device registered. */
    readonly contact: string
    /** What the client calls itself. */
    readonly user_agent: string | null
    /** The transport of SIP. */
    readonly transport: string | null
    /** When it expires. */
    readonly expires_at: string
  }>
  /** When a device last registered; `null` if none has. */
  readonly last_registered_at: string | null
  /** A name for people. */
  readonly label: string | null
  /** The name that called devices see; `null` without one. */
  readonly display_name: string | null
  /** The state of it. */
  readonly status: "active" | "revoked"
  /** Devices that may be registered at once. */
  readonly max_contacts: number
  /** Whether phones must encrypt audio, and how. `optional`: they may. Browsers always do. */
  readonly media_encryption: "optional" | "sdes" | "dtls"
  /** When it was created. */
  readonly created_at: string
  /** When the password was last changed; `null` if it was not. */
  readonly rotated_at: string | null
  /** When it was revoked; `null` if it was not. */
  readonly revoked_at: string | null
  /** The password. It is shown only in this response. */
  readonly password: string
}

export type SipCredentialRotateRequest = {
  /** How long the previous password is still accepted. Default: 0. */
  readonly grace_seconds?: number
}

export type SipCredentialRequest = {
  /** Exactly four digits. */
  readonly extension: string
  /** A name for people. */
  readonly label?: string
  /** Shown to the extensions that it calls. */
  readonly display_name?: string
  /** Devices that may be registered at once. Default: 3. */
  readonly max_contacts?: number
  /** `sdes` or `dtls`: calls of phones that do not encrypt audio this way are refused. Default: `optional`. */
  readonly media_encryption?: "optional" | "sdes" | "dtls"
}

export type Rate = {
  /** The id of it. */
  readonly id: string
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** The digits that a number begins with. */
  readonly prefix: string
  /** The country (ISO 3166-1 alpha-2). */
  readonly country: string | null
  /** A description for people. */
  readonly description: string
  /** The price of a started minute, in minor units. */
  readonly per_min_minor: number
  /** The risk class of the destination. */
  readonly class: "normal" | "high_risk" | "premium" | "blocked" | "byo"
  /** From when it applies. */
  readonly effective_from: string
  /** Until when it applies; `null`: until it is replaced. */
  readonly effective_to: string | null
}

export type RatesChanged = {
  /** How many rows were new. */
  readonly inserted: number
  /** Rates that replaced one of the same currency, direction, prefix and `effective_from`. */
  readonly updated: number
  /** How many rows were as they are now. */
  readonly unchanged: number
}

export type RatesRequest = {
  /** The rates. */
  readonly rates: ReadonlyArray<RateRequest>
}

export type RateRequest = {
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** Digits without `+`. */
  readonly prefix: string
  /** The country (ISO 3166-1 alpha-2). */
  readonly country?: string | null
  /** A description for people. */
  readonly description?: string
  /** The price of a started minute, in minor units. */
  readonly per_min_minor: number
  /** Default `normal`. */
  readonly class?: "normal" | "high_risk" | "premium" | "blocked" | "byo"
  /** From when it applies. */
  readonly effective_from?: string
  /** Absent or null: no end. */
  readonly effective_to?: string | null
}

export type Provider = {
  /** The id of the provider. */
  readonly id: string
  /** The name of the provider. */
  readonly name: string
  /** The state of the provider. */
  readonly status: "active" | "retired"
  /** How the provider is reached. */
  readonly sip: {
    /** The host of the other side. */
    readonly host: string
    /** The port of the other side. */
    readonly port: number
    /** The transport of SIP. */
    readonly transport: "udp" | "tcp" | "tls"
    /** The name with which the platform authenticates; `null`: by address. */
    readonly username: string | null
    /** Whether there is a password. */
    readonly password_set: boolean
  }
  /** The most calls at once. */
  readonly max_channels: number
  /** The most new calls a second. */
  readonly max_cps: number
  /** When it was created. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
}

export type ProviderPatch = {
  /** The name of the provider. */
  readonly name?: string
  /** How the provider is reached. */
  readonly sip?: {
    /** The host of the other side. */
    readonly host?: string
    /** Default 5060. */
    readonly port?: number
    /** Default `udp`. */
    readonly transport?: "udp" | "tcp" | "tls"
    /** The name with which the platform authenticates; `null`: by address. */
    readonly username?: string | null
    /** Stored encrypted and never shown. */
    readonly password?: string | null
  }
  /** The most calls at once. */
  readonly max_channels?: number
  /** The most new calls a second. */
  readonly max_cps?: number
}

export type ProviderRequest = {
  /** The name of the provider. */
  readonly name: string
  /** How the provider is reached. */
  readonly sip: {
    /** The host of the other side. */
    readonly host: string
    /** Default 5060. */
    readonly port?: number
    /** Default `udp`. */
    readonly transport?: "udp" | "tcp" | "tls"
    /** The name with which the platform authenticates; `null`: by address. */
    readonly username?: string | null
    /** Stored encrypted and never shown. */
    readonly password?: string | null
  }
  /** Concurrent calls. Default 30. */
  readonly max_channels?: number
  /** New calls per second. Default 5. */
  readonly max_cps?: number
}

export type PhoneNumber = {
  /** The id of the number. */
  readonly id: string
  /** E.164. */
  readonly number: string
  /** The state of the number. */
  readonly status: "active" | "past_due" | "suspended" | "released" | "retired"
  /** `platform`: rented from the platform. `byo`: the workspace's own. */
  readonly source: "platform" | "byo"
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** The kind of the number. */
  readonly type: "mobile" | "local" | "national" | "toll_free"
  /** What the number can do. */
  readonly capabilities: ReadonlyArray<"voice" | "sms" | "webrtc">
  /** A name for people. */
  readonly label: string | null
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN" | null
  /** The price of a month, in minor units. */
  readonly monthly_price_minor: number | null
  /** The price of a started minute of an inbound call, in minor units. */
  readonly inbound_per_min_minor: number | null
  /** The price of a started minute that replaces the rate; `null`: the rate applies. */
  readonly outbound_per_min_minor: number | null
  /** What happens to calls to the number. */
  readonly routing: NumberRouting
  /** When the workspace claimed the number. */
  readonly claimed_at: string | null
  /** When the next month is paid. */
  readonly renews_at: string | null
  /** Since when the renewal is unpaid; `null` if it is paid. */
  readonly past_due_since: string | null
  /** When the number was released; `null` while it is claimed. */
  readonly released_at: string | null
}

export type ReassignNumberRequest = {
  /** The workspace that gets the number. */
  readonly workspace_id: string
}

export type SeriesPriceRecord = {
  /** The id of the series. */
  readonly series_id: string
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** The price of a month, in minor units. */
  readonly monthly_price_minor: number
  /** The price of a started minute of an inbound call, in minor units. */
  readonly inbound_per_min_minor: number
  /** The price of a started minute that replaces the rate; `null`: the rate applies. */
  readonly outbound_per_min_minor: number
}

export type SeriesPrices = {
  /** The prices. */
  readonly prices: ReadonlyArray<SeriesPriceRecord>
}

export type SeriesPricesRequest = {
  /** The prices. */
  readonly prices: ReadonlyArray<SeriesPriceRecord>
}

export type RetiredSeries = {
  /** The id of the series. */
  readonly id: string
  /** The provider that carries the calls of the series; `null`: the platform's default. */
  readonly provider_id: string | null
  /** The country (ISO 3166-1 alpha-2). */
  readonly country: string
  /** The digits that all numbers of the series begin with. */
  readonly prefix: string
  /** The first suffix. */
  readonly start_suffix: number
  /** The last suffix. */
  readonly end_suffix: number
  /** How many digits follow the prefix. */
  readonly suffix_length: number
  /** The kind of it. */
  readonly type: "mobile" | "local" | "national" | "toll_free"
  /** The place that the number belongs to; `null` if it belongs to none. */
  readonly locality: string | null
  /** What the number can do. */
  readonly capabilities: ReadonlyArray<"voice" | "sms" | "webrtc">
  /** The state of the series. */
  readonly status: "active" | "inactive" | "retired"
  /** The prices. */
  readonly prices: ReadonlyArray<SeriesPrice>
  /** When it was created. */
  readonly created_at: string
  /** How many unclaimed numbers left the inventory. */
  readonly retired_numbers: number
}

export type SeriesPrice = {
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** The price of a month, in minor units. */
  readonly monthly_price_minor: number
  /** The price of a started minute of an inbound call, in minor units. */
  readonly inbound_per_min_minor: number
  /** The price of a started minute that replaces the rate; `null`: the rate applies. */
  readonly outbound_per_min_minor: number
}

export type GeneratedNumbers = {
  /** The id of the series. */
  readonly series_id: string
  /** The first suffix. */
  readonly start_suffix: number
  /** The last suffix. */
  readonly end_suffix: number
  /** New numbers. 0: the range was generated before. */
  readonly generated: number
}

export type GenerateNumbersRequest = {
  /** The first suffix. */
  readonly start_suffix?: number
  /** The last suffix. */
  readonly end_suffix?: number
}

export type Series = {
  /** The id of the series. */
  readonly id: string
  /** The provider that carries the calls of the series; `null`: the platform's default. */
  readonly provider_id: string | null
  /** The country (ISO 3166-1 alpha-2). */
  readonly country: string
  /** The digits that all numbers of the series begin with, in E.164 form. */
  readonly prefix: string
  /** The first suffix. */
  readonly start_suffix: number
  /** The last suffix. */
  readonly end_suffix: number
  /** How many digits follow the prefix. */
  readonly suffix_length: number
  /** The kind of it. */
  readonly type: "mobile" | "local" | "national" | "toll_free"
  /** The place that the number belongs to; `null` if it belongs to none. */
  readonly locality: string | null
  /** What the number can do. */
  readonly capabilities: ReadonlyArray<"voice" | "sms" | "webrtc">
  /** The state of the series. */
  readonly status: "active" | "inactive" | "retired"
  /** The prices. */
  readonly prices: ReadonlyArray<SeriesPrice>
  /** When it was created. */
  readonly created_at: string
}

export type SeriesRequest = {
  /** The provider that carries the calls of the series; `null`: the platform's default. */
  readonly provider_id?: string | null
  /** The country (ISO 3166-1 alpha-2). */
  readonly country: string
  /** Beginning of all its numbers: `+` and digits. */
  readonly prefix: string
  /** The first suffix. */
  readonly start_suffix: number
  /** The last suffix. Greater than `start_suffix`. */
  readonly end_suffix: number
  /** Digits of every suffix, padded with zeros. Default: the digits of `end_suffix`. */
  readonly suffix_length?: number
  /** Default `local`. */
  readonly type?: "mobile" | "local" | "national" | "toll_free"
  /** The place that the number belongs to; `null` if it belongs to none. */
  readonly locality?: string | null
  /** What the number can do. */
  readonly capabilities: ReadonlyArray<"voice" | "sms" | "webrtc">
  /** Default `active`. */
  readonly status?: "active" | "inactive"
  /** The prices. */
  readonly prices?: ReadonlyArray<SeriesPrice>
}

export type SimulatedCall = {
  /** The call as it would be. There is no such call: its id finds nothing. */
  readonly call: CallRecord
  /** The calls that it would dial. */
  readonly legs: ReadonlyArray<CallRecord>
  /** What would happen, as the timeline of a call lists it: events, callbacks with their answers, and actions. */
  readonly entries: ReadonlyArray<TimelineEntry>
  /** Whether more would happen than is listed. */
  readonly has_more: boolean
  /** How long the remote party would talk. */
  readonly duration_seconds: number
  /** What the call and its legs would cost. Nothing is charged. */
  readonly cost_minor: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: string
  /**
   * Why the simulation stopped before the call ended: at `max_seconds`, after too many steps, or because callbacks
   * took longer than 12 seconds together. Null: the call ended.
   */
  readonly stopped: "max_seconds" | "too_many_steps" | "too_slow" | null
}

export type TimelineEntry = {
  /** The same in every reading of the timeline. */
  readonly id: string
  /** The `id` of the entry that caused this one. Null if that is not known, or not listed. */
  readonly caused_by: string | null
  /** When it happened. */
  readonly at: string
  /** The call, or one of its legs. */
  readonly call_id: string
  /**
   * A kind of event, or `hold.placed`, `hold.extended`, `hold.captured`, `hold.released`, `charge.booked`,
   * `callback.asked`, `callback.attempt`, `callback.answered`, `action.started`, `action.finished`, `announcement`,
   * `pbx.command`, `stream.opened`, `stream.closed`, `webhook.queued`, `webhook.attempt`.
   */
  readonly kind: string
  /**
   * The source of the entry (`request`, `dial`, `pbx`, `callback`, `clock`, `wallet`, `call`, `stream` or
   * `webhook`), a colon, and details.
   */
  readonly cause: string
  /** What belongs to this kind of entry. */
  readonly detail: { readonly [name: string]: unknown }
}

export type SimulationRequest = {
  /** Default: outbound. An inbound call is routed as its number says. */
  readonly direction?: "outbound" | "inbound"
  /** What to do when the call is answered: the document to try. */
  readonly actions?: ReadonlyArray<unknown>
  /**
   * The callback to try, with `simulated` in its body. In a live workspace only one of the number's routing.
   * Inbound: in place of its `voice_url`.
   */
  readonly voice_callback_url?: string
  /** URL that is asked instead if voice_callback_url cannot be reached or responds with 5xx. */
  readonly voice_fallback_url?: string
  /** Outbound: an active number of the workspace, required. Inbound: the caller. Default: +99900000001. */
  readonly from?: string
  /**
   * Outbound: the number to call, which decides the price. Default: +99900000001, where test numbers can be called.
   * Inbound: a number of the workspace, required.
   */
  readonly to?: string
  /**
   * The phone of the remote party. Default: a test number in `to` does what it does, any other phone answers and
   * stays.
   */
  readonly phone?: SimulatedPhone
  /** The phones that the call dials. Default: a test number does what it does, any other phone answers and stays. */
  readonly dialled?: SimulatedPhone
  /** How long to ring. Default 30. */
  readonly timeout_seconds?: number
  /** Maximum duration of the call in seconds, after which it is hung up. Default 14,400. */
  readonly max_duration_seconds?: number
  /** DTMF digits to send when the call is answered; w waits half a second, W a second. */
  readonly send_digits?: string
  /** What to record. `true` means `record-from-answer`. The `-dual` forms record each side in its own channel. */
  readonly record?: "do-not-record" | "record-from-answer" | "record-from-ringing" | "record-from-answer-dual" | "record-from-ringing-dual" | true
  /**
   * Detect whether a person or a machine has answered before the callback is asked, and optionally wait for the end
   * of a machine's greeting.
   */
  readonly machine_detection?: "off" | "detect" | "detect_message_end"
  /** Maximum time to wait for machine detection before the callback is asked. Default 30. */
  readonly machine_detection_timeout_seconds?: number
  /** Up to 16 values of your own, which records, events and callbacks repeat. */
  readonly metadata?: { readonly [name: string]: string }
  /** What is in the wallet of the simulation. Default: enough. */
  readonly balance_minor?: number
  /** The simulation stops after this many seconds of the call's time. Default 600. */
  readonly max_seconds?: number
}

export type SimulatedPhone = {
  /** Who or what takes the call. Default: a person. */
  readonly answers?: "person" | "machine" | "busy" | "declined" | "no_answer" | "unreachable"
  /** How long it rings before it is answered. Default 2. */
  readonly after_seconds?: number
  /** When the phone hangs up, counted from the answer. Default: never. */
  readonly talks_seconds?: number
  /** The keys that it presses: the first text in the first `gather`, and so on. */
  readonly keys?: ReadonlyArray<string>
  /** What it says: the first text in the first `gather` that waits for speech, and so on. */
  readonly says?: ReadonlyArray<string>
}

export type VoiceActionsVerdict = {
  /** Whether the document is valid. */
  readonly valid: boolean
  /** The first error of each action. */
  readonly errors: ReadonlyArray<{
    /** A JSON pointer (RFC 6901) to the error. */
    readonly pointer: string
    /** What is at fault. */
    readonly message: string
  }>
}

export type CallingPolicy = {
  /** ISO 3166-1 alpha-2 codes. Calls to other countries are refused. */
  readonly allowed_countries: ReadonlyArray<string>
  /** Digits, country code first. Calls to numbers that begin with them are refused. */
  readonly blocked_prefixes: ReadonlyArray<string>
  /** Whether destinations of class high_risk or premium may be called. */
  readonly allow_high_risk: boolean
  /** Calls to destinations that cost more per minute are refused; null: no limit. */
  readonly max_rate_per_min_minor: number | null
  /** Maximum number of concurrent legs. */
  readonly max_concurrent_calls: number
  /** Maximum number of legs placed per second; twice as many in a burst. */
  readonly calls_per_second: number
  /** What today's calls (UTC) may cost, with the money held for current ones; null: no limit. */
  readonly daily_spend_limit_minor: number | null
  /** Maximum number of calls to one number per hour; null: no limit. */
  readonly max_calls_per_destination_per_hour: number | null
  /**
   * Maximum number of calls to a country in the hour after the first call there; null: no limit. The country of the
   * calling number does not count.
   */
  readonly max_calls_to_new_country: number | null
  /** Maximum number of calls per hour in the 24 hours after the first call; null: no limit. */
  readonly max_calls_per_hour_on_first_day: number | null
  /** Maximum number of concurrent calls to destinations of class high_risk or premium; null: no limit. */
  readonly max_concurrent_high_risk_calls: number | null
  /** Hosts that `dial` may call by SIP: `sip.example.com`, or `*.example.com` for all names under it. */
  readonly sip_allowlist: ReadonlyArray<string>
  /** Numbers in E.164 that calls may show as caller ID, in addition to the workspace's own. */
  readonly allowed_caller_ids: ReadonlyArray<string>
}

export type CallingPolicyChange = {
  /** ISO 3166-1 alpha-2 codes. Calls to other countries are refused. */
  readonly allowed_countries?: ReadonlyArray<string>
  /** Digits, country code first. Calls to numbers that begin with them are refused. */
  readonly blocked_prefixes?: ReadonlyArray<string>
  /** Whether destinations of class high_risk or premium may be called. */
  readonly allow_high_risk?: boolean
  /** Calls to destinations that cost more per minute are refused; null: no limit. */
  readonly max_rate_per_min_minor?: number | null
  /** Maximum number of concurrent legs. */
  readonly max_concurrent_calls?: number
  /** Maximum number of legs placed per second; twice as many in a burst. */
  readonly calls_per_second?: number
  /** What today's calls (UTC) may cost, with the money held for current ones; null: no limit. */
  readonly daily_spend_limit_minor?: number | null
  /** Maximum number of calls to one number per hour; null: no limit. */
  readonly max_calls_per_destination_per_hour?: number | null
  /**
   * Maximum number of calls to a country in the hour after the first call there; null: no limit. The country of the
   * calling number does not count.
   */
  readonly max_calls_to_new_country?: number | null
  /** Maximum number of calls per hour in the 24 hours after the first call; null: no limit. */
  readonly max_calls_per_hour_on_first_day?: number | null
  /** Maximum number of concurrent calls to destinations of class high_risk or premium; null: no limit. */
  readonly max_concurrent_high_risk_calls?: number | null
  /** Hosts that `dial` may call by SIP: `sip.example.com`, or `*.example.com` for all names under it. */
  readonly sip_allowlist?: ReadonlyArray<string>
  /** Numbers in E.164 that calls may show as caller ID, in addition to the workspace's own. */
  readonly allowed_caller_ids?: ReadonlyArray<string>
}

export type RotatedVoiceSecret = {
  /** The id of the workspace. */
  readonly id: string
  /** Until when the previous secret signs too; null: it no longer does. */
  readonly previous_expires_at: string | null
  /** Shown only once. */
  readonly voice_secret: string
}

export type WebhookRotateSecretRequest = {
  /** How long the previous secret signs as well. Default 86400, one day. */
  readonly previous_valid_seconds?: number
}

export type WorkspacePatch = {
  /** 1 to 100 characters, at least one of them not blank. */
  readonly name?: string
  /** After how many days recordings are deleted. */
  readonly retention_days?: number
}

export type WebhookDelivery = {
  /** The id of the delivery, which every attempt repeats. */
  readonly id: string
  /** The id of the subscription. */
  readonly subscription_id: string
  /** The id of the event. */
  readonly event_id: string
  /** The kind of the event. */
  readonly event_kind: string
  /** The state of the delivery. */
  readonly status: "pending" | "in_flight" | "retrying" | "succeeded" | "dead_letter" | "blocked"
  /** How many attempts were made. */
  readonly attempts: number
  /** When the next attempt is due; `null` if there is none. */
  readonly next_attempt_at: string | null
  /** When it was created. */
  readonly created_at: string
  /** When the delivery succeeded or was given up; `null` until then. */
  readonly finished_at: string | null
  /** Why the last attempt failed; `null` if it succeeded. */
  readonly last_error: {
    /** What went wrong. */
    readonly code: string
    /** The HTTP status of the answer; `null` without one. */
    readonly http_status: number | null
  } | null
  /** The latest attempts. */
  readonly attempt_log: ReadonlyArray<{
    /** When it happened. */
    readonly at: string
    /** How long the attempt took, in milliseconds. */
    readonly duration_ms: number
    /** The HTTP status of the answer; `null` without one. */
    readonly http_status: number | null
    /** Why there is no response, or why the response is no success. */
    readonly error: string | null
    /** The first 4 KiB of the receiver's response. */
    readonly response_excerpt: string | null
  }>
}

export type WebhookDeliveryWithBody = {
  /** The id of the delivery, which every attempt repeats. */
  readonly id: string
  /** The id of the subscription. */
  readonly subscription_id: string
  /** The id of the event. */
  readonly event_id: string
  /** The kind of the event. */
  readonly event_kind: string
  /** The state of the delivery. */
  readonly status: "pending" | "in_flight" | "retrying" | "succeeded" | "dead_letter" | "blocked"
  /** How many attempts were made. */
  readonly attempts: number
  /** When the next attempt is due; `null` if there is none. */
  readonly next_attempt_at: string | null
  /** When it was created. */
  readonly created_at: string
  /** When the delivery succeeded or was given up; `null` until then. */
  readonly finished_at: string | null
  /** Why the last attempt failed; `null` if it succeeded. */
  readonly last_error: {
    /** What went wrong. */
    readonly code: string
    /** The HTTP status of the answer; `null` without one. */
    readonly http_status: number | null
  } | null
  /** The latest attempts. */
  readonly attempt_log: ReadonlyArray<{
    /** When it happened. */
    readonly at: string
    /** How long the attempt took, in milliseconds. */
    readonly duration_ms: number
    /** The HTTP status of the answer; `null` without one. */
    readonly http_status: number | null
    /** Why there is no response, or why the response is no success. */
    readonly error: string | null
    /** The first 4 KiB of the receiver's response. */
    readonly response_excerpt: string | null
  }>
  /**
   * The body that each attempt sends, byte for byte; `null` once the event is no longer stored, and for a caller
   * who may not follow this event live.
   */
  readonly body: string | null
}

export type ListedWebhookDelivery = {
  /** The id of it. */
  readonly id: string
  /** The id of the subscription. */
  readonly subscription_id: string
  /** The id of the event. */
  readonly event_id: string
  /** The kind of the event. */
  readonly event_kind: string
  /** The state of it. */
  readonly status: "pending" | "in_flight" | "retrying" | "succeeded" | "dead_letter" | "blocked"
  /** How many attempts were made. */
  readonly attempts: number
  /** When the next attempt is due; `null` if there is none. */
  readonly next_attempt_at: string | null
  /** When it was created. */
  readonly created_at: string
  /** When the delivery succeeded or was given up; `null` until then. */
  readonly finished_at: string | null
  /** Why the last attempt failed; `null` if it succeeded. */
  readonly last_error: {
    /** What went wrong. */
    readonly code: string
    /** The HTTP status of the answer; `null` without one. */
    readonly http_status: number | null
  } | null
  /** The latest attempts. */
  readonly attempt_log: ReadonlyArray<{
    /** When it happened. */
    readonly at: string
    /** How long the attempt took, in milliseconds. */
    readonly duration_ms: number
    /** The HTTP status of the answer; `null` without one. */
    readonly http_status: number | null
    /** Why there is no response, or why the response is no success. */
    readonly error: string | null
  }>
}

export type WebhookDiagnosis = {
  /** The id of the subscription. */
  readonly subscription_id: string
  /** The URL. */
  readonly url: string
  /** Whether every probe passed and the clock is right. */
  readonly healthy: boolean
  /**
   * By how much the receiver's clock is ahead of ours, by its header `Date`, which has whole seconds; null: it
   * sends none. More than 300 seconds are a fault.
   */
  readonly clock_skew_ms: number | null
  /**
   * The requests that were sent, in their order. Each may take 5 seconds. After one without a response, or after 8
   * seconds together, nothing more is sent.
   */
  readonly probes: ReadonlyArray<WebhookProbe>
}

export type WebhookProbe = {
  /**
   * `signed`: as every delivery. `repeated`: the same once more. `odd_bytes`: letters that a parser may change.
   * `altered`: the body was changed after it was signed. `old`: signed ten minutes ago.
   */
  readonly probe: "signed" | "repeated" | "odd_bytes" | "altered" | "old"
  /** Whether a right receiver answers 2xx. */
  readonly expects: "accepted" | "refused"
  /** Status of the receiver's response; null: no response. */
  readonly http_status: number | null
  /** Why there was no response: `dns_failed`, `connect_failed`, `tls_failed`, `timeout` … */
  readonly error: string | null
  /** How long it took or lasted, in milliseconds; `null` if unknown. */
  readonly duration_ms: number
  /** Whether the receiver did what is expected. */
  readonly passed: boolean
}

export type WebhookTest = {
  /** The id of the delivery. */
  readonly delivery_id: string
  /** Status of the receiver's response; null: no response. */
  readonly http_status: number | null
  /** How long the attempt took, in milliseconds. */
  readonly duration_ms: number
  /** Why there was no response. */
  readonly error: string | null
}

export type WebhookTestRequest = {
  /** The kind of the test event, whether or not the subscription selects it. Default: `webhook.test`. */
  readonly event_kind?: "call.ringing" | "call.answered" | "call.completed" | "call.no_answer" | "call.busy" | "call.failed" | "call.canceled" | "call.callback_failed" | "call.balance_low" | "call.machine_detected" | "call.dtmf" | "call.recording_available" | "call.recording_failed" | "call.recording_deleted" | "call.stream_started" | "call.stream_ended" | "call.transcript_available" | "conference.started" | "conference.participant_joined" | "conference.participant_updated" | "conference.participant_left" | "conference.ended" | "number.claimed" | "number.renewed" | "number.past_due" | "number.suspended" | "number.released" | "number.routing_changed" | "topup.succeeded" | "topup.failed" | "topup.reversed" | "wallet.low_balance" | "wallet.negative" | "wallet.auto_topup_disabled" | "wallet.adjusted" | "storage.tier_changed" | "storage.usage_high" | "storage.recordings_evicted" | "sip_trunk.active" | "sip_trunk.failed" | "sip_trunk.unreachable" | "sip_trunk.recovered" | "sip_credential.created" | "sip_credential.rotated" | "sip_credential.revoked" | "chatapp.trunk_active" | "chatapp.trunk_failed" | "chatapp.settings_changed" | "chatapp.permission_changed" | "security.first_international_call" | "security.new_country_called" | "security.call_burst" | "security.calls_failing" | "security.registration_attack" | "security.spend_limit_reached" | "security.callback_waivers_used_up" | "workspace.suspended" | "workspace.reinstated" | "webhook.test" | "webhook.disabled"
}

export type WebhookReplay = {
  /** The id of the replay. */
  readonly replay_id: string
  /** Deliveries that were made, at most 5,000. */
  readonly queued: number
  /** Set if there were more: replay again from this instant. Null: nothing remains. */
  readonly next_from: string | null
}

export type WebhookReplayRequest = {
  /** From when on. */
  readonly from: string
  /** Until when. */
  readonly to: string
  /** Only events of these kinds. Empty or absent: all kinds. */
  readonly event_kinds?: ReadonlyArray<"call.ringing" | "call.answered" | "call.completed" | "call.no_answer" | "call.busy" | "call.failed" | "call.canceled" | "call.callback_failed" | "call.balance_low" | "call.machine_detected" | "call.dtmf" | "call.recording_available" | "call.recording_failed" | "call.recording_deleted" | "call.stream_started" | "call.stream_ended" | "call.transcript_available" | "conference.started" | "conference.participant_joined" | "conference.participant_updated" | "conference.participant_left" | "conference.ended" | "number.claimed" | "number.renewed" | "number.past_due" | "number.suspended" | "number.released" | "number.routing_changed" | "topup.succeeded" | "topup.failed" | "topup.reversed" | "wallet.low_balance" | "wallet.negative" | "wallet.auto_topup_disabled" | "wallet.adjusted" | "storage.tier_changed" | "storage.usage_high" | "storage.recordings_evicted" | "sip_trunk.active" | "sip_trunk.failed" | "sip_trunk.unreachable" | "sip_trunk.recovered" | "sip_credential.created" | "sip_credential.rotated" | "sip_credential.revoked" | "chatapp.trunk_active" | "chatapp.trunk_failed" | "chatapp.settings_changed" | "chatapp.permission_changed" | "security.first_international_call" | "security.new_country_called" | "security.call_burst" | "security.calls_failing" | "security.registration_attack" | "security.spend_limit_reached" | "security.callback_waivers_used_up" | "workspace.suspended" | "workspace.reinstated" | "webhook.test" | "webhook.disabled">
  /**
   * `dead_letter` (default): deliveries that failed for good. `all`: successful deliveries too. Pending deliveries
   * are skipped.
   */
  readonly only?: "dead_letter" | "all"
}

export type RotatedWebhookSecret = {
  /** The subscription. */
  readonly id: string
  /** Until when the previous secret signs as well; null: there was none. */
  readonly previous_expires_at: string | null
  /** Deliveries that were `blocked` and are now due. */
  readonly requeued_deliveries: number
  /** The secret that signs the deliveries from now on. It is shown only in this response. */
  readonly secret: string
}

export type WebhookSubscription = {
  /** The id of the subscription. */
  readonly id: string
  /** The URL. */
  readonly url: string
  /** A description for people. */
  readonly description: string
  /** Event kinds, wildcards (`*`, `call.*`) and families (`call_lifecycle`). */
  readonly events: ReadonlyArray<string>
  /** Whether events are delivered. */
  readonly status: "active" | "paused" | "disabled"
  /** Why deliveries have stopped; `null` while they go on. */
  readonly disabled_reason: "receiver_gone" | "failing" | null
  /**
   * Format of the header X-Service-Signature. A `body_hex` signature never expires, so anyone who has seen one can
   * replay it: prefer `timestamped`.
   */
  readonly signature_format: "timestamped" | "body_hex"
  /** The version of the interface that the event is written in. */
  readonly api_version: string
  /**
   * `api`: created by this API. `number_routing`: the `events_url` of a number. `call`: the `events_url` of calls.
   */
  readonly source: "api" | "number_routing" | "call"
  /** Whether the subscription has a secret. */
  readonly secret_set: boolean
  /** Only events that match all of these. */
  readonly filters: {
    /** Only events of these numbers; empty: all numbers. */
    readonly number_ids: ReadonlyArray<string>
  }
  /** When it was created. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
  /** When a delivery last succeeded; `null` if none has. */
  readonly last_success_at: string | null
  /** Since when every delivery has failed; `null` if none has. */
  readonly failing_since: string | null
  /** `false` for what belongs to the sandbox (test mode). */
  readonly livemode?: boolean
}

export type WebhookSubscriptionPatch = {
  /** Events are sent here by POST. Absolute https URL of a public host. */
  readonly url?: string
  /** Event kinds, wildcards (`*`, `call.*`) and families (`call_lifecycle`). */
  readonly events?: ReadonlyArray<string>
  /** A description for people. */
  readonly description?: string
  /**
   * Format of the header X-Service-Signature. A `body_hex` signature never expires, so anyone who has seen one can
   * replay it: prefer `timestamped`.
   */
  readonly signature_format?: "timestamped" | "body_hex"
  /** Only events that match all of these. */
  readonly filters?: {
    /** Only events of these numbers; empty: of all. */
    readonly number_ids?: ReadonlyArray<string>
  }
  /** The version of the interface that the event is written in. */
  readonly api_version?: "2026-10-01"
  /** `active` also re-enables a disabled subscription. */
  readonly status?: "active" | "paused"
}

export type CreatedWebhookSubscription = {
  /** The id of the subscription. */
  readonly id: string
  /** The URL. */
  readonly url: string
  /** A description for people. */
  readonly description: string
  /** Event kinds, wildcards (`*`, `call.*`) and families (`call_lifecycle`). */
  readonly events: ReadonlyArray<string>
  /** Whether events are delivered. */
  readonly status: "active" | "paused" | "disabled"
  /** Why deliveries have stopped; `null` while they go on. */
  readonly disabled_reason: "receiver_gone" | "failing" | null
  /**
   * Format of the header X-Service-Signature. A `body_hex` signature never expires, so anyone who has seen one can
   * replay it: prefer `timestamped`.
   */
  readonly signature_format: "timestamped" | "body_hex"
  /** The version of the interface that the event is written in. */
  readonly api_version: string
  /**
   * `api`: created by this API. `number_routing`: the `events_url` of a number. `call`: the `events_url` of calls.
   */
  readonly source: "api" | "number_routing" | "call"
  /** Whether the subscription has a secret. */
  readonly secret_set: boolean
  /** Only events that match all of these. */
  readonly filters: {
    /** Only events of these numbers; empty: all numbers. */
    readonly number_ids: ReadonlyArray<string>
  }
  /** When it was created. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
  /** When a delivery last succeeded; `null` if none has. */
  readonly last_success_at: string | null
  /** Since when every delivery has failed; `null` if none has. */
  readonly failing_since: string | null
  /** `false` for what belongs to the sandbox (test mode). */
  readonly livemode?: boolean
  /** The secret that signs the deliveries. It is shown only in this response. */
  readonly secret: string
}

export type WebhookSubscriptionRequest = {
  /** Events are sent here by POST. Absolute https URL of a public host. */
  readonly url: string
  /** Event kinds, wildcards (`*`, `call.*`) and families (`call_lifecycle`). */
  readonly events: ReadonlyArray<string>
  /** A description for people. */
  readonly description?: string
  /**
   * Format of the header X-Service-Signature. A `body_hex` signature never expires, so anyone who has seen one can
   * replay it: prefer `timestamped`.
   */
  readonly signature_format?: "timestamped" | "body_hex"
  /** Only events that match all of these. */
  readonly filters?: {
    /** Only events of these numbers; empty: of all. */
    readonly number_ids?: ReadonlyArray<string>
  }
  /** Version of the event format. Default: the newest. */
  readonly api_version?: "2026-10-01"
}

export type NumberRoutingView = {
  /** The number's id. */
  readonly id: string
  /** The telephone number, in E.164 form. */
  readonly number: string
  /** A name for people. */
  readonly label: string | null
  /** The events of this number's calls are delivered here. */
  readonly events_url: string | null
  /** Asked for voice actions when the number is called. */
  readonly voice_url: string | null
  /** Asked if `voice_url` cannot be reached. */
  readonly voice_fallback_url: string | null
  /** Where calls to the number go without asking a URL; `null`: nowhere. */
  readonly forward_to: {
    /** What `value` names. */
    readonly type: "none" | "extension" | "extensions" | "e164" | "sip"
    /** An extension of four digits, a list of one to ten of them, an E.164 number, or a SIP URI; null for `none`. */
    readonly value: string | ReadonlyArray<string> | null
    /** Rings several extensions one after the other. Default: all at once. */
    readonly sequential: boolean | null
  }
  /** How long a forwarded call rings at most. */
  readonly ring_timeout_seconds: number
  /** What to record. */
  readonly record: RecordMode
  /**
   * Spoken to a caller who is rejected because the wallet is empty; null: the call is rejected without a message.
   */
  readonly reject_when_no_funds_message: string | null
  /**
   * The secret that signs the events of the number's calls. It is shown only when the number gets an `events_url`.
   */
  readonly secret?: string
}

export type NumberRoutingChange = {
  /** Absolute http or https URL. */
  readonly events_url?: string | null
  /** Absolute http or https URL. */
  readonly voice_url?: string | null
  /** Absolute http or https URL. */
  readonly voice_fallback_url?: string | null
  /** Where calls to the number go without asking a URL; `null`: nowhere. */
  readonly forward_to?: {
    /** What `value` names. */
    readonly type: "none" | "extension" | "extensions" | "e164" | "sip"
    /** The number, extension or SIP address, or several of them. */
    readonly value?: string | ReadonlyArray<string> | null
    /** Whether several destinations ring one after the other instead of together. */
    readonly sequential?: boolean | null
  } | null
  /** How long a forwarded call rings at most. */
  readonly ring_timeout_seconds?: number | null
  /** `true` is `record-from-answer`. */
  readonly record?: RecordMode | boolean | null
  /** What a caller hears if the wallet cannot pay the call; `null`: nothing. */
  readonly reject_when_no_funds_message?: string | null
  /** Your name for the number. */
  readonly label?: string | null
}

export type BringNumberRequest = {
  /** The number in E.164 form. */
  readonly number: string
  /** Your name for the number. */
  readonly label?: string | null
  /** What happens to calls to the number. */
  readonly routing?: NumberRoutingRequest
}

export type NumberRoutingRequest = {
  /** Absolute http or https URL. */
  readonly events_url?: string | null
  /** Absolute http or https URL. */
  readonly voice_url?: string | null
  /** Absolute http or https URL. */
  readonly voice_fallback_url?: string | null
  /** Where calls to the number go without asking a URL; `null`: nowhere. */
  readonly forward_to?: {
    /** What `value` names. */
    readonly type: "none" | "extension" | "extensions" | "e164" | "sip"
    /** The number, extension or SIP address, or several of them. */
    readonly value?: string | ReadonlyArray<string> | null
    /** Whether several destinations ring one after the other instead of together. */
    readonly sequential?: boolean | null
  } | null
  /** How long a forwarded call rings at most. */
  readonly ring_timeout_seconds?: number | null
  /** `true` is `record-from-answer`. */
  readonly record?: RecordMode | boolean | null
  /** What a caller hears if the wallet cannot pay the call; `null`: nothing. */
  readonly reject_when_no_funds_message?: string | null
}

export type AvailableNumber = {
  /** Claims the number. It becomes the number's `id`. */
  readonly inventory_id: string
  /** E.164. */
  readonly number: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** The kind of it. */
  readonly type: "mobile" | "local" | "national" | "toll_free"
  /** The place that the number belongs to; `null` if it belongs to none. */
  readonly locality: string | null
  /** What the number can do. */
  readonly capabilities: ReadonlyArray<"voice" | "sms" | "webrtc">
  /** The price of the claim, in minor units. */
  readonly setup_price_minor: number
  /** The claim charges the first month. */
  readonly monthly_price_minor: number
  /** The price of a started minute of an inbound call, in minor units. */
  readonly inbound_per_min_minor: number
  /** The price of a started minute that replaces the rate; `null`: the rate applies. */
  readonly outbound_per_min_minor: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
}

export type SandboxPayInRequest = {
  /** Minor units. */
  readonly amount_minor: number
  /** The reference as the payer writes it. Default: that of the sandbox. */
  readonly account_ref?: string
}

export type SandboxCredit = {
  /** The balance in minor units, held money included. */
  readonly balance_minor: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
}

export type SandboxCreditRequest = {
  /** Minor units. */
  readonly amount_minor: number
}

/** Amounts are minor units: 100 make 1.00 of the currency. */
export type Invoice = {
  /** Numbers of a workspace follow on each other without gaps. They never change. */
  readonly number: string
  /** `false` in test mode, where no money is paid. */
  readonly livemode: boolean
  /** Who issues the document: the operator of the platform. */
  readonly issuer: Issuer
  /** To whom it is issued. */
  readonly customer: BilledWorkspace
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** A calendar month in UTC, such as `2026-11`. */
  readonly month: string
  /** When the month begins. */
  readonly from: string
  /** When it ends: the first instant of the next month. */
  readonly to: string
  /** Calls, numbers and storage, and debits by an operator. */
  readonly charges: ReadonlyArray<InvoiceLine>
  /** Refunds and other credits by an operator. */
  readonly credits: ReadonlyArray<InvoiceLine>
  /** What the month cost: the charges less the credits. It was paid from the wallet in advance. */
  readonly total_minor: number
  /** Top-ups, and what providers took back of them. */
  readonly payments: ReadonlyArray<InvoiceLine>
  /** The balance when the month began. */
  readonly opening_balance_minor: number
  /** The opening balance less `total_minor`, plus the payments. */
  readonly closing_balance_minor: number
}

export type InvoiceLine = {
  /** The kind of it. */
  readonly kind: StatementKind
  /** How many entries of the statement the line sums up. */
  readonly entries: number
  /** As in the statement: negative out of the wallet. */
  readonly amount_minor: number
}

export type BilledWorkspace = {
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The present name of the workspace. */
  readonly name: string
}

/** Who issues the document: the operator of the platform. */
export type Issuer = {
  /** `INVOICE_NAME` of the deployment. Null if it has none. */
  readonly name: string | null
  /** The lines of the address. */
  readonly address: ReadonlyArray<string>
  /** `INVOICE_TAX_NUMBER` of the deployment. Null if it has none. */
  readonly tax_number: string | null
}

export type InvoiceSummary = {
  /** Numbers of a workspace follow on each other without gaps. They never change. */
  readonly number: string
  /** A calendar month in UTC, such as `2026-11`. */
  readonly month: string
  /** The calling number, in E.164 form. */
  readonly from: string
  /** The called number, in E.164 form, or a SIP address. */
  readonly to: string
}

export type Receipt = {
  /** Numbers of a workspace follow on each other without gaps. They never change. */
  readonly number: string
  /** `false` in test mode, where no money is paid. */
  readonly livemode: boolean
  /** Who issues the document: the operator of the platform. */
  readonly issuer: Issuer
  /** To whom it is issued. */
  readonly customer: BilledWorkspace
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** The id of the top-up. */
  readonly topup_id: string
  /** The entry of the statement that credited the payment. */
  readonly entry_id: string
  /** What was paid, in minor units. */
  readonly amount_minor: number
  /** How much of it the provider has taken back by now. */
  readonly reversed_minor: number
  /** A description for people. */
  readonly description: string
  /** The provider's receipt. */
  readonly provider_reference: string | null
  /** When the wallet was credited. */
  readonly paid_at: string
}

export type PayInReference = {
  /** It never changes. */
  readonly mobilemoney_account_ref: string
  /** `false` for the reference of the sandbox. */
  readonly livemode: boolean
}

export type TopUpRequest = {
  /**
   * `mobilemoney` prompts a phone; the wallet must be in the currency of the provider, KES for M-Pesa. `card`
   * answers with a page to pay on. Another provider is refused with `cardprovider.unavailable`.
   */
  readonly provider: string
  /** Positive. For mobile money a multiple of 100. Each currency has a minimum and a maximum. */
  readonly amount_minor: number
  /** The currency of the wallet. */
  readonly currency: string
  /** The phone to prompt. Required for mobile money. It need not belong to the workspace. */
  readonly phone_e164?: string
  /** By card only: saves the card for automatic top-ups, in place of the one before it. */
  readonly save_card?: boolean
}

export type AutoTopUp = {
  /** Whether the saved card is charged while the wallet is low. */
  readonly enabled: boolean
  /** A top-up starts while less than this is available; `null`: it was never set. */
  readonly threshold_minor: number | null
  /** The amount in minor units. */
  readonly amount_minor: number | null
  /** What they may sum up to in a month (UTC); `null`: it was never set. */
  readonly monthly_ceiling_minor: number | null
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** The saved card. A top-up by card with `save_card` saves one. */
  readonly card: CardOnFile | null
  /** The calendar month (UTC) of `charged_minor`. */
  readonly month: string
  /** What automatic top-ups have charged in the month. */
  readonly charged_minor: number
  /** The automatic top-up that is under way; `null` if none is. */
  readonly topup_in_progress: string | null
  /** Until then no top-up starts, because a payment has failed. */
  readonly next_attempt_at: string | null
  /** Why the engine turned automatic top-ups off. Null once they are set again. */
  readonly disabled_reason: AutoTopUpDisabledReason | null
}

export type CardOnFile = {
  /** The brand of the card. */
  readonly brand: string
  /** The last four digits of the card. */
  readonly last4: string
}

export type AutoTopUpRequest = {
  /** Whether the saved card is charged while the wallet is low. */
  readonly enabled: boolean
  /** A top-up starts while less than this is available. */
  readonly threshold_minor: number
  /** Of each top-up. Positive, within the limits of top-ups. */
  readonly amount_minor: number
  /** What automatic top-ups may sum up to in a calendar month (UTC). At least `amount_minor`. */
  readonly monthly_ceiling_minor: number
}

export type Hold = {
  /** The id of the hold. */
  readonly id: string
  /** The call that the money is set aside for. */
  readonly call_id: string
  /** The whole amount held for the call. It grows by a minute each time a paid minute ends. */
  readonly amount_minor: number
  /** When the money was set aside. */
  readonly placed_at: string
}

/** Amounts are minor units: 100 make 1.00 of the currency. */
export type WalletBalance = {
  /** The id of the workspace. */
  readonly workspace_id: string
  /** What the wallet holds. It can be negative after a renewal. */
  readonly balance_minor: number
  /** The part set aside for calls under way. */
  readonly held_minor: number
  /** What can be spent: the balance less what is held. */
  readonly available_minor: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** Below it you are warned. */
  readonly low_balance_threshold_minor: number
  /** When it was last changed. */
  readonly updated_at: string
}

export type WalletPatch = {
  /** 0 or more; 0 warns of nothing but a negative balance. */
  readonly low_balance_threshold_minor: number
}

export type CallTimeline = {
  /** The id of the call. */
  readonly call_id: string
  /** The entries, oldest first. */
  readonly entries: ReadonlyArray<TimelineEntry>
  /** Whether the call has more entries than are listed. The first 2,000 of each kind of row are read. */
  readonly has_more: boolean
  /** The instant that the answer is true for. */
  readonly as_of?: CallAsOf
}

/** Only if the request has `at`: the state at that instant. */
export type CallAsOf = {
  /** The call as it is now, or as it was at that instant. */
  readonly call: CallRecord
  /** The legs that the call's dials placed, as they were. */
  readonly legs: ReadonlyArray<CallRecord>
  /** The holds that were open at that instant, with their final amounts. */
  readonly holds: ReadonlyArray<CallHold>
  /** The balance of the wallet; null before its first entry. */
  readonly balance_minor: number | null
}

export type CallHold = {
  /** The id of the hold. */
  readonly id: string
  /** The id of the call. */
  readonly call_id: string
  /** The state of the hold. */
  readonly status: "open" | "captured" | "released"
  /** The total that was held, extended minute by minute. */
  readonly amount_minor: number
  /** What was charged from the hold, in minor units. */
  readonly captured_minor: number
  /** When the money was set aside. */
  readonly placed_at: string
  /** When the hold was captured or released; `null` while it is open. */
  readonly closed_at: string | null
}

export type ChargeProof = {
  /** The id of the call. */
  readonly call_id: string
  /** The state of it. */
  readonly status: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: string
  /** The rate that applied. */
  readonly rate: {
    /** The price of a started minute, in minor units. */
    readonly per_min_minor: number
    /** Null if the number has its own price. */
    readonly matched_prefix: string | null
    /** Whether the price is that of the rate or of the number. */
    readonly source: "rate" | "number"
    /** When the call was placed. Later rate changes do not affect it. */
    readonly frozen_at: string
    /** The row of the rate table; null if it was changed or removed since. */
    readonly row: ChargeRateRow | null
  }
  /** When it was answered; `null` until then. */
  readonly answered_at: string | null
  /** When it ended; `null` until then. */
  readonly ended_at: string | null
  /** Seconds from the answer to the end, rounded up; 0 without an answer. */
  readonly duration_seconds: number | null
  /** Seconds that the charge is based on. */
  readonly billed_seconds: number | null
  /** How `cost_minor` is computed, for people. */
  readonly formula: string
  /** Null until the call has ended. */
  readonly cost_minor: number | null
  /** The money that was set aside for the call. */
  readonly holds: ReadonlyArray<CallHold>
  /** Ledger entries. A completed call has one, other calls have none. */
  readonly entries: ReadonlyArray<ChargeEntry>
}

export type ChargeEntry = {
  /** The id of the entry. */
  readonly id: string
  /** Negative: the wallet was debited. */
  readonly amount_minor: number
  /** The balance after the entry, in minor units. */
  readonly balance_after_minor: number
  /** When it was created. */
  readonly created_at: string
  /** The lines of the entry; they sum to zero. */
  readonly lines: ReadonlyArray<{
    /** The account of the ledger. */
    readonly account: string
    /** The amount in minor units. */
    readonly amount_minor: number
  }>
}

export type ChargeRateRow = {
  /** The id of it. */
  readonly id: string
  /** The digits that a number begins with. */
  readonly prefix: string
  /** The country (ISO 3166-1 alpha-2). */
  readonly country: string | null
  /** A description for people. */
  readonly description: string
  /** The risk class of the destination. */
  readonly class: string
  /** The price of a started minute, in minor units. */
  readonly per_min_minor: number
  /** From when it applies. */
  readonly effective_from: string
  /** Until when it applies; `null`: until it is replaced. */
  readonly effective_to: string | null
}

export type CallStats = {
  /** The first day, YYYY-MM-DD, UTC. */
  readonly from: string
  /** The last day, YYYY-MM-DD, UTC. */
  readonly to: string
  /** When the figures were computed. */
  readonly as_of: string
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN" | null
  /** The figures of the whole period. */
  readonly totals: CallFigures
  /** The figures of each part of the period. */
  readonly buckets: ReadonlyArray<CallStatsBucket>
}

export type CallStatsBucket = {
  /** YYYY-MM-DD. A bucket has only the member that it is grouped by. */
  readonly day?: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id?: string | null
  /** The country of the other party, ISO 3166-1 alpha-2; null if it has none. */
  readonly country?: string | null
  /** Only calls that ended like this. */
  readonly status?: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction?: "outbound" | "inbound"
  /** All calls, including those that are still ringing. Each leg counts as one. */
  readonly calls: number
  /** Calls that were answered, including those still in progress. */
  readonly answered: number
  /** Calls that were answered and ended normally. */
  readonly completed: number
  /** Calls that nobody answered. */
  readonly no_answer: number
  /** Calls to a busy party. */
  readonly busy: number
  /** Calls that failed. */
  readonly failed: number
  /** Calls that were ended before an answer. */
  readonly canceled: number
  /** Answer-seizure ratio: the answered part of all calls, from 0 to 1. */
  readonly asr: number
  /** Average duration of the answered calls, in seconds. */
  readonly acd_seconds: number
  /** Seconds from the answer to the end, rounded up; 0 without an answer. */
  readonly duration_seconds: number
  /** Seconds that the charge is based on. */
  readonly billed_seconds: number
  /** What the call cost, in minor units. Present when the call has ended. */
  readonly cost_minor: number
  /** Includes today, which is not over yet. */
  readonly partial: boolean
}

export type CallFigures = {
  /** All calls, including those that are still ringing. Each leg counts as one. */
  readonly calls: number
  /** Calls that were answered, including those still in progress. */
  readonly answered: number
  /** Calls that were answered and ended normally. */
  readonly completed: number
  /** Calls that nobody answered. */
  readonly no_answer: number
  /** Calls to a busy party. */
  readonly busy: number
  /** Calls that failed. */
  readonly failed: number
  /** Calls that were ended before an answer. */
  readonly canceled: number
  /** Answer-seizure ratio: the answered part of all calls, from 0 to 1. */
  readonly asr: number
  /** Average duration of the answered calls, in seconds. */
  readonly acd_seconds: number
  /** Seconds from the answer to the end, rounded up; 0 without an answer. */
  readonly duration_seconds: number
  /** Seconds that the charge is based on. */
  readonly billed_seconds: number
  /** What the call cost, in minor units. Present when the call has ended. */
  readonly cost_minor: number
  /** Includes today, which is not over yet. */
  readonly partial: boolean
}

export type ChatAppCallSettingsRequest = {
  /** ENABLED or DISABLED. */
  readonly status: string
  /** DEFAULT or DISABLE_ALL. */
  readonly call_icon_visibility: string
  /** To whom the call button is shown. */
  readonly call_icons: {
    /** ISO 3166-1 alpha-2 codes; empty: shown in all countries. */
    readonly restrict_to_user_countries: ReadonlyArray<string>
  }
  /** When calls are taken. */
  readonly call_hours: {
    /** ENABLED or DISABLED. */
    readonly status: string
    /** A time zone of the IANA database. */
    readonly timezone_id: string
    /** The hours of each day of the week. */
    readonly weekly_operating_hours: ReadonlyArray<{
      /** MONDAY to SUNDAY. */
      readonly day_of_week: string
      /** HHMM. */
      readonly open_time: string
      /** HHMM, after `open_time`. */
      readonly close_time: string
    }>
    /** Days with other hours. */
    readonly holiday_schedule: ReadonlyArray<{
      /** YYYY-MM-DD. */
      readonly date: string
      /** HHMM. */
      readonly start_time: string
      /** HHMM, after `start_time`. */
      readonly end_time: string
      /** When calls begin to be taken, as HHMM. */
      readonly open_time?: unknown
      /** When calls cease to be taken, as HHMM. */
      readonly close_time?: unknown
    }>
  }
  /** ENABLED or DISABLED. */
  readonly callback_permission_status: string
  /** When and how callers are offered voicemail. */
  readonly voicemail: {
    /** ENABLED or DISABLED. */
    readonly status: string
    /** Any of no_answer, declined, outside_hours, busy. */
    readonly triggers: ReadonlyArray<string>
    /** 5 to 60. */
    readonly timeout_seconds: number
    /** The same as in a reading; null is 0. */
    readonly announcement_media_id: number | null
  }
  /** Any of PCMA, PCMU. */
  readonly audio_additional_codecs: ReadonlyArray<string>
}

export type ChatAppCallSettingsShown = {
  /** The settings as the platform stored them. */
  readonly stored: ChatAppCallSettings
  /** The settings as the chat app reports them. */
  readonly live?: ChatAppCallSettings
  /** What the chat app restricts. */
  readonly restrictions: ReadonlyArray<ChatAppRestriction>
  /** Why the settings of the chat app could not be read. */
  readonly live_error?: string
  /** How long a change takes. */
  readonly propagation_note: string
}

export type ChatAppRestriction = {
  /** What is restricted. */
  readonly type: string
  /** Why it is restricted. */
  readonly reason: string
  /** Seconds since the epoch. */
  readonly expiration: number
}

export type UpdateCallRequest = {
  /**
   * Replaces the current actions of the call. Same format as the response of a voice callback; see GET
   * /v1/voice-actions/schema.
   */
  readonly actions?: ReadonlyArray<VoiceAction>
  /** True: the remote party cannot be heard. */
  readonly mute?: boolean
  /** True: the remote party hears music instead of the call. */
  readonly hold?: boolean
  /** Values to add to those of the call or to replace; at most 16 in total. */
  readonly metadata?: { readonly [name: string]: string }
}

export type TerminatedCall = {
  /** The id of it. */
  readonly id: string
  /** The id of the call's session on the PBX; it can be used in place of the call's id. */
  readonly session_id: string
  /** The call whose `dial` placed this leg; `null` for a call of its own. */
  readonly parent_call_id: string | null
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string | null
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** How the call came about. */
  readonly kind: "api" | "dial" | "webrtc" | "sip" | "chatapp"
  /** The state of the call. It never goes back. */
  readonly status: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** The calling number, in E.164 form. */
  readonly from: string
  /** The called number, in E.164 form, or a SIP address. */
  readonly to: string
  /** The number that the called party sees. */
  readonly caller_id: string
  /** When it was created. */
  readonly created_at: string
  /** When the remote party began to ring; `null` until then. */
  readonly ringing_at: string | null
  /** When it was answered; `null` until then. */
  readonly answered_at: string | null
  /** When it ended; `null` until then. */
  readonly ended_at: string | null
  /** Seconds from the answer to the end, rounded up; 0 without an answer. */
  readonly duration_seconds?: number
  /** Seconds that the charge is based on. */
  readonly billed_seconds?: number
  /** The price of a started minute in minor units, fixed when the call began. */
  readonly rate_per_min_minor: number
  /** The prefix of the rate that applies; `null` if no rate does. */
  readonly matched_prefix: string | null
  /** What the call cost, in minor units. Present when the call has ended. */
  readonly cost_minor?: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: string
  /** Who has answered, if machine detection was asked for and has finished. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** Why the call ended; `null` while it lasts. */
  readonly hangup_cause: "normal_clearing" | "user_busy" | "call_rejected" | "no_answer" | "no_user_response" | "unallocated_number" | "invalid_number_format" | "network_congestion" | "service_unavailable" | "destination_refused" | "insufficient_funds" | "balance_exhausted" | "max_duration" | "ring_timeout" | "canceled_by_workspace" | "answered_elsewhere" | "callback_failed" | "callback_timeout" | "voice_action_invalid" | "actions_ended" | "media_timeout" | "session_lost" | "machine_detected" | "pbx_error" | "no_route" | null
  /** Who ended the call; `null` while it lasts. */
  readonly hangup_source: "caller" | "callee" | "workspace" | "platform" | "carrier" | null
  /** The final SIP response (RFC 3261), if there was one. */
  readonly sip_code: number | null
  /** The cause of the release (ITU-T Q.850), if the network named one. */
  readonly q850_cause: number | null
  /** How long the call rings at most. */
  readonly timeout_seconds: number
  /** The longest time that the call may last, in seconds. */
  readonly max_duration_seconds: number
  /** The newest recording of the call; `null` without one. */
  readonly recording: {
    /** The id of the recording. */
    readonly id: string
    /** The state of the recording. */
    readonly status: "in_progress" | "processing" | "available" | "failed" | "expired" | "deleted"
    /** Where the recording can be read. */
    readonly url: string
  } | null
  /** Values of your own, as text. */
  readonly metadata: { readonly [name: string]: string }
  /** Your own reference. */
  readonly client_reference: string | null
  /** The legs that this call's `dial` placed. */
  readonly child_call_ids: ReadonlyArray<string>
  /** Reserved; always `null`. */
  readonly agent: null
  /** Whether the end of the call was requested and is under way. */
  readonly terminating: boolean
  /** `false` for what belongs to the sandbox (test mode). */
  readonly livemode?: boolean
  /** Whether this request ended the call, an earlier request ended it, or it had already ended. */
  readonly termination: "requested" | "already_requested" | "already_ended"
}

export type TerminateRequest = {
  /** A reason for your own records. */
  readonly reason?: string
}

export type TranscriptDelta = {
  /** The kind of the event. */
  readonly kind: "transcript.delta"
  /** The id of the call. */
  readonly call_id: string
  /** The number of the turn within the call, from 1. */
  readonly seq: number
  /** Who speaks. */
  readonly role: "user" | "agent" | "system" | "tool"
  /** Whether the turn is complete. */
  readonly final: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** What was said since the previous part of this turn. */
  readonly delta: string
}

export type TranscriptTurn = {
  /** The kind of the event. */
  readonly kind: "transcript.turn"
  /** The id of the call. */
  readonly call_id: string
  /** The number of the turn within the call, from 1. */
  readonly seq: number
  /** Who speaks. */
  readonly role: "user" | "agent" | "system" | "tool"
  /** Whether the turn is complete. */
  readonly final: boolean
  /** When it happened. */
  readonly occurred_at: string
  /** What was said. */
  readonly text: string
}

export type CallEvent = {
  /** Also the `id` of the webhook event. */
  readonly id: string
  /** What happened, such as `call.answered`. */
  readonly kind: string
  /** The position among the events of the call, from 1. */
  readonly sequence: number
  /** When it happened. */
  readonly occurred_at: string
  /** Whether it arrived after the end of the call and changed nothing. */
  readonly late: boolean
  /** The call right after the event, and what the event adds. */
  readonly payload: unknown
}

export type CallWithEvents = {
  /** The id of it. */
  readonly id: string
  /** The id of the call's session on the PBX; it can be used in place of the call's id. */
  readonly session_id: string
  /** The call whose `dial` placed this leg; `null` for a call of its own. */
  readonly parent_call_id: string | null
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string | null
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** How the call came about. */
  readonly kind: "api" | "dial" | "webrtc" | "sip" | "chatapp"
  /** The state of the call. It never goes back. */
  readonly status: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** The calling number, in E.164 form. */
  readonly from: string
  /** The called number, in E.164 form, or a SIP address. */
  readonly to: string
  /** The number that the called party sees. */
  readonly caller_id: string
  /** When it was created. */
  readonly created_at: string
  /** When the remote party began to ring; `null` until then. */
  readonly ringing_at: string | null
  /** When it was answered; `null` until then. */
  readonly answered_at: string | null
  /** When it ended; `null` until then. */
  readonly ended_at: string | null
  /** Seconds from the answer to the end, rounded up; 0 without an answer. */
  readonly duration_seconds?: number
  /** Seconds that the charge is based on. */
  readonly billed_seconds?: number
  /** The price of a started minute in minor units, fixed when the call began. */
  readonly rate_per_min_minor: number
  /** The prefix of the rate that applies; `null` if no rate does. */
  readonly matched_prefix: string | null
  /** What the call cost, in minor units. Present when the call has ended. */
  readonly cost_minor?: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: string
  /** Who has answered, if machine detection was asked for and has finished. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** Why the call ended; `null` while it lasts. */
  readonly hangup_cause: "normal_clearing" | "user_busy" | "call_rejected" | "no_answer" | "no_user_response" | "unallocated_number" | "invalid_number_format" | "network_congestion" | "service_unavailable" | "destination_refused" | "insufficient_funds" | "balance_exhausted" | "max_duration" | "ring_timeout" | "canceled_by_workspace" | "answered_elsewhere" | "callback_failed" | "callback_timeout" | "voice_action_invalid" | "actions_ended" | "media_timeout" | "session_lost" | "machine_detected" | "pbx_error" | "no_route" | null
  /** Who ended the call; `null` while it lasts. */
  readonly hangup_source: "caller" | "callee" | "workspace" | "platform" | "carrier" | null
  /** The final SIP response (RFC 3261), if there was one. */
  readonly sip_code: number | null
  /** The cause of the release (ITU-T Q.850), if the network named one. */
  readonly q850_cause: number | null
  /** How long the call rings at most. */
  readonly timeout_seconds: number
  /** The longest time that the call may last, in seconds. */
  readonly max_duration_seconds: number
  /** The newest recording of the call; `null` without one. */
  readonly recording: {
    /** The id of the recording. */
    readonly id: string
    /** The state of the recording. */
    readonly status: "in_progress" | "processing" | "available" | "failed" | "expired" | "deleted"
    /** Where the recording can be read. */
    readonly url: string
  } | null
  /** Values of your own, as text. */
  readonly metadata: { readonly [name: string]: string }
  /** Your own reference. */
  readonly client_reference: string | null
  /** The legs that this call's `dial` placed. */
  readonly child_call_ids: ReadonlyArray<string>
  /** Reserved; always `null`. */
  readonly agent: null
  /** Whether the end of the call was requested and is under way. */
  readonly terminating: boolean
  /** `false` for what belongs to the sandbox (test mode). */
  readonly livemode?: boolean
  /** The newest 200 events of the call, oldest first. */
  readonly events: ReadonlyArray<CallEvent>
  /** Whether the call has older events. `GET /v1/calls/{id}/events` lists all of them. */
  readonly events_has_more: boolean
  /** The newest 1,000 turns of the transcript, oldest first. Present with `transcript=1`. */
  readonly transcript?: ReadonlyArray<TranscriptTurn>
  /**
   * Whether the transcript has older turns. `GET /v1/calls/{id}/events?transcript=1` lists all of them. Present
   * with `transcript=1`.
   */
  readonly transcript_has_more?: boolean
}

export type DestinationCheck = {
  /** The destination as given in the request. */
  readonly to: string
  /** The calling number, in E.164 form. */
  readonly from: string
  /** Whether an outbound call would be allowed at a known rate. */
  readonly rated: boolean
  /** Why the call would be refused. Only if `rated` is false. */
  readonly reason?: "test_numbers_only" | "emergency_number" | "rate_not_configured" | "country_not_allowed" | "prefix_blocked" | "high_risk_blocked" | "rate_above_limit" | "sip_not_allowed" | "sip_unavailable" | "sip_host_unknown" | "sip_host_refused"
  /** Text for people. */
  readonly message: string
  /** ISO 3166-1 alpha-2; null if the number belongs to no country. */
  readonly country: string | null
  /** The prefix whose rate applies; null if the number has its own price. */
  readonly matched_prefix: string | null
  /** The price of a started minute; null without a rate. */
  readonly rate_per_min_minor: number | null
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"
  /** Whether the wallet could pay the first minute now; null without a rate. */
  readonly sufficient_funds: boolean | null
  /** How many whole minutes the wallet could pay now; null without a rate, and if a minute is free. */
  readonly affordable_minutes: number | null
  /** `to` in E.164; null if it has no such form. */
  readonly normalized_to: string | null
}

export type OriginateRequest = {
  /** The number to call, E.164. */
  readonly to: string
  /** An active number of the workspace, E.164. */
  readonly from: string
  /**
   * Absolute https URL that is asked what to do when the remote party answers. It must respond within 10 seconds.
   * Exactly one of voice_callback_url and actions is required.
   */
  readonly voice_callback_url?: string
  /**
   * What to do when the remote party answers, instead of asking voice_callback_url. Same format as the response of
   * a voice callback; see GET /v1/voice-actions/schema.
   */
  readonly actions?: ReadonlyArray<VoiceAction>
  /** URL that is asked instead if voice_callback_url cannot be reached or responds with 5xx. */
  readonly voice_fallback_url?: string
  /** How long to ring. Default 30. */
  readonly timeout_seconds?: number
  /** Maximum duration of the call in seconds, after which it is hung up. Default 14,400. */
  readonly max_duration_seconds?: number
  /** Caller name, shown with the number if the network supports names. */
  readonly caller_name?: string
  /** DTMF digits to send when the call is answered; w waits half a second, W a second. */
  readonly send_digits?: string
  /** What to record. `true` means `record-from-answer`. The `-dual` forms record each side in its own channel. */
  readonly record?: "do-not-record" | "record-from-answer" | "record-from-ringing" | "record-from-answer-dual" | "record-from-ringing-dual" | true
  /**
   * Detect whether a person or a machine has answered before the callback is asked, and optionally wait for the end
   * of a machine's greeting.
   */
  readonly machine_detection?: "off" | "detect" | "detect_message_end"
  /** Maximum time to wait for machine detection before the callback is asked. Default 30. */
  readonly machine_detection_timeout_seconds?: number
  /** URL that receives the events of this call, in addition to webhook subscriptions. Absolute https URL. */
  readonly events_url?: string
  /** Up to 16 values of your own, which records, events and callbacks repeat. */
  readonly metadata?: { readonly [name: string]: string }
  /** Your own reference, by which calls can be filtered. */
  readonly client_reference?: string
}

export type PbxEvent = {
  /** The id of the event, which every repetition has. */
  readonly event_id: string
  /** The name of the workspace on the PBX. */
  readonly tenant_pbx_id: string
  /** What happened. */
  readonly type: "session.created" | "session.snapshot" | "leg.ringing" | "leg.early_media" | "leg.answered" | "leg.bridged" | "leg.unbridged" | "leg.hangup" | "dtmf" | "machine.detected" | "playback.finished" | "gather.finished" | "recording.started" | "recording.completed" | "recording.failed" | "stream.started" | "stream.ended" | "stream.hangup" | "stream.actions" | "conference.failed" | "transcript.delta" | "transcript.turn" | "registration.changed" | "registration.attacked" | "trunk.state" | "heartbeat"
  /** The session; absent for events without one. */
  readonly session_id?: string
  /** The leg, as the PBX names it. */
  readonly leg_id?: string
  /** The session that dialled this one. */
  readonly parent_session_id?: string
  /** The position among the events of the session, from 1, without gaps. */
  readonly seq: number
  /** When it happened. */
  readonly occurred_at: string
  /** Whether the engine placed the session. */
  readonly direction?: "outbound" | "inbound"
  /** The calling number. */
  readonly from?: string
  /** The called number. */
  readonly to?: string
  /** What belongs to this type of event. */
  readonly data: {
    /** The Call-ID of the SIP dialog. */
    readonly sip_call_id?: string
    /** The final SIP response (RFC 3261), if there was one. */
    readonly sip_code?: number
    /** The cause of the release (ITU-T Q.850). */
    readonly q850?: number
    /** Where it comes from. */
    readonly source?: "caller" | "callee" | "platform" | "carrier"
    /** Why. */
    readonly reason?: string
    /** How long it took or lasted, in milliseconds; `null` if unknown. */
    readonly duration_ms?: number
    /** The other leg. */
    readonly peer_leg_id?: string
    /** The key that the party pressed. */
    readonly digit?: string
    /** The keys. */
    readonly digits?: string
    /** What was said. */
    readonly speech?: string
    /** The result of the action that led to the request. */
    readonly result?: string
    /** How certain the detection is, from 0 to 1; `null` if unknown. */
    readonly confidence?: number
    /** The command. */
    readonly command_id?: string
    /** What went wrong; `null` if nothing did. */
    readonly error?: string
    /** The id of the recording. */
    readonly recording_id?: string
    /** The path of the file in the spool. */
    readonly object_key?: string
    /** The size of the audio in bytes. */
    readonly size_bytes?: number
    /** The SHA-256 of the audio, in hexadecimal form. */
    readonly sha256?: string
    /** The id of the stream. */
    readonly stream_id?: string
    /** The voice actions that an application sent, as JSON text. */
    readonly document?: string
    /** The id of the conference. */
    readonly conference_id?: string
    /** How far the session is. */
    readonly state?: "absent" | "ringing" | "answered"
    /** The name with which the device registers. */
    readonly username?: string
    /** The address of the device. */
    readonly contact?: string
    /** What the client calls itself. */
    readonly user_agent?: string
    /** The transport of SIP. */
    readonly transport?: string
    /** Whether the device is registered now. */
    readonly registration?: "registered" | "unregistered"
    /** When it expires. */
    readonly expires_at?: string
    /** How many attempts were made. */
    readonly attempts?: number
    /** Since when. */
    readonly since?: string
    /** The addresses of the host. */
    readonly addresses?: ReadonlyArray<string>
    /** The id of the trunk. */
    readonly trunk_id?: string
    /** Whether the last probe was answered; `null` before the first. */
    readonly reachable?: boolean
    /** Until when the platform is registered; `null` if it is not. */
    readonly registered_until?: string
    /** The number of the turn, from 1. */
    readonly turn?: number
    /** What the person may do. */
    readonly role?: "user" | "agent" | "system" | "tool"
    /** What is said. */
    readonly text?: string
    /** What was said since the previous part. */
    readonly delta?: string
    /** Whether the turn is complete. */
    readonly final?: boolean
    /** The sessions that are alive on the gateway. */
    readonly live_sessions?: ReadonlyArray<string>
  }
}

export type ErrorBody = {
  /** What went wrong. */
  readonly error: {
    /** What went wrong, for programs: branch on it. */
    readonly code: string
    /** What went wrong, for people. It may change. */
    readonly message: string
    /** Quote it to support. Equal to the header `X-Request-Id`. */
    readonly request_id: string
    /** Where the code is explained, relative to the server. */
    readonly doc_url?: string
    /** The invalid fields. */
    readonly details?: ReadonlyArray<ErrorDetail>
    /** What you can do about it. */
    readonly resolution?: string
    /** A refinement of the code. */
    readonly reason?: string
    /** The corrected number, if exactly one correction is possible. */
    readonly suggested_e164?: string
  }
}

/** One action: an object with one key, which names the action. */
export type VoiceAction = {
  /** Speaks a text. */
  readonly say: {
    /** What to speak. */
    readonly text: string
    /** The voice, if the PBX has several. */
    readonly voice?: string
    /** The language, as in BCP 47. */
    readonly language?: string
    /** How often. Default 1. */
    readonly loop?: number
  }
} | {
  /** Plays a sound file. */
  readonly play: {
    /** The sound file, WAV or MP3. */
    readonly url: string
    /** How often. Default 1. */
    readonly loop?: number
  }
} | {
  /** Waits. */
  readonly pause: {
    /** How long, in seconds. */
    readonly seconds: number
  }
} | {
  /** Waits for keys or speech. */
  readonly gather: {
    /** What to wait for; the first that comes counts. Default `dtmf`. */
    readonly input?: ReadonlyArray<"dtmf" | "speech">
    /** The language, as in BCP 47. */
    readonly language?: string
    /** The input ends after this many digits. */
    readonly num_digits?: number
    /** Fewer digits are reported as `too_few`. Default 0. */
    readonly min_digits?: number
    /** This key ends the input; empty: no key does. Default `#`. */
    readonly finish_on_key?: string
    /** How long to wait, in seconds. */
    readonly timeout?: number
    /** How long to wait for each further key, in seconds. Default 3. */
    readonly inter_digit_timeout?: number
    /** The URL that is asked with the result; without it the next action follows. */
    readonly action_url?: string
    /** What is played while waiting; the first key ends it. */
    readonly prompt?: {
      /** Speaks a text. */
      readonly say: {
        /** What to speak. */
        readonly text: string
        /** The voice, if the PBX has several. */
        readonly voice?: string
        /** The language, as in BCP 47. */
        readonly language?: string
        /** How often. Default 1. */
        readonly loop?: number
      }
    } | {
      /** Plays a sound file. */
      readonly play: {
        /** The sound file, WAV or MP3. */
        readonly url: string
        /** How often. Default 1. */
        readonly loop?: number
      }
    }
  }
} | {
  /** Records what the remote party says. */
  readonly record: {
    /** The longest recording, in seconds. Default 3,600. */
    readonly max_length?: number
    /** This key ends the input; empty: no key does. Default `#`. */
    readonly finish_on_key?: string
    /** The recording ends after this many seconds of silence. Default 5. */
    readonly silence_timeout?: number
    /** Whether a tone announces the start. Default true. */
    readonly play_beep?: boolean
    /** The URL that is asked with the result; without it the next action follows. */
    readonly action_url?: string
  }
} | {
  /** Calls somebody else and connects both. */
  readonly dial: {
    /** The telephone number, in E.164 form. */
    readonly number: string
    /** The number that the called party sees. Default: the number of the call. */
    readonly callerId?: string
    /** How long to ring, in seconds. Default 30. */
    readonly timeout?: number
    /** The longest talk of a leg, in seconds. */
    readonly time_limit?: number
    /** Records what the remote party says. */
    readonly record?: "do-not-record" | "record-from-answer" | "record-from-ringing" | "record-from-answer-dual" | "record-from-ringing-dual" | true
    /** Whether several numbers ring one after the other instead of together. */
    readonly sequential?: boolean
    /** Whether the first answer ends the other legs. Default true. */
    readonly first_answer_wins?: boolean
    /** The URL that is asked with the result; without it the next action follows. */
    readonly action_url?: string
    /** A sound that the caller hears while a leg rings. */
    readonly ringback_url?: string
    /** Headers for the legs, `X-…`. */
    readonly sip_headers?: { readonly [name: string]: string }
    /** Values of your own, as text. */
    readonly metadata?: { readonly [name: string]: string }
  } | {
    /** The numbers to call, in E.164 form. */
    readonly numbers: ReadonlyArray<string>
    /** The number that the called party sees. Default: the number of the call. */
    readonly callerId?: string
    /** How long to ring, in seconds. Default 30. */
    readonly timeout?: number
    /** The longest talk of a leg, in seconds. */
    readonly time_limit?: number
    /** Records what the remote party says. */
    readonly record?: "do-not-record" | "record-from-answer" | "record-from-ringing" | "record-from-answer-dual" | "record-from-ringing-dual" | true
    /** Whether several numbers ring one after the other instead of together. */
    readonly sequential?: boolean
    /** Whether the first answer ends the other legs. Default true. */
    readonly first_answer_wins?: boolean
    /** The URL that is asked with the result; without it the next action follows. */
    readonly action_url?: string
    /** A sound that the caller hears while a leg rings. */
    readonly ringback_url?: string
    /** Headers for the legs, `X-…`. */
    readonly sip_headers?: { readonly [name: string]: string }
    /** Values of your own, as text. */
    readonly metadata?: { readonly [name: string]: string }
  } | {
    /** The SIP address to call. */
    readonly sip: string
    /** The number that the called party sees. Default: the number of the call. */
    readonly callerId?: string
    /** How long to ring, in seconds. Default 30. */
    readonly timeout?: number
    /** The longest talk of a leg, in seconds. */
    readonly time_limit?: number
    /** Records what the remote party says. */
    readonly record?: "do-not-record" | "record-from-answer" | "record-from-ringing" | "record-from-answer-dual" | "record-from-ringing-dual" | true
    /** Whether several numbers ring one after the other instead of together. */
    readonly sequential?: boolean
    /** Whether the first answer ends the other legs. Default true. */
    readonly first_answer_wins?: boolean
    /** The URL that is asked with the result; without it the next action follows. */
    readonly action_url?: string
    /** A sound that the caller hears while a leg rings. */
    readonly ringback_url?: string
    /** Headers for the legs, `X-…`. */
    readonly sip_headers?: { readonly [name: string]: string }
    /** Values of your own, as text. */
    readonly metadata?: { readonly [name: string]: string }
  }
} | {
  /** Asks this URL for new actions, which replace the remaining ones. */
  readonly redirect: {
    /** The URL to ask. */
    readonly url: string
  }
} | {
  /** Refuses an inbound call before it is answered. */
  readonly reject: {
    /** How the call is refused. */
    readonly reason?: "busy" | "rejected"
  }
} | {
  /** Sends DTMF digits. */
  readonly send_digits: {
    /** The keys. */
    readonly digits: string
  }
} | {
  /** Connects the audio with an application over a WebSocket. */
  readonly stream: {
    /** The WebSocket of the application. */
    readonly url: string
    /** Whether the application talks with the party (`duplex`) or only listens (`fork`). */
    readonly mode?: "duplex" | "fork"
    /** What a fork copies. Default `both`. */
    readonly track?: "inbound" | "outbound" | "both"
    /** The encoding of the audio, and its samples a second. */
    readonly format?: "mulaw-8000" | "l16-16000"
    /** The name by which `stop_stream` finds the stream. */
    readonly name?: string
    /** Texts that the application gets in `start`. */
    readonly parameters?: { readonly [name: string]: string }
    /** The URL that is asked with the result; without it the next action follows. */
    readonly action_url?: string
    /** The longest stream, in seconds. Default 14,400. */
    readonly time_limit?: number
  }
} | {
  /** Stops streams of the call. */
  readonly stop_stream: {
    /** The streams with this name; absent: all. */
    readonly name?: string
  }
} | {
  /** Connects the call with the others of a conference. */
  readonly conference: {
    /** The name of the conference. */
    readonly name: string
    /** Whether the others do not hear it. */
    readonly muted?: boolean
    /** Whether it does not hear the others. */
    readonly deaf?: boolean
    /** Whether the conference starts when it joins. Default true. */
    readonly start_on_enter?: boolean
    /** Whether the conference ends when it leaves. Default false. */
    readonly end_on_exit?: boolean
    /** If so many take part, the call is told `full`. Default 10. */
    readonly max_participants?: number
    /** What it hears until the conference starts: `music`, `silence`, or the URL of a sound. */
    readonly wait?: "music" | "silence" | string
    /** When the others hear a beep: as it joins, as it leaves, at both, or never. */
    readonly beep?: "both" | "enter" | "exit" | "none"
    /** The id of the call that alone hears this one. */
    readonly coach?: string
    /** The longest time in the conference, in seconds. Default 14,400. */
    readonly time_limit?: number
    /** The URL that is asked with the result; without it the next action follows. */
    readonly action_url?: string
  }
} | {
  /** Merges values over those of the call. */
  readonly tag: {
    /** Values of your own, as text. */
    readonly metadata: { readonly [name: string]: string }
  }
} | {
  /** Ends the call. */
  readonly hangup: {
    /** How the call ends. */
    readonly reason?: "normal" | "busy" | "rejected"
  }
}

/** The answer of a voice callback. */
export type VoiceActions = {
  /** The actions, in order. After the last one the call is hung up. */
  readonly actions: ReadonlyArray<VoiceAction>
}

export type VoiceQuestion = {
  /** The call is answered; with machine detection, it is known who answered. */
  readonly reason: "answered"
  /** The call is only tried. */
  readonly simulated?: true
  /** The id of the call. */
  readonly call_id: string
  /** The id of the call's session on the PBX; it can be used in place of the call's id. */
  readonly session_id: string
  /** The call whose `dial` placed this leg; `null` for a call of its own. */
  readonly parent_call_id: string | null
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string | null
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** The calling number, in E.164 form. */
  readonly from: string
  /** The called number, in E.164 form, or a SIP address. */
  readonly to: string
  /** The number that the called party sees. */
  readonly caller_id: string
  /** The state of it. */
  readonly status: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** When it was answered; `null` until then. */
  readonly answered_at: string | null
  /** Who has answered, if machine detection was asked for and has finished. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** The sequence of the event that caused the request. */
  readonly sequence: number
  /** Seconds of talk that are paid for so far; `null` before the answer and where talk is free. */
  readonly remaining_seconds: number | null
  /** Values of your own, as text. */
  readonly metadata: { readonly [name: string]: string }
  /** Your own reference. */
  readonly client_reference: string | null
  /** The result of the action that led to the request. */
  readonly result: null
} | {
  /** One of your numbers is called, and the call is not answered yet. */
  readonly reason: "incoming"
  /** The call is only tried. */
  readonly simulated?: true
  /** The id of the call. */
  readonly call_id: string
  /** The id of the call's session on the PBX; it can be used in place of the call's id. */
  readonly session_id: string
  /** The call whose `dial` placed this leg; `null` for a call of its own. */
  readonly parent_call_id: string | null
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string | null
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** The calling number, in E.164 form. */
  readonly from: string
  /** The called number, in E.164 form, or a SIP address. */
  readonly to: string
  /** The number that the called party sees. */
  readonly caller_id: string
  /** The state of it. */
  readonly status: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** When it was answered; `null` until then. */
  readonly answered_at: string | null
  /** Who has answered, if machine detection was asked for and has finished. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** The sequence of the event that caused the request. */
  readonly sequence: number
  /** Seconds of talk that are paid for so far; `null` before the answer and where talk is free. */
  readonly remaining_seconds: number | null
  /** Values of your own, as text. */
  readonly metadata: { readonly [name: string]: string }
  /** Your own reference. */
  readonly client_reference: string | null
  /** The result of the action that led to the request. */
  readonly result: null
} | {
  /** The action `redirect` named this URL. */
  readonly reason: "redirect"
  /** The call is only tried. */
  readonly simulated?: true
  /** The id of the call. */
  readonly call_id: string
  /** The id of the call's session on the PBX; it can be used in place of the call's id. */
  readonly session_id: string
  /** The call whose `dial` placed this leg; `null` for a call of its own. */
  readonly parent_call_id: string | null
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string | null
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** The calling number, in E.164 form. */
  readonly from: string
  /** The called number, in E.164 form, or a SIP address. */
  readonly to: string
  /** The number that the called party sees. */
  readonly caller_id: string
  /** The state of it. */
  readonly status: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** When it was answered; `null` until then. */
  readonly answered_at: string | null
  /** Who has answered, if machine detection was asked for and has finished. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** The sequence of the event that caused the request. */
  readonly sequence: number
  /** Seconds of talk that are paid for so far; `null` before the answer and where talk is free. */
  readonly remaining_seconds: number | null
  /** Values of your own, as text. */
  readonly metadata: { readonly [name: string]: string }
  /** Your own reference. */
  readonly client_reference: string | null
  /** The result of the action that led to the request. */
  readonly result: unknown
} | {
  /** A `gather` with an `action_url` is over. */
  readonly reason: "gather_completed"
  /** The call is only tried. */
  readonly simulated?: true
  /** The id of the call. */
  readonly call_id: string
  /** The id of the call's session on the PBX; it can be used in place of the call's id. */
  readonly session_id: string
  /** The call whose `dial` placed this leg; `null` for a call of its own. */
  readonly parent_call_id: string | null
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string | null
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** The calling number, in E.164 form. */
  readonly from: string
  /** The called number, in E.164 form, or a SIP address. */
  readonly to: string
  /** The number that the called party sees. */
  readonly caller_id: string
  /** The state of it. */
  readonly status: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** When it was answered; `null` until then. */
  readonly answered_at: string | null
  /** Who has answered, if machine detection was asked for and has finished. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** The sequence of the event that caused the request. */
  readonly sequence: number
  /** Seconds of talk that are paid for so far; `null` before the answer and where talk is free. */
  readonly remaining_seconds: number | null
  /** Values of your own, as text. */
  readonly metadata: { readonly [name: string]: string }
  /** Your own reference. */
  readonly client_reference: string | null
  /** The result of the action that led to the request. */
  readonly result: {
    /** The state of it. */
    readonly status: "complete" | "timeout" | "too_few" | "unavailable"
    /** The keys that were pressed, without the finishing key. */
    readonly digits: string
    /** What was said, if speech was waited for. */
    readonly speech?: string | null
    /** How certain the recognition is, from 0 to 1. */
    readonly confidence?: number | null
  }
} | {
  /** A `record` with an `action_url` is over. */
  readonly reason: "record_completed"
  /** The call is only tried. */
  readonly simulated?: true
  /** The id of the call. */
  readonly call_id: string
  /** The id of the call's session on the PBX; it can be used in place of the call's id. */
  readonly session_id: string
  /** The call whose `dial` placed this leg; `null` for a call of its own. */
  readonly parent_call_id: string | null
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string | null
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** The calling number, in E.164 form. */
  readonly from: string
  /** The called number, in E.164 form, or a SIP address. */
  readonly to: string
  /** The number that the called party sees. */
  readonly caller_id: string
  /** The state of it. */
  readonly status: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** When it was answered; `null` until then. */
  readonly answered_at: string | null
  /** Who has answered, if machine detection was asked for and has finished. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** The sequence of the event that caused the request. */
  readonly sequence: number
  /** Seconds of talk that are paid for so far; `null` before the answer and where talk is free. */
  readonly remaining_seconds: number | null
  /** Values of your own, as text. */
  readonly metadata: { readonly [name: string]: string }
  /** Your own reference. */
  readonly client_reference: string | null
  /** The result of the action that led to the request. */
  readonly result: {
    /** The state of it. */
    readonly status: "recorded" | "failed"
    /** The id of the recording. */
    readonly recording_id: string
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds: number
  }
} | {
  /** A `dial` with an `action_url` is over. */
  readonly reason: "dial_completed"
  /** The call is only tried. */
  readonly simulated?: true
  /** The id of the call. */
  readonly call_id: string
  /** The id of the call's session on the PBX; it can be used in place of the call's id. */
  readonly session_id: string
  /** The call whose `dial` placed this leg; `null` for a call of its own. */
  readonly parent_call_id: string | null
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string | null
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** The calling number, in E.164 form. */
  readonly from: string
  /** The called number, in E.164 form, or a SIP address. */
  readonly to: string
  /** The number that the called party sees. */
  readonly caller_id: string
  /** The state of it. */
  readonly status: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** When it was answered; `null` until then. */
  readonly answered_at: string | null
  /** Who has answered, if machine detection was asked for and has finished. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** The sequence of the event that caused the request. */
  readonly sequence: number
  /** Seconds of talk that are paid for so far; `null` before the answer and where talk is free. */
  readonly remaining_seconds: number | null
  /** Values of your own, as text. */
  readonly metadata: { readonly [name: string]: string }
  /** Your own reference. */
  readonly client_reference: string | null
  /** The result of the action that led to the request. */
  readonly result: {
    /** The best outcome of the legs. */
    readonly status: "completed" | "no_answer" | "busy" | "failed" | "canceled"
    /** The leg that answered; `null` if none did. */
    readonly call_id: string | null
    /** Seconds from the answer to the end, rounded up; 0 without an answer. */
    readonly duration_seconds: number
    /** The destination that answered. */
    readonly answered_number: string | null
    /** Every destination and its outcome. */
    readonly attempts: ReadonlyArray<{
      /** The called number, in E.164 form, or a SIP address. */
      readonly to: string
      /** The state of it. */
      readonly status: "completed" | "no_answer" | "busy" | "failed" | "canceled" | "refused"
      /** The final SIP response (RFC 3261), if there was one. */
      readonly sip_code: number | null
    }>
  }
}

/** An event, as webhooks and the stream of a workspace have it. Newer engines send further kinds. */
export type WebhookEvent = EventCallRinging | EventCallAnswered | EventCallCompleted | EventCallNoAnswer | EventCallBusy | EventCallFailed | EventCallCanceled | EventCallCallbackFailed | EventCallBalanceLow | EventCallMachineDetected | EventCallDtmf | EventCallRecordingAvailable | EventCallRecordingFailed | EventCallRecordingDeleted | EventCallStreamStarted | EventCallStreamEnded | EventCallTranscriptAvailable | EventConferenceStarted | EventConferenceParticipantJoined | EventConferenceParticipantUpdated | EventConferenceParticipantLeft | EventConferenceEnded | EventNumberClaimed | EventNumberRenewed | EventNumberPastDue | EventNumberSuspended | EventNumberReleased | EventNumberRoutingChanged | EventTopupSucceeded | EventTopupFailed | EventTopupReversed | EventWalletLowBalance | EventWalletNegative | EventWalletAutoTopupDisabled | EventWalletAdjusted | EventStorageTierChanged | EventStorageUsageHigh | EventStorageRecordingsEvicted | EventSipTrunkActive | EventSipTrunkFailed | EventSipTrunkUnreachable | EventSipTrunkRecovered | EventSipCredentialCreated | EventSipCredentialRotated | EventSipCredentialRevoked | EventChatappTrunkActive | EventChatappTrunkFailed | EventChatappSettingsChanged | EventChatappPermissionChanged | EventSecurityFirstInternationalCall | EventSecurityNewCountryCalled | EventSecurityCallBurst | EventSecurityCallsFailing | EventSecurityRegistrationAttack | EventSecuritySpendLimitReached | EventSecurityCallbackWaiversUsedUp | EventWorkspaceSuspended | EventWorkspaceReinstated | EventWebhookTest | EventWebhookDisabled

/** The stream could not continue where it was; `reason` says why. */
export interface StreamReset {
  readonly kind: "stream.reset"
  readonly event_kind: "stream.reset"
  readonly reason: string
  readonly [name: string]: unknown
}

export type WorkspaceStreamEvent = WebhookEvent | StreamReset

export type CallStreamEvent = {
  /** The id of it. */
  readonly id: string
  /** The id of the call's session on the PBX; it can be used in place of the call's id. */
  readonly session_id: string
  /** The call whose `dial` placed this leg; `null` for a call of its own. */
  readonly parent_call_id: string | null
  /** The id of the workspace. */
  readonly workspace_id: string
  /** The number of the workspace that the call belongs to. */
  readonly number_id: string | null
  /** `outbound`: placed by the workspace. `inbound`: received by one of its numbers. */
  readonly direction: "outbound" | "inbound"
  /** The state of it. */
  readonly status: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"
  /** The calling number, in E.164 form. */
  readonly from: string
  /** The called number, in E.164 form, or a SIP address. */
  readonly to: string
  /** The number that the called party sees. */
  readonly caller_id: string
  /** When it was created. */
  readonly created_at: string
  /** When the remote party began to ring; `null` until then. */
  readonly ringing_at: string | null
  /** When it was answered; `null` until then. */
  readonly answered_at: string | null
  /** When it ended; `null` until then. */
  readonly ended_at: string | null
  /** Seconds from the answer to the end, rounded up; 0 without an answer. */
  readonly duration_seconds?: number
  /** Seconds that the charge is based on. */
  readonly billed_seconds?: number
  /** The price of a started minute in minor units, fixed when the call began. */
  readonly rate_per_min_minor: number
  /** The prefix of the rate that applies; `null` if no rate does. */
  readonly matched_prefix: string | null
  /** What the call cost, in minor units. Present when the call has ended. */
  readonly cost_minor?: number
  /** The currency (ISO 4217) of the amounts. */
  readonly currency: string
  /** Who has answered, if machine detection was asked for and has finished. */
  readonly answered_by: "human" | "machine" | "unknown" | null
  /** Why the call ended; `null` while it lasts. */
  readonly hangup_cause: "normal_clearing" | "user_busy" | "call_rejected" | "no_answer" | "no_user_response" | "unallocated_number" | "invalid_number_format" | "network_congestion" | "service_unavailable" | "destination_refused" | "insufficient_funds" | "balance_exhausted" | "max_duration" | "ring_timeout" | "canceled_by_workspace" | "answered_elsewhere" | "callback_failed" | "callback_timeout" | "voice_action_invalid" | "actions_ended" | "media_timeout" | "session_lost" | "machine_detected" | "pbx_error" | "no_route" | null
  /** Who ended the call; `null` while it lasts. */
  readonly hangup_source: "caller" | "callee" | "workspace" | "platform" | "carrier" | null
  /** The final SIP response (RFC 3261), if there was one. */
  readonly sip_code: number | null
  /** The cause of the release (ITU-T Q.850), if the network named one. */
  readonly q850_cause: number | null
  /** How long the call rings at most. */
  readonly timeout_seconds: number
  /** The longest time that the call may last, in seconds. */
  readonly max_duration_seconds: number
  /** The newest recording of the call; `null` without one. */
  readonly recording: {
    /** The id of the recording. */
    readonly id: string
    /** The state of the recording. */
    readonly status: "in_progress" | "processing" | "available" | "failed" | "expired" | "deleted"
    /** Where the recording can be read. */
    readonly url: string
  } | null
  /** Values of your own, as text. */
  readonly metadata: { readonly [name: string]: string }
  /** Your own reference. */
  readonly client_reference: string | null
  /** The legs that this call's `dial` placed. */
  readonly child_call_ids: ReadonlyArray<string>
  /** Reserved; always `null`. */
  readonly agent: null
  /** Whether the end of the call was requested and is under way. */
  readonly terminating: boolean
  /** `false` for what belongs to the sandbox (test mode). */
  readonly livemode?: boolean
  /** What happened, such as `call.answered`. */
  readonly kind: string
  /** How the call came about: by the API, a `dial`, a browser, a SIP device or the chat app. */
  readonly call_kind: "api" | "dial" | "webrtc" | "sip" | "chatapp"
  /** The id of the call. */
  readonly call_id: string
  /** The position among the events of the call, from 1. */
  readonly sequence: number
  /** When it happened. */
  readonly occurred_at: string
  /** Whether it arrived after the end of the call and changed nothing. */
  readonly late: boolean
} | TranscriptTurn | TranscriptDelta | StreamReset

/** Every code of an error response. */
export type ErrorCode = "validation.bad_request" | "validation.invalid_cursor" | "validation.payload_too_large" | "validation.unsupported_media_type" | "validation.range_not_satisfiable" | "validation.request_timeout" | "validation.uri_too_long" | "validation.expectation_failed" | "validation.headers_too_large" | "idempotency.key_invalid" | "idempotency.conflict" | "idempotency.in_progress" | "rate_limited" | "not_found" | "method_not_allowed" | "internal_error" | "service_unavailable" | "calls.gateway_unavailable" | "calls.not_found" | "calls.invalid_destination" | "calls.destination_refused" | "calls.invalid_callback_url" | "calls.concurrency_limit_reached" | "calls.rate_limited" | "calls.spend_limit_reached" | "calls.not_in_progress" | "calls.action_unsupported" | "calls.list_failed" | "calls.get_failed" | "calls.events_failed" | "calls.stats_failed" | "calls.recording_not_found" | "calls.recording_processing" | "calls.recording_expired" | "calls.recording_failed" | "wallet.not_found" | "wallet.insufficient_funds" | "wallet.invalid_amount" | "wallet.currency_mismatch" | "wallet.topup_below_minimum" | "wallet.adjustment_invalid_kind" | "currency.unsupported" | "invoice.not_found" | "wallet.card_missing" | "topup.not_found" | "topup.push_in_progress" | "topup.provider_failed" | "topup.limit_exceeded" | "mobilemoney.unavailable" | "cardprovider.unavailable" | "receipt.not_found" | "numbers.not_found" | "numbers.not_active" | "numbers.already_claimed" | "numbers.retired" | "numbers.not_assigned" | "numbers.e164_taken" | "numbers.byo_requires_trunk" | "numbers.invalid_routing_url" | "numbers.price_missing" | "numbers.wallet_unavailable" | "numbers.series_invalid" | "numbers.series_not_active" | "numbers.suffix_collision" | "provider.has_active_series" | "provider.invalid_credentials" | "numbers.sip_credentials.not_found" | "numbers.sip_credentials.already_revoked" | "numbers.credential_limit_reached" | "numbers.extension_invalid" | "numbers.extension_taken" | "numbers.sip_provisioning_failed" | "numbers.sip_config_unavailable" | "numbers.sip_token_unavailable" | "conferences.not_found" | "conferences.participant_not_found" | "conferences.ended" | "conferences.read_failed" | "sip_trunk.not_found" | "sip_trunk.already_exists" | "sip_trunk.in_use" | "sip_trunk.invalid" | "sip_trunk.provisioning_failed" | "workspace.locked_to_byoc" | "workspace.locked_to_platform_numbers" | "webhooks.not_found" | "webhooks.event_unsupported" | "webhooks.limit_reached" | "webhooks.delivery_not_retryable" | "webhooks.dispatcher_unavailable" | "webhooks.create_failed" | "webhooks.list_failed" | "webhooks.patch_failed" | "webhooks.delete_failed" | "webhooks.rotate_secret_failed" | "storage.tier_invalid" | "storage.price_missing" | "storage.tier_switch_failed" | "chatapp.not_provisioned" | "chatapp.settings_invalid" | "chatapp.provider_rejected" | "chatapp.provider_unavailable" | "chatapp.not_eligible" | "chatapp.trunk_not_retryable" | "api_key.missing" | "api_key.invalid" | "api_key.expired" | "api_key.revoked" | "api_key.scope_denied" | "api_key.test_mode_required" | "api_key.scope_invalid" | "api_key.name_required" | "api_key.limit_reached" | "api_key.not_found" | "api_key.already_revoked" | "audit.invalid_action_kind" | "account.suspended" | "accounts.admin_required" | "accounts.last_owner" | "accounts.remove_denied" | "accounts.role_change_denied" | "accounts.write_denied" | "members.not_found" | "invitations.not_found" | "invitations.already_member" | "invite_requires_login" | "auth.admin_required" | "auth.cannot_unlink_only_auth" | "auth.email_taken" | "auth.sign_up_closed" | "auth.idp_exchange_failed" | "auth.idp_not_configured" | "auth.idp_state_mismatch" | "auth.invite_email_mismatch" | "auth.no_workspace" | "auth.session_invalid" | "auth.token_expired" | "auth.token_invalid" | "auth.token_used" | "auth.workspace_forbidden" | "pbx.body_read_failed" | "pbx.payload_decode_failed" | "pbx.unknown_workspace" | "pbx.resolve_failed" | "pbx.ingest_failed"
