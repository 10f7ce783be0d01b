// Plays a customer's ringback file to a caller while the legs that the call dials ring.
import type { Leg, Legs } from "./Legs.ts"
import type { Media } from "./Media.ts"

interface RingbackOptions {
  readonly parent_session_id: string
  readonly url: string
}

interface Playing {
  /** The id of the playback, used once. */
  readonly command_id: string
  /** The legs that are ringing. */
  readonly legs: Set<Leg>
}

export class Ringback {
  private readonly options: { readonly legs: Legs; readonly media: Media }
  /** By the leg that is dialled. */
  private readonly requested = new Map<Leg, RingbackOptions>()
  /** By the leg that hears it. */
  private readonly playing = new Map<Leg, Playing>()

  constructor(options: Ringback["options"]) {
    this.options = options
  }

  request(leg: Leg, options: RingbackOptions): void {
    this.requested.set(leg, options)
  }

  /** Starts it once for all legs that ring for the same caller. */
  ringing(leg: Leg): void {
    const requested = this.requested.get(leg)
    const parent = requested && this.options.legs.live.get(requested.parent_session_id)
    if (requested === undefined || parent === undefined) return
    const playing = this.playing.get(parent)
    if (playing !== undefined) return void playing.legs.add(leg)
    const command_id = `${leg.id}:ringback`
    this.playing.set(parent, { command_id, legs: new Set([leg]) })
    this.options.media.repeat(parent, command_id, requested.url)
  }

  /** Stops it, even if other legs are still ringing: the caller is talking now. */
  answered(leg: Leg): void {
    this.stop(leg, true)
  }

  end(leg: Leg): void {
    this.playing.delete(leg)
    this.stop(leg, false)
  }

  private stop(leg: Leg, answered: boolean): void {
    const requested = this.requested.get(leg)
    this.requested.delete(leg)
    const parent = requested && this.options.legs.live.get(requested.parent_session_id)
    const playing = parent && this.playing.get(parent)
    if (parent === undefined || playing?.legs.delete(leg) !== true) return
    if (playing.legs.size > 0 && !answered) return
    this.playing.delete(parent)
    this.options.media.stopRepeating(parent, playing.command_id)
  }
}
