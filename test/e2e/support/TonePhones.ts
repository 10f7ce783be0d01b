// Phones behind the carrier that each speak a tone of their own, and keep what they hear: to measure who hears whom.
import type { Socket } from "node:dgram"
import { toneFrame } from "../../../src/layers/streams/Tone.ts"
import { amplitudeOf } from "../../support/StreamApplication.ts"

const frequencies_hz = [450, 650, 850, 1_150, 1_450, 1_750] as const
const packet_ms = 20
/** What a phone hears now is what it got within this time. A deaf phone gets nothing at all. */
const window_ms = 500
const audible = 2_000

interface Phone {
  readonly port: number
  readonly address: string
  readonly hz: number
  heard: ReadonlyArray<{ readonly at: number; readonly audio: Buffer }>
}

export interface TonePhones {
  /** The numbers of the phones that this one hears now, by their tones. They count from 0, as they were called. */
  readonly hears: (nth: number) => ReadonlyArray<number>
  /** The amplitude of a frequency in what the phone hears now. */
  readonly amplitude: (nth: number, hz: number) => number
  readonly received: (audio: Buffer, remote: { readonly port: number; readonly address: string }) => void
  readonly stop: () => void
}

/** A phone speaks from the first packet on that it gets. `packet`: makes the `nth` RTP packet of a phone. */
export const tonePhones = (socket: Socket, packet: (nth: number, frame: Uint8Array) => Buffer): TonePhones => {
  const phones: Array<Phone> = []
  const began = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    for (const due = Math.floor((performance.now() - began) / packet_ms); sent < due; sent++)
      for (const { address, hz, port } of phones)
        socket.send(packet(sent, toneFrame("mulaw-8000", hz, sent)), port, address)
  }, packet_ms)
  const recent = ({ heard }: Phone) => heard.filter(({ at }) => at > performance.now() - window_ms)
  const amplitude = (nth: number, hz: number) => {
    const phone = phones[nth]
    return phone === undefined ? 0 : amplitudeOf(Buffer.concat(recent(phone).map(({ audio }) => audio)), hz)
  }
  return {
    hears: (nth) => phones.flatMap(({ hz }, other) => (amplitude(nth, hz) > audible ? [other] : [])),
    amplitude,
    received: (audio, { address, port }) => {
      const phone = phones.find((each) => each.port === port)
      const packet = { at: performance.now(), audio }
      if (phone !== undefined) phone.heard = [...recent(phone), packet]
      else phones.push({ port, address, hz: frequencies_hz[phones.length % frequencies_hz.length]!, heard: [packet] })
    },
    stop: () => clearInterval(timer)
  }
}
