// The audio of a call through the media WebSockets of Asterisk (chan_websocket). Asterisk silently drops control
// messages of more than 128 bytes, and audio beyond 20 s: marks have short names, and the relay is less far ahead.
import { WebSocket } from "ws"
import type { StreamTrack } from "../../domain/streams/CallStream.ts"
import type { PbxMedia, PbxMediaEvents } from "./PbxMedia.ts"

interface MediaSocket {
  readonly track: StreamTrack
  readonly url: string
}

const connect_timeout_ms = 2_000

/** The id of the mark that Asterisk has reached; undefined for other messages. */
const markOf = (text: string): string | undefined => {
  try {
    const { correlation_id, event } = JSON.parse(text) as { readonly event?: string; readonly correlation_id?: string }
    return event === "MEDIA_MARK_PROCESSED" ? correlation_id : undefined
  } catch {
    return undefined
  }
}

/** Asterisk sends and takes frames of 20 ms, which is also what the relay cuts. */
export const connectAsterisk = (sockets: ReadonlyArray<MediaSocket>, events: PbxMediaEvents): PbxMedia => {
  let over = false
  let missing = sockets.length
  const end = () => {
    if (over) return
    over = true
    events.ended()
  }
  const connected = sockets.map(({ track, url }) => {
    const socket = new WebSocket(url, { handshakeTimeout: connect_timeout_ms, perMessageDeflate: false })
    socket.on("open", () => --missing === 0 && !over && events.opened())
    socket.on("message", (data, binary) => {
      if (over) return
      if (binary) return events.heard(track, data as Buffer)
      const mark = markOf(String(data))
      if (mark !== undefined) events.marked(mark)
    })
    socket.on("error", end)
    socket.on("close", end)
    return socket
  })
  const [first] = connected
  const send = (data: string | Uint8Array) => {
    if (first?.readyState === WebSocket.OPEN) first.send(data)
  }
  return {
    play: send,
    mark: (correlation_id) => send(JSON.stringify({ command: "MARK_MEDIA", correlation_id })),
    flush: () => send(JSON.stringify({ command: "FLUSH_MEDIA" })),
    close: () => {
      over = true
      for (const socket of connected) socket.close(1000)
    }
  }
}
