// Who hears what, frame by frame: 20 ms of µ-law each. Pure but for its state: the owner moves it on with `beat`.
import { muLawOf, muLawSilence, sampleOf } from "../../../../../domain/sounds/MuLaw.ts"
import type { PartyState } from "../PhoneMedia.ts"

export const frame_bytes = 160
export const frame_ms = 20

/** Frames of a browser that wait for their beat. Older ones are dropped, so that no delay builds up. */
const waitingMax = 5

export const silentFrame: Uint8Array = new Uint8Array(frame_bytes).fill(muLawSilence)

/** What a simulated phone says: audio that is repeated, what it hears, or nothing: no sound comes from it at all. */
export type Voice = "echo" | "silent" | Uint8Array

interface Playing {
  readonly play_id: string
  readonly audio: Uint8Array
  times: number
  at: number
  frames: number
}

interface Party extends PartyState {
  voice: Voice | undefined
  readonly peers: Set<string>
  muted: boolean
  held: boolean
  /** From the browser, not yet passed on. */
  waiting: Array<Uint8Array>
  playing: Playing | undefined
  voice_at: number
  /** For an echo. */
  heard: Uint8Array | undefined
}

export interface Beat {
  /** What each browser is to be sent. Undefined: nothing, because the other side sends nothing. */
  readonly frames: ReadonlyArray<{ readonly id: string; readonly frame: Uint8Array | undefined }>
  /** What has been played to its end. */
  readonly played: ReadonlyArray<{ readonly id: string; readonly play_id: string; readonly duration_ms: number }>
}

/** The frame at this offset, and the next offset; at the end of the audio 0. The last frame is filled with silence. */
const frameAt = (audio: Uint8Array, at: number): readonly [frame: Uint8Array, next: number] => {
  const next = at + frame_bytes
  if (next <= audio.length) return [audio.subarray(at, next), next === audio.length ? 0 : next]
  const frame = Uint8Array.from(silentFrame)
  frame.set(audio.subarray(at))
  return [frame, 0]
}

/** Several voices at once. One voice passes as it is. */
export const mix = (frames: ReadonlyArray<Uint8Array>): Uint8Array | undefined => {
  if (frames.length < 2) return frames[0]
  return Uint8Array.from({ length: frame_bytes }, (_, index) =>
    muLawOf(frames.reduce((sum, frame) => sum + sampleOf(frame[index] ?? muLawSilence), 0))
  )
}

export class Switchboard {
  private readonly parties = new Map<string, Party>()
  private readonly music: Uint8Array

  /** `music` is heard on hold. */
  constructor(music: Uint8Array) {
    this.music = music
  }

  get size(): number {
    return this.parties.size
  }

  /** Without a voice the party is a browser, whose frames come by `hear`. */
  add(id: string, voice?: Voice): void {
    if (this.parties.has(id)) return
    this.parties.set(id, {
      voice,
      peers: new Set(),
      muted: false,
      held: false,
      waiting: [],
      playing: undefined,
      voice_at: 0,
      heard: undefined
    })
  }

  /** Lets a phone speak that was silent. */
  giveVoice(id: string, voice: Voice): void {
    const party = this.parties.get(id)
    if (party?.voice !== undefined) party.voice = voice
  }

  remove(id: string): void {
    this.parties.delete(id)
    for (const party of this.parties.values()) party.peers.delete(id)
  }

  link(one: string, other: string): void {
    const [first, second] = [this.parties.get(one), this.parties.get(other)]
    if (first === undefined || second === undefined || one === other) return
    first.peers.add(other)
    second.peers.add(one)
  }

  set(id: string, { held, muted }: PartyState): void {
    const party = this.parties.get(id)
    if (party !== undefined) Object.assign(party, { held, muted })
  }

  hear(id: string, frame: Uint8Array): void {
    const party = this.parties.get(id)
    if (party === undefined || frame.length !== frame_bytes) return
    party.waiting.push(frame)
    if (party.waiting.length > waitingMax) party.waiting.shift()
  }

  play(id: string, play_id: string, audio: Uint8Array, times: number): void {
    const party = this.parties.get(id)
    if (party !== undefined) party.playing = { play_id, audio, times, at: 0, frames: 0 }
  }

  stop(id: string, play_id: string): void {
    const party = this.parties.get(id)
    if (party?.playing?.play_id === play_id) party.playing = undefined
  }

  /** Moves on by 20 ms. */
  beat(): Beat {
    const said = new Map<string, Uint8Array>()
    for (const [id, party] of this.parties) {
      const frame = this.says(party)
      if (frame !== undefined && !party.muted && !party.held) said.set(id, frame)
    }
    const frames: Array<Beat["frames"][number]> = []
    const played: Array<Beat["played"][number]> = []
    for (const [id, party] of this.parties) {
      const playing = party.playing
      const frame = this.hears(party, said)
      party.heard = frame
      if (party.voice === undefined)
        frames.push({ id, frame: frame ?? (this.hearsNobody(party) ? undefined : silentFrame) })
      if (playing !== undefined && party.playing === undefined)
        played.push({ id, play_id: playing.play_id, duration_ms: playing.frames * frame_ms })
    }
    return { frames, played }
  }

  /** Whether it is connected with nothing but phones that send no sound. */
  private hearsNobody({ peers }: Party): boolean {
    return peers.size > 0 && [...peers].every((peer) => this.parties.get(peer)?.voice === "silent")
  }

  private says(party: Party): Uint8Array | undefined {
    if (party.voice === undefined) return party.waiting.shift()
    if (party.voice === "silent") return undefined
    if (party.voice === "echo") return party.heard
    if (party.voice.length === 0) return undefined
    const [frame, next] = frameAt(party.voice, party.voice_at)
    party.voice_at = next
    return frame
  }

  private hears(party: Party, said: ReadonlyMap<string, Uint8Array>): Uint8Array | undefined {
    if (party.playing !== undefined) return this.hearsPlayed(party, party.playing)
    if (party.held) {
      const [frame, next] = frameAt(this.music, party.voice_at)
      if (party.voice === undefined) party.voice_at = next
      return frame
    }
    return mix([...party.peers].flatMap((peer) => said.get(peer) ?? []))
  }

  private hearsPlayed(party: Party, playing: Playing): Uint8Array {
    const [frame, next] = frameAt(playing.audio, playing.at)
    playing.at = next
    playing.frames++
    if (next === 0) playing.times--
    if (playing.times <= 0) party.playing = undefined
    return frame
  }
}
