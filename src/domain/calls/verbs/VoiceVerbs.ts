// The verbs of a voice script (docs/voice-actions.md), one row for each. The actions that a document may contain, their
// JSON Schema, the reader of documents, timeouts, PBX commands, results and phase checks all derive from this table.
import { Schema } from "effect"
import { ConferenceAction } from "../../conferences/ConferenceAction.ts"
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import { RecordValue } from "../../recordings/RecordMode.ts"
import { StopStreamAction, StreamAction } from "../../streams/CallStream.ts"
import { between, Digits, HttpUrl, matching } from "../../kit/CallFields.ts"
import { optional } from "../../kit/Fields.ts"
import { Metadata } from "../../kit/Metadata.ts"
import { e164 } from "../../numbers/E164.ts"
import { e164OrUser } from "../policy/ChatAppDestination.ts"
import { Language, Play, Say } from "../../sounds/Prompt.ts"
import { verb } from "./Verb.ts"
import type { RecordingId } from "../../BrandedIds.ts"

const E164 = matching(new RegExp(e164, "u"), 16)
/** A number, or a user of the chat app. */
const DialTarget = matching(new RegExp(e164OrUser, "u"), 24)
const Key = matching(/^[0-9*#]?$/u, 1)
/** A user and a host, without a password (RFC 3261, section 19.1). */
const SipUri = matching(
  /^sips?:[A-Za-z0-9._~!$&'()*+,;=%-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?(:\d{1,5})?$/u,
  400
)
const finishOnKey = optional(Key).annotate({
  description: "This key ends the input; empty: no key does. Default `#`."
})

const Pause = Schema.Struct({ seconds: between(1, 60).annotate({ description: "How long, in seconds." }) }).annotate({
  description: "Waits."
})

const Gather = Schema.Struct({
  input: optional(
    Schema.Array(Schema.Literals(["dtmf", "speech"])).check(Schema.isBetweenLength(1, 2), Schema.isUnique())
  ).annotate({ description: "What to wait for; the first that comes counts. Default `dtmf`." }),
  language: Language,
  num_digits: optional(between(1, 64)).annotate({ description: "The input ends after this many digits." }),
  min_digits: optional(between(0, 64)).annotate({
    description: "Fewer digits are reported as `too_few`. Default 0."
  }),
  finish_on_key: finishOnKey,
  timeout: optional(between(1, 60)).annotate({ description: "How long to wait, in seconds." }),
  inter_digit_timeout: optional(between(1, 60)).annotate({
    description: "How long to wait for each further key, in seconds. Default 3."
  }),
  action_url: optional(HttpUrl),
  prompt: optional(Schema.Union([Schema.Struct({ say: Say }), Schema.Struct({ play: Play })])).annotate({
    description: "What is played while waiting; the first key ends it."
  })
}).annotate({ description: "Waits for keys or speech." })
type Gather = typeof Gather.Type

const Record = Schema.Struct({
  max_length: optional(between(1, 14_400)).annotate({
    description: "The longest recording, in seconds. Default 3,600."
  }),
  finish_on_key: finishOnKey,
  silence_timeout: optional(between(1, 60)).annotate({
    description: "The recording ends after this many seconds of silence. Default 5."
  }),
  play_beep: optional(Schema.Boolean).annotate({ description: "Whether a tone announces the start. Default true." }),
  action_url: optional(HttpUrl)
}).annotate({ description: "Records what the remote party says." })
type Record = typeof Record.Type

const dialOptions = {
  callerId: optional(E164).annotate({
    description: "The number that the called party sees. Default: the number of the call."
  }),
  timeout: optional(between(5, 600)).annotate({ description: "How long to ring, in seconds. Default 30." }),
  time_limit: optional(between(1, 14_400)).annotate({ description: "The longest talk of a leg, in seconds." }),
  record: optional(RecordValue).annotate({
    description: "What to record of the legs. `true` means `record-from-answer`."
  }),
  sequential: optional(Schema.Boolean).annotate({
    description: "Whether several numbers ring one after the other instead of together."
  }),
  first_answer_wins: optional(Schema.Boolean).annotate({
    description: "Whether the first answer ends the other legs. Default true."
  }),
  action_url: optional(HttpUrl),
  ringback_url: optional(HttpUrl).annotate({ description: "A sound that the caller hears while a leg rings." }),
  sip_headers: optional(
    Schema.Record(matching(/^[Xx]-[A-Za-z0-9-]+$/u, 64), matching(/^[\x20-\x7e]*$/u, 256)).check(
      Schema.isMaxProperties(16)
    )
  ).annotate({ description: "Headers for the legs, `X-…`." }),
  metadata: optional(Metadata)
}
const DialNumber = Schema.Struct({
  number: DialTarget.annotate({
    description: "The telephone number, in E.164 form; after `chatapp:` that of a user of the chat app."
  }),
  ...dialOptions
})
const DialNumbers = Schema.Struct({
  numbers: Schema.Array(DialTarget)
    .check(Schema.isBetweenLength(1, 10), Schema.isUnique())
    .annotate({ description: "The numbers to call, each as `number`." }),
  ...dialOptions
})
const DialSip = Schema.Struct({
  sip: SipUri.annotate({ description: "The SIP address to call." }),
  ...dialOptions
})
const Dial = Schema.Union([DialNumber, DialNumbers, DialSip]).annotate({
  description: "Calls somebody else and connects both."
})

const Redirect = Schema.Struct({ url: HttpUrl.annotate({ description: "The URL to ask." }) }).annotate({
  description: "Asks this URL for new actions, which replace the remaining ones."
})

const Reject = Schema.Struct({
  reason: optional(Schema.Literals(["busy", "rejected"])).annotate({ description: "How the call is refused." })
}).annotate({ description: "Refuses an inbound call before it is answered." })

const SendDigits = Schema.Struct({
  digits: Digits.annotate({ description: "The keys." })
}).annotate({ description: "Sends DTMF digits." })

const Tag = Schema.Struct({ metadata: Metadata }).annotate({ description: "Merges values over those of the call." })

const Hangup = Schema.Struct({
  reason: optional(Schema.Literals(["normal", "busy", "rejected"])).annotate({ description: "How the call ends." })
}).annotate({ description: "Ends the call." })

/** What the PBX needs beside the action itself: to fetch, to render, to report. */
const slack_ms = 60_000
const character_ms = 100
const digit_ms = 1_000
/** The length of a file is unknown beforehand; the largest file that is allowed plays for less. */
const file_ms = 3_600_000
/** The longest recording of a `record` without `max_length`. */
const recording_seconds = 3_600

const sayDuration_ms = ({ loop = 1, text }: Say): number => text.length * loop * character_ms
const playDuration_ms = ({ loop = 1 }: Play): number => loop * file_ms
const promptDuration_ms = (prompt: Gather["prompt"]): number => {
  if (prompt === undefined) return 0
  return "say" in prompt ? sayDuration_ms(prompt.say) : playDuration_ms(prompt.play)
}

const toSay = ({ language, loop = 1, text, voice }: Say) => ({
  kind: "say" as const,
  text,
  ...(voice !== undefined && { voice }),
  ...(language !== undefined && { language }),
  loop
})
const toPlay = ({ loop = 1, url }: Play) => ({ kind: "play" as const, url, loop })

const waitsForSpeech = ({ input }: Gather): boolean => input?.includes("speech") === true

const toGather = (gather: Gather) => {
  const { finish_on_key = "#", inter_digit_timeout = 3, input, language, prompt, timeout = 5 } = gather
  const { min_digits = 0, num_digits = 64 } = gather
  return {
    kind: "gather" as const,
    ...(input !== undefined && waitsForSpeech(gather) && { input, ...(language !== undefined && { language }) }),
    min_digits,
    max_digits: num_digits,
    finish_on_key,
    timeout_ms: timeout * 1000,
    inter_digit_timeout_ms: inter_digit_timeout * 1000,
    ...(prompt !== undefined && { prompt: "say" in prompt ? toSay(prompt.say) : toPlay(prompt.play) })
  }
}

/**
 * `complete`: all digits, the finishing key, or speech. `too_few`: fewer digits than `min_digits`. `unavailable`: only
 * speech was waited for, and the PBX has no speech recognition.
 */
export type GatherStatus = "complete" | "timeout" | "too_few" | "unavailable"

const gatherStatus = (
  { min_digits = 0 }: Gather,
  { digits, result, speech }: { readonly digits: string; readonly result: string | undefined; readonly speech: string }
): GatherStatus => {
  const complete = result === "complete"
  if (speech !== "") return "complete"
  if (result === "unavailable" && digits === "") return "unavailable"
  if (digits.length < min_digits) return digits === "" && !complete ? "timeout" : "too_few"
  return complete || digits !== "" ? "complete" : "timeout"
}

const gatherResult = (gather: Gather, report: PbxEvent | null) => {
  const { confidence = null, digits = "", result, speech = "" } = report?.data ?? {}
  return {
    status: gatherStatus(gather, { digits, result, speech }),
    digits,
    ...(waitsForSpeech(gather) && {
      speech: speech === "" ? null : speech,
      confidence: speech === "" ? null : confidence
    })
  }
}

const recordResult = (_record: Record, report: PbxEvent | null, recording_id: RecordingId) => {
  const recorded = report?.type === "recording.completed"
  const { duration_ms = 0 } = report?.data ?? {}
  return {
    status: recorded ? "recorded" : "failed",
    recording_id,
    duration_seconds: recorded ? Math.ceil(duration_ms / 1000) : 0
  }
}

export const voiceVerbs = {
  say: verb(Say, {
    phase: "answered",
    engages: true,
    run: {
      by: "pbx",
      timeout_ms: (say) => slack_ms + sayDuration_ms(say),
      toPbx: toSay,
      reports: ["playback.finished"],
      result: null
    }
  }),
  play: verb(Play, {
    phase: "answered",
    engages: true,
    run: {
      by: "pbx",
      timeout_ms: (play) => slack_ms + playDuration_ms(play),
      toPbx: toPlay,
      reports: ["playback.finished"],
      result: null
    }
  }),
  pause: verb(Pause, {
    phase: "answered",
    engages: false,
    run: { by: "time", timeout_ms: ({ seconds }) => seconds * 1000 }
  }),
  gather: verb(Gather, {
    phase: "answered",
    engages: true,
    run: {
      by: "pbx",
      timeout_ms: ({ inter_digit_timeout = 3, num_digits = 64, prompt, timeout = 5 }) =>
        slack_ms + promptDuration_ms(prompt) + (timeout + num_digits * inter_digit_timeout) * 1000,
      toPbx: toGather,
      reports: ["gather.finished"],
      result: { reason: "gather_completed", action_url: ({ action_url }) => action_url, read: gatherResult }
    }
  }),
  record: verb(Record, {
    phase: "answered",
    engages: true,
    run: {
      by: "pbx",
      timeout_ms: ({ max_length = recording_seconds }) => slack_ms + max_length * 1000,
      toPbx: (
        { finish_on_key = "#", max_length = recording_seconds, play_beep = true, silence_timeout = 5 },
        recording_id
      ) => ({
        kind: "record.start",
        recording_id,
        channels: 1,
        from: "answer",
        max_seconds: max_length,
        silence_seconds: silence_timeout,
        finish_on_key,
        beep: play_beep
      }),
      reports: ["recording.completed", "recording.failed"],
      result: { reason: "record_completed", action_url: ({ action_url }) => action_url, read: recordResult }
    }
  }),
  dial: verb(Dial, {
    variants: { number: DialNumber, numbers: DialNumbers, sip: DialSip },
    phase: "answered",
    engages: true,
    run: { by: "legs", result: { reason: "dial_completed" } }
  }),
  redirect: verb(Redirect, {
    phase: "any",
    engages: false,
    run: { by: "engine", step: ({ url }) => ({ kind: "ask", url }) }
  }),
  reject: verb(Reject, {
    phase: "unanswered",
    engages: false,
    run: { by: "engine", step: ({ reason = "rejected" }) => ({ kind: "end", reason }) }
  }),
  send_digits: verb(SendDigits, {
    phase: "answered",
    engages: true,
    run: {
      by: "pbx",
      timeout_ms: ({ digits }) => slack_ms + digits.length * digit_ms,
      toPbx: ({ digits }) => ({ kind: "send_digits", digits }),
      reports: ["playback.finished"],
      result: null
    }
  }),
  stream: verb(StreamAction, {
    phase: "answered",
    engages: true,
    needs: "stream.v1",
    run: { by: "stream", result: { reason: "stream_completed" } }
  }),
  stop_stream: verb(StopStreamAction, {
    phase: "any",
    engages: false,
    run: { by: "engine", step: ({ name }) => ({ kind: "stop_stream", name }) }
  }),
  conference: verb(ConferenceAction, {
    phase: "answered",
    engages: true,
    needs: "conference.v1",
    run: { by: "conference", result: { reason: "conference_completed" } }
  }),
  tag: verb(Tag, {
    phase: "any",
    engages: false,
    run: { by: "engine", step: ({ metadata }) => ({ kind: "tag", metadata }) }
  }),
  hangup: verb(Hangup, {
    phase: "any",
    engages: false,
    run: { by: "engine", step: ({ reason = "normal" }) => ({ kind: "end", reason }) }
  })
}

type Verbs = typeof voiceVerbs
export type VerbName = keyof Verbs
/** What an action of this verb carries. */
export type VerbPayload<Name extends VerbName> = Verbs[Name]["schema"]["Type"]
/** Reasons of callbacks that follow an action with a result. */
type VerbReason = {
  [Name in VerbName]: Verbs[Name]["run"] extends { readonly result: { readonly reason: infer Reason } } ? Reason : never
}[VerbName]
export const verbReasons = Object.values(voiceVerbs).flatMap(({ run }): ReadonlyArray<string> =>
  "result" in run && run.result !== null ? [run.result.reason] : []
) as ReadonlyArray<VerbReason>
