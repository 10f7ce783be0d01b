// The media of the phones behind the carrier: RTP (RFC 3550) with G.711 audio and DTMF events (RFC 4733).
import { Effect, FiberSet, type Scope } from "effect"
import { type TonePhones, tonePhones } from "./TonePhones.ts"
import { createSocket, type RemoteInfo } from "node:dgram"
import type { AddressInfo } from "node:net"

const pcmu = 0
const telephone_event = 101
const keys = "0123456789*#ABCD"
const packet_ms = 20
const samples_per_packet = 160
const key_packets = 5

/** Decodes one byte of µ-law to a 16-bit sample (ITU-T G.711). */
const sampleOf = (byte: number): number => {
  const inverted = ~byte & 0xff
  const magnitude = (((inverted & 0x0f) << 3) + 0x84) << ((inverted & 0x70) >> 4)
  return inverted & 0x80 ? 0x84 - magnitude : magnitude - 0x84
}

const header = (payload: number, sequence: number, timestamp: number, marker: boolean): Buffer => {
  const bytes = Buffer.alloc(12)
  bytes[0] = 0x80
  bytes[1] = payload | (marker ? 0x80 : 0)
  bytes.writeUInt16BE(sequence & 0xffff, 2)
  bytes.writeUInt32BE(timestamp >>> 0, 4)
  bytes.writeUInt32BE(0x7ac0ffee, 8)
  return bytes
}

export interface FarEnd {
  readonly port: number
  /** The number of audio packets other than silence received since the last `forget`. */
  readonly loud: () => number
  /** The digits received since the last `forget`. */
  readonly keys: () => string
  readonly forget: Effect.Effect<void>
  /** Stops (`true`) or resumes (`false`) sending audio. */
  readonly silence: (on: boolean) => Effect.Effect<void>
  /** Each phone that is called within the scope speaks a tone of its own, instead of an echo. */
  readonly tones: Effect.Effect<TonePhones, never, Scope.Scope>
  /** Sends the digits, 100 ms each, to the peer that was heard last. */
  readonly press: (keys: string) => Effect.Effect<void>
}

const isLoud = (audio: Buffer): boolean => audio.some((byte) => Math.abs(sampleOf(byte)) > 1_000)

/** Echoes audio but no DTMF events. With `presses`, it sends these digits once in each call, when it hears a voice. */
export const farEnd = Effect.fnUntraced(function* (presses = ""): Effect.fn.Return<FarEnd, never, Scope.Scope> {
  const run = yield* FiberSet.makeRuntime()
  const socket = createSocket("udp4")
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void socket.bind(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.callback<void>((resume) => void socket.close(() => resume(Effect.void)))
  )
  let loud = 0
  let heard = ""
  let from: RemoteInfo | undefined
  let sequence = 0
  let timestamp = 0
  /** A phone sends no audio while it sends a digit. */
  let pressing = false
  let silent = false
  let phones: TonePhones | undefined
  const pressed = new Set<string>()
  const asked = new Set<number>()
  socket.on("message", (packet, remote) => {
    from = remote
    const payload = packet[1]! & 0x7f
    if (payload === telephone_event) {
      const press = `${remote.port} ${packet.readUInt32BE(4)}`
      if (!pressed.has(press)) heard += keys[packet[12]!]
      pressed.add(press)
    }
    if (payload !== pcmu) return
    if (phones !== undefined) return phones.received(packet.subarray(12), remote)
    if (isLoud(packet.subarray(12))) {
      loud++
      if (presses !== "" && !asked.has(remote.port)) run(press(presses))
      asked.add(remote.port)
    }
    if (pressing || silent) return
    timestamp += samples_per_packet
    socket.send(
      Buffer.concat([header(pcmu, sequence++, timestamp, false), packet.subarray(12)]),
      remote.port,
      remote.address
    )
  })
  const one = (key: string) =>
    Effect.gen(function* () {
      const began = (timestamp += samples_per_packet * 10)
      for (let n = 1; n <= key_packets + 3; n++) {
        const event = Buffer.from([keys.indexOf(key), n > key_packets ? 0x8a : 0x0a, 0, 0])
        event.writeUInt16BE(Math.min(n, key_packets) * samples_per_packet, 2)
        socket.send(
          Buffer.concat([header(telephone_event, sequence++, began, n === 1), event]),
          from!.port,
          from!.address
        )
        yield* Effect.sleep(packet_ms)
      }
      timestamp = began + samples_per_packet * 20
      yield* Effect.sleep(100)
    })
  const press = (wanted: string) =>
    Effect.sync(() => (pressing = true)).pipe(
      Effect.andThen(Effect.forEach(wanted, one, { discard: true })),
      Effect.ensuring(Effect.sync(() => (pressing = false)))
    )
  return {
    port: (socket.address() as AddressInfo).port,
    loud: () => loud,
    keys: () => heard,
    forget: Effect.sync(() => {
      loud = 0
      heard = ""
    }),
    silence: (on) => Effect.sync(() => void (silent = on)),
    tones: Effect.acquireRelease(
      Effect.sync(() => {
        phones = tonePhones(socket, (nth, frame) =>
          Buffer.concat([header(pcmu, nth, nth * samples_per_packet, false), frame])
        )
        return phones
      }),
      (made) =>
        Effect.sync(() => {
          made.stop()
          phones = undefined
        })
    ),
    press
  }
})
