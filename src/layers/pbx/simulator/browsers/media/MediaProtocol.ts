// The messages between the engine's thread and the thread of the browsers' sound.
import type { MediaNotice, PartyState, PhoneVoice, Sound } from "../PhoneMedia.ts"

export type MediaCommand =
  | { readonly kind: "answer" | "accept"; readonly id: string; readonly request: number; readonly sdp: string }
  | { readonly kind: "offer"; readonly id: string; readonly request: number }
  | { readonly kind: "addPhone"; readonly id: string; readonly voice: PhoneVoice }
  | { readonly kind: "remove"; readonly id: string }
  | { readonly kind: "link"; readonly id: string; readonly other: string }
  | ({ readonly kind: "set"; readonly id: string } & PartyState)
  | {
      readonly kind: "play"
      readonly id: string
      readonly play_id: string
      readonly sound: Sound
      readonly times: number
    }
  | { readonly kind: "stop"; readonly id: string; readonly play_id: string }

export type MediaReport =
  /** `sdp` is undefined if it failed, and empty where none is wanted. */
  { readonly kind: "reply"; readonly request: number; readonly sdp: string | undefined } | MediaNotice
