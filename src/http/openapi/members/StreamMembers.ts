import { type Members, sample } from "./Members.ts"

const id = "ST_01981d5e000070008000000000000003_1"

/** Media streams (docs/streams.md). */
export const streamMembers: Members = {
  "stream.url": ["The WebSocket of the application.", "wss://agent.example.com/calls"],
  "stream.name": ["The name by which `stop_stream` finds the stream.", "agent"],
  "stop_stream.name": ["The streams with this name; absent: all.", "agent"],
  "stream.time_limit": ["The longest stream, in seconds. Default 14,400.", 3_600],
  track: ["What a fork copies. Default `both`.", "both"],
  parameters: ["Texts that the application gets in `start`.", { order: "4711" }],
  stream_id: ["The id of the stream.", id],
  document: ["The voice actions that an application sent, as JSON text.", '{"actions":[{"hangup":{}}]}'],
  account_id: ["The id of the workspace.", sample.workspace],
  tracks: ["The sides to send: what the party says, and what it hears.", ["inbound"]],
  time_limit_seconds: ["The longest stream, in seconds.", 3_600],
  resumed: ["Whether the application was connected before.", false],
  headers: ["Headers for the request to the application.", { "x-service-call-id": sample.call }],
  tenant_streams: ["How many streams the tenant may have at once.", 50]
}
