import type { Members } from "./Members.ts"

/** Media streams (docs/streams.md). */
export const streamMembers: Members = {
  "stream.url": "The WebSocket of the application.",
  "stream.name": "The name by which `stop_stream` finds the stream.",
  "stop_stream.name": "The streams with this name; absent: all.",
  "stream.time_limit": "The longest stream, in seconds. Default 14,400.",
  track: "What a fork copies. Default `both`.",
  parameters: "Texts that the application gets in `start`.",
  stream_id: "The id of the stream.",
  document: "The voice actions that an application sent, as JSON text.",
  account_id: "The id of the workspace.",
  tracks: "The sides to send: what the party says, and what it hears.",
  time_limit_seconds: "The longest stream, in seconds.",
  resumed: "Whether the application was connected before.",
  headers: "Headers for the request to the application.",
  tenant_streams: "How many streams the tenant may have at once."
}
