// JsSIP as in a browser, without media: its peer connection accepts everything.
import { Effect } from "effect"
import JsSIP from "jssip"

const sdp =
  "v=0\r\no=- 1 1 IN IP4 192.0.2.9\r\ns=-\r\nc=IN IP4 192.0.2.9\r\nt=0 0\r\nm=audio 4002 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n"

class QuietPeer extends EventTarget {
  readonly iceGatheringState = "complete"
  readonly iceConnectionState = "connected"
  readonly signalingState = "stable"
  readonly localDescription = { type: "offer", sdp }
  createOffer = () => Promise.resolve({ type: "offer", sdp })
  createAnswer = () => Promise.resolve({ type: "answer", sdp })
  setLocalDescription = () => Promise.resolve()
  setRemoteDescription = () => Promise.resolve()
  getSenders = () => []
  addTrack = () => {}
  close = () => {}
}

Object.assign(globalThis, {
  RTCPeerConnection: QuietPeer,
  RTCSessionDescription: Object,
  window: { RTCPeerConnection: QuietPeer }
})

export interface Heard {
  readonly name: string
  readonly code?: number | undefined
}

/** A user agent that connects and registers, and records its events. */
export const openBrowser = (options: { readonly url: string; readonly uri: string }) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const heard: Array<Heard> = []
      const ua = new JsSIP.UA({
        sockets: [new JsSIP.WebSocketInterface(options.url)],
        uri: options.uri,
        register_expires: 7200,
        session_timers: false,
        connection_recovery_min_interval: 60,
        connection_recovery_max_interval: 60
      })
      const note = (name: string) => (event?: object) => {
        const { message } = (event ?? {}) as { readonly message?: { readonly status_code?: number } | null }
        heard.push({ name, code: message?.status_code })
      }
      ua.on("connected", note("connected"))
      ua.on("disconnected", note("disconnected"))
      ua.on("registered", note("registered"))
      ua.on("registrationFailed", note("registrationFailed"))
      ua.on(
        "newRTCSession",
        ({ originator, session }: { originator: unknown; session: ReturnType<typeof ua.call> }) => {
          session.on("accepted", note("accepted"))
          session.on("confirmed", note("confirmed"))
          session.on("failed", note("failed"))
          session.on("ended", note("ended"))
          if (originator !== "remote") return
          heard.push({ name: "incoming" })
          session.answer({ mediaConstraints: { audio: false, video: false } })
        }
      )
      ua.start()
      return {
        heard,
        call: (target: string) => ua.call(target, { mediaConstraints: { audio: false, video: false } }),
        stop: () => ua.stop()
      }
    }),
    ({ stop }) => Effect.sync(stop)
  )
