// The sound of browsers that are connected to the simulated PBX, as the simulator uses it. Its implementation runs in a
// thread of its own (media/MediaWorker.ts), because a stall of the engine's thread would be heard.

/** A tone of one or two frequencies; none is silence. */
export interface Tone {
  readonly hz: ReadonlyArray<number>
  readonly ms: number
}

export type Sound =
  | {
      readonly kind: "speech"
      readonly text: string
      readonly voice?: string | undefined
      readonly language?: string | undefined
    }
  | { readonly kind: "tones"; readonly tones: ReadonlyArray<Tone> }

/** What a simulated phone says to those that are connected with it. */
export type PhoneVoice = { readonly kind: "echo" | "silent" } | { readonly kind: "speech"; readonly text: string }

export interface PartyState {
  /** The others do not hear it. */
  readonly muted: boolean
  /** It hears music instead of the others, and they do not hear it. */
  readonly held: boolean
}

/**
 * Parties have ids: a browser's media are made by `answer` or `offer`, a simulated phone's by `addPhone`. `then` gets
 * undefined, or false, where WebRTC could not agree.
 */
export interface PhoneMedia {
  /** Answers a browser's offer, the first one or a later one of the same call. */
  readonly answer: (id: string, sdp: string, then: (sdp: string | undefined) => void) => void
  readonly offer: (id: string, then: (sdp: string | undefined) => void) => void
  /** Takes the browser's answer to the offer. */
  readonly accept: (id: string, sdp: string, then: (done: boolean) => void) => void
  readonly addPhone: (id: string, voice: PhoneVoice) => void
  readonly remove: (id: string) => void
  /** The two hear each other until either is removed. */
  readonly link: (one: string, other: string) => void
  readonly set: (id: string, state: PartyState) => void
  /** Plays a sound to one party, `times` times or, with `Infinity`, until it is stopped. It replaces the one before. */
  readonly play: (id: string, play_id: string, sound: Sound, times: number) => void
  readonly stop: (id: string, play_id: string) => void
}

/** What happens to a party. */
export type MediaNotice =
  | { readonly kind: "key"; readonly id: string; readonly digit: string; readonly duration_ms: number }
  | { readonly kind: "played"; readonly id: string; readonly play_id: string; readonly duration_ms: number }
  /** Nothing comes from the browser any more. */
  | { readonly kind: "lost"; readonly id: string }
