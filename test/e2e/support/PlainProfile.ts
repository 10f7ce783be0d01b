// A hop between a phone and Asterisk that changes the profile of what the phone offers to the one of RFC 5764,
// `UDP/TLS/RTP/SAVP`. baresip offers DTLS with feedback alone (`UDP/TLS/RTP/SAVPF`, RFC 5124), which an endpoint of
// Asterisk accepts only where it accepts nothing else. Only SIP passes here; media flow directly.
import { Effect, type Scope } from "effect"
import { createSocket } from "node:dgram"

/** The message with the other profile, and with the length of its new body. */
const rewritten = (message: string): string => {
  const [head = "", body = ""] = message.split(/\r\n\r\n(.*)/s)
  const changed = body.replaceAll("UDP/TLS/RTP/SAVPF", "UDP/TLS/RTP/SAVP")
  return `${head.replace(/^Content-Length:.*$/im, `Content-Length: ${Buffer.byteLength(changed)}`)}\r\n\r\n${changed}`
}

/** Passes messages on between the phone and Asterisk, which listen at these ports of loopback. Returns its port. */
export const plainProfile = (ports: {
  readonly phone: number
  readonly asterisk: number
}): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createSocket>>((resume) => {
      const socket = createSocket("udp4", (message, { port }) => {
        const target = port === ports.asterisk ? ports.phone : ports.asterisk
        socket.send(rewritten(message.toString("latin1")), target, "127.0.0.1")
      })
      socket.bind(0, "127.0.0.1", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.close())
  ).pipe(Effect.map((socket) => socket.address().port))
