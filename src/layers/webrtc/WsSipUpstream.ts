import { hash } from "node:crypto"
import { type Cause, Effect, Layer, Queue, type Scope } from "effect"
import { WebSocket } from "ws"
import { type SipLine, SipUnreachable, SipUpstream } from "../../domain/ports/pbx/SipUpstream.ts"
import { sipLimits } from "../../domain/webrtc/SipSyntax.ts"

/** Limits on buffered frames in each direction. Beyond them the sender is paused or disconnected. */
const unsentMax = 1 << 20
const receivedMax = 256

const connect = (url: string): Effect.Effect<SipLine, SipUnreachable, Scope.Scope> =>
  Effect.gen(function* () {
    const received = yield* Queue.unbounded<string, Cause.Done>()
    const socket = yield* Effect.acquireRelease(
      Effect.callback<WebSocket, SipUnreachable>((resume) => {
        const opening = new WebSocket(url, "sip", {
          maxPayload: sipLimits.message,
          handshakeTimeout: 5000,
          perMessageDeflate: false
        })
        opening.on("open", () => resume(Effect.succeed(opening)))
        opening.on("error", (cause) => {
          Queue.endUnsafe(received)
          resume(Effect.fail(new SipUnreachable({ cause })))
        })
        return Effect.sync(() => opening.terminate())
      }),
      (socket) => Effect.sync(() => socket.close(1000))
    )
    socket.on("message", (data) => {
      if (Queue.sizeUnsafe(received) >= receivedMax) return socket.terminate()
      Queue.offerUnsafe(received, String(data))
    })
    socket.on("close", () => Queue.endUnsafe(received))
    return {
      heard: received,
      send: (text) => {
        if (socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > unsentMax) return false
        socket.send(text)
        return true
      }
    }
  })

export const digestHash: SipUpstream["Service"]["hash"] = (algorithm, text) =>
  hash(algorithm === "MD5" ? "md5" : "sha256", text, "hex")

export interface SipUpstreamOptions {
  /** The PBX's SIP over WebSocket URL. Undefined: the PBX accepts no browsers. */
  readonly url: string | undefined
  readonly browsersOf: SipUpstream["Service"]["browsersOf"]
}

export const layer = ({ browsersOf, url }: SipUpstreamOptions): Layer.Layer<SipUpstream> =>
  Layer.succeed(SipUpstream)({
    browsersOf,
    exists: url !== undefined,
    connect: url === undefined ? Effect.fail(new SipUnreachable({ cause: "PBX_SIP_WS_URL is not set" })) : connect(url),
    hash: digestHash
  })
