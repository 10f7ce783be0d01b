// What one workspace, account or person may use of what all share. The code that enforces a limit reads it here, and
// docs/limits.md is printed from here (`node scripts/docs/limits.ts`).
import { type Quota, quotas } from "../access/Quota.ts"

/** What a limit counts. */
export type Unit = "bytes" | "seconds" | "minutes" | "days"

export interface Budget {
  readonly subject: "Requests" | "Calls" | "Numbers" | "Media streams" | "Sandboxes"
  /** What is counted. */
  readonly name: string
  /** Whose share it is. */
  readonly each: string
  /** How much at a time, or how much a second with which burst. */
  readonly limit: number | Quota
  readonly unit?: Unit
  /** What happens to what exceeds it. */
  readonly beyond: string
}

const kibi = 1_024
const mebi = 1_024 * kibi

const refused = "429 `rate_limited` with `Retry-After`"
const waits = "The engine reads no more from the application of this stream until there is room again"
const waitsTogether = "The same, for each stream of the workspace that sends more"

export const budgets = {
  read: {
    subject: "Requests",
    name: "Reads",
    each: "key or session, in each process",
    limit: quotas.read,
    beyond: refused
  },
  write: {
    subject: "Requests",
    name: "Changes",
    each: "key or session, in each process",
    limit: quotas.write,
    beyond: refused
  },
  workspace_read: {
    subject: "Requests",
    name: "Reads",
    each: "workspace",
    limit: quotas.workspace_read,
    beyond: refused
  },
  workspace_write: {
    subject: "Requests",
    name: "Changes",
    each: "workspace",
    limit: quotas.workspace_write,
    beyond: refused
  },
  live_streams: {
    subject: "Requests",
    name: "Open live streams of events",
    each: "key or session, in each process",
    limit: 20,
    beyond: refused
  },
  workspace_live_streams: {
    subject: "Requests",
    name: "Open live streams of events",
    each: "workspace, in each process",
    limit: 500,
    beyond: refused
  },
  topups: { subject: "Requests", name: "Top-ups", each: "workspace", limit: quotas.topups, beyond: refused },
  invitation: {
    subject: "Requests",
    name: "Invitations",
    each: "workspace",
    limit: quotas.invitation,
    beyond: refused
  },

  workspace_callbacks: {
    subject: "Calls",
    name: "Questions to voice callbacks that are not answered yet",
    each: "workspace",
    limit: 512,
    beyond: "They wait for each other until the time for their answer is over, and then fail with `callback_timeout`"
  },
  workspace_callbacks_waiting: {
    subject: "Calls",
    name: "Questions that wait because of that",
    each: "workspace",
    limit: 1_024,
    beyond: "They fail with `callback_failed`"
  },

  brought_numbers: {
    subject: "Numbers",
    name: "Numbers of its own that reach it over its SIP trunk",
    each: "workspace",
    limit: 1_000,
    beyond: "409 `numbers.limit_reached`"
  },

  open_streams: {
    subject: "Media streams",
    name: "Open streams",
    each: "call",
    limit: 4,
    beyond: "The stream ends at once with `limit_reached`, and the call goes on"
  },
  workspace_open_streams: {
    subject: "Media streams",
    name: "Open streams. An operator sets another number with `MAX_STREAMS_PER_WORKSPACE`",
    each: "workspace",
    limit: 50,
    beyond: "The same, whichever call it is of"
  },
  stream_bytes: {
    subject: "Media streams",
    name: "Everything that the application sends",
    each: "stream",
    limit: { per_second: 256 * kibi, burst: 2 * mebi },
    unit: "bytes",
    beyond: waits
  },
  workspace_stream_bytes: {
    subject: "Media streams",
    name: "Everything that applications send",
    each: "workspace",
    limit: { per_second: 4 * mebi, burst: 32 * mebi },
    unit: "bytes",
    beyond: waitsTogether
  },
  stream_text: {
    subject: "Media streams",
    name: "Messages `transcript` and `actions`",
    each: "stream",
    limit: { per_second: 64 * kibi, burst: 512 * kibi },
    unit: "bytes",
    beyond: waits
  },
  workspace_stream_text: {
    subject: "Media streams",
    name: "Messages `transcript` and `actions`",
    each: "workspace",
    limit: { per_second: 512 * kibi, burst: 2 * mebi },
    unit: "bytes",
    beyond: waitsTogether
  },
  stream_stored: {
    subject: "Media streams",
    name: "Final transcripts and `actions`",
    each: "stream",
    limit: { per_second: 5, burst: 20 },
    beyond: waits
  },
  workspace_stream_stored: {
    subject: "Media streams",
    name: "Final transcripts and `actions`",
    each: "workspace",
    limit: { per_second: 50, burst: 200 },
    beyond: waitsTogether
  },
  stream_pieces: {
    subject: "Media streams",
    name: "Transcripts that are not final",
    each: "stream",
    limit: { per_second: 25, burst: 100 },
    beyond: waits
  },
  workspace_stream_pieces: {
    subject: "Media streams",
    name: "Transcripts that are not final",
    each: "workspace",
    limit: { per_second: 250, burst: 1_000 },
    beyond: waitsTogether
  },
  call_turns: {
    subject: "Media streams",
    name: "Turns of a transcript",
    each: "call",
    limit: 5_000,
    beyond: "The stream ends with `limit_reached`, and the call goes on. No more turns are stored"
  },

  sandbox_concurrent_calls: {
    subject: "Sandboxes",
    name: "Calls at once, if the calling policy does not say fewer",
    each: "sandbox",
    limit: 20,
    beyond: "429 `calls.concurrency_limit_reached`"
  },
  sandbox_calls_per_second: {
    subject: "Sandboxes",
    name: "Calls placed a second, if the calling policy does not say fewer",
    each: "sandbox",
    limit: 5,
    beyond: "429 `calls.rate_limited` with `Retry-After`"
  },
  sandbox_calls: {
    subject: "Sandboxes",
    name: "Calls placed",
    each: "person, in the sandboxes of all workspaces that the person owned first",
    limit: quotas.sandbox_calls,
    beyond: "429 `calls.rate_limited` with the reason `sandbox_calls_per_day`"
  },
  sandbox_recording: {
    subject: "Sandboxes",
    name: "Length of a recording",
    each: "recording",
    limit: 600,
    unit: "seconds",
    beyond: "The recording ends there, and the call goes on"
  },
  sandbox_recorded: {
    subject: "Sandboxes",
    name: "Seconds recorded",
    each: "sandbox",
    limit: { per_second: 3_600 / 86_400, burst: 3_600 },
    beyond: "Recordings that begin then fail with `recording_quota`"
  },
  sandbox_stored_bytes: {
    subject: "Sandboxes",
    name: "Recordings stored, whatever size of storage is bought",
    each: "sandbox",
    limit: 100 * mebi,
    unit: "bytes",
    beyond: "The oldest are deleted"
  },
  sandbox_retention: {
    subject: "Sandboxes",
    name: "Age of a recording, if the retention does not say less",
    each: "recording",
    limit: 7,
    unit: "days",
    beyond: "The recording is deleted"
  }
} as const satisfies Record<string, Budget>
