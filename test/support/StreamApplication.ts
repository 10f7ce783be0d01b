// An application of a customer: a WebSocket server on loopback that takes media streams.
import { Effect } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"

interface StreamText {
  readonly event: string
  readonly streamSid?: string
  readonly start?: { readonly resumed?: boolean; readonly callSid: string; readonly tracks: ReadonlyArray<string> }
  readonly media?: { readonly track: string; readonly payload: string }
  readonly mark?: { readonly name: string }
  readonly dtmf?: { readonly digit: string }
}

/** A connection to the application. */
export interface StreamConnection {
  readonly socket: WebSocket
  readonly headers: IncomingHttpHeaders
  /** What was received, with the time of each. */
  readonly received: Array<StreamText & { readonly at: number }>
  readonly send: (message: object) => void
  /** The audio of a track that was received from `since` on. */
  readonly heard: (track?: string, since?: number) => Buffer
}

/** `behave` is run for each connection. */
export const streamApplication = (
  behave: (connection: StreamConnection, nth: number) => void = () => {},
  options: ConstructorParameters<typeof WebSocketServer>[0] = {}
) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<WebSocketServer>((resume) => {
        const server: WebSocketServer = new WebSocketServer({ host: "127.0.0.1", port: 0, ...options }, () =>
          resume(Effect.succeed(server))
        )
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          for (const client of server.clients) client.terminate()
          server.close(() => resume(Effect.void))
        })
    ),
    (server) => {
      const connections: Array<StreamConnection> = []
      server.on("connection", (socket, { headers }) => {
        const received: Array<StreamText & { readonly at: number }> = []
        socket.on("error", () => {})
        socket.on("message", (data) =>
          received.push({ ...(JSON.parse(String(data)) as StreamText), at: performance.now() })
        )
        const connection: StreamConnection = {
          socket,
          headers,
          received,
          send: (message) => socket.send(JSON.stringify(message)),
          heard: (track = "inbound", since = 0) =>
            Buffer.concat(
              received.flatMap(({ at, media }) =>
                media?.track === track && at >= since ? [Buffer.from(media.payload, "base64")] : []
              )
            )
        }
        connections.push(connection)
        behave(connection, connections.length)
      })
      const { port } = server.address() as AddressInfo
      return { url: `ws://127.0.0.1:${port}/agent?x=1`, connections }
    }
  )

/** Decodes µ-law to 16-bit samples (ITU-T G.711). */
const samplesOf = (audio: Buffer): Int16Array =>
  Int16Array.from(audio, (byte) => {
    const inverted = ~byte & 0xff
    const magnitude = (((inverted & 0x0f) << 3) + 0x84) << ((inverted & 0x70) >> 4)
    return inverted & 0x80 ? 0x84 - magnitude : magnitude - 0x84
  })

/** The amplitude of a frequency in µ-law audio of 8 kHz: about 8,000 for a tone of TonePhone alone. */
export const amplitudeOf = (audio: Buffer, hz: number): number => {
  const samples = samplesOf(audio)
  let re = 0
  let im = 0
  for (const [index, sample] of samples.entries()) {
    const angle = (2 * Math.PI * hz * index) / 8_000
    re += sample * Math.cos(angle)
    im += sample * Math.sin(angle)
  }
  return (2 * Math.hypot(re, im)) / Math.max(1, samples.length)
}

/** A tone as one message of `seconds`. */
export const toneMessage = (frames: Iterable<Uint8Array>) => ({
  event: "media",
  media: { payload: Buffer.concat([...frames]).toString("base64") }
})
