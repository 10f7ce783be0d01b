// One browser's WebRTC connection (RFC 8834): DTLS-SRTP, µ-law and telephone events.
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from "werift"
import { frame_bytes } from "./Switchboard.ts"
import { isListening, isSending, simplified } from "./BrowserSdp.ts"

export interface PeerEvents {
  readonly heard: (frame: Uint8Array) => void
  readonly pressed: (digit: string, duration_ms: number) => void
}

const pcmu = 0
const keys = "0123456789*#ABCD"
const loopback = "127.0.0.1"

const codecs = () => [
  new RTCRtpCodecParameters({ mimeType: "audio/PCMU", clockRate: 8000, channels: 1, payloadType: pcmu }),
  new RTCRtpCodecParameters({ mimeType: "audio/telephone-event", clockRate: 8000, channels: 1, payloadType: 101 })
]

export class Peer {
  private readonly connection: RTCPeerConnection
  private readonly events: PeerEvents
  private readonly track = new MediaStreamTrack({ kind: "audio" })
  private sequence = 0
  private timestamp = 0
  /** The timestamp of the last key: its end is told three times (RFC 4733, section 2.5.1.4). */
  private lastKey = -1
  private listens = true
  private sends = true
  /** When something came from the browser last, by `performance.now()`. */
  heard_at = performance.now()

  constructor(events: PeerEvents) {
    this.events = events
    this.connection = new RTCPeerConnection({
      codecs: { audio: codecs(), video: [] },
      headerExtensions: { audio: [], video: [] },
      iceServers: [],
      iceUseIpv6: false,
      iceAdditionalHostAddresses: [loopback],
      bundlePolicy: "max-bundle"
    })
    this.connection.addTrack(this.track)
    this.connection.onTrack.subscribe((remote) => {
      remote.onReceiveRtp.subscribe(({ header, payload }) =>
        this.receive(header.payloadType, header.timestamp, payload)
      )
    })
  }

  /** How long nothing has come from a browser that means to speak, in milliseconds. */
  get silent_ms(): number {
    return this.sends ? performance.now() - this.heard_at : 0
  }

  async answer(sdp: string): Promise<string> {
    this.read(sdp)
    await this.connection.setRemoteDescription({ type: "offer", sdp: simplified(sdp) })
    return this.describe(await this.connection.createAnswer())
  }

  async offer(): Promise<string> {
    return this.describe(await this.connection.createOffer())
  }

  async accept(sdp: string): Promise<void> {
    this.read(sdp)
    await this.connection.setRemoteDescription({ type: "answer", sdp: simplified(sdp) })
  }

  /** Sends the next 20 ms. Undefined: nothing is sent, but the time goes on. */
  send(frame: Uint8Array | undefined): void {
    this.timestamp = (this.timestamp + frame_bytes) >>> 0
    if (frame === undefined || this.connection.connectionState !== "connected" || !this.listens) return
    const header = new RtpHeader({
      sequenceNumber: this.sequence++ & 0xffff,
      timestamp: this.timestamp,
      payloadType: pcmu
    })
    this.track.writeRtp(new RtpPacket(header, Buffer.from(frame)))
  }

  async close(): Promise<void> {
    await this.connection.close()
  }

  private read(sdp: string): void {
    this.listens = isListening(sdp)
    this.sends = isSending(sdp)
    this.heard_at = performance.now()
  }

  private async describe(description: Parameters<RTCPeerConnection["setLocalDescription"]>[0]): Promise<string> {
    await this.connection.setLocalDescription(description)
    return this.connection.localDescription?.sdp ?? ""
  }

  private receive(type: number, timestamp: number, payload: Buffer): void {
    this.heard_at = performance.now()
    if (type === pcmu) return this.events.heard(payload)
    const [event = 255, flags = 0] = payload
    if (payload.length < 4 || (flags & 0x80) === 0 || timestamp === this.lastKey) return
    const digit = keys[event]
    if (digit === undefined) return
    this.lastKey = timestamp
    this.events.pressed(digit, Math.round(payload.readUInt16BE(2) / 8))
  }
}
