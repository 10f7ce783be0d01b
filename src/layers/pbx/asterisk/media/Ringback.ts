// What a caller hears while the legs that the call dials ring: the customer's file; or else the early media of a leg
// (announcements of its network, its own ringback); or else a ringback tone.
import { Effect, Semaphore } from "effect"
import type { AriAway } from "../ari/Ari.ts"
import type { Bridges } from "../legs/Bridges.ts"
import type { LegContext } from "../legs/LegContext.ts"
import type { Leg } from "../legs/Legs.ts"
import type { Media } from "./Media.ts"
import type { SessionId } from "../../../../domain/BrandedIds.ts"

interface RingbackContext extends LegContext {
  readonly bridges: Bridges
  readonly media: Media
}

interface RingbackOptions {
  readonly parent_session_id: SessionId
  /** The customer's file. */
  readonly url: string | undefined
}

type Heard =
  /** `command_id` names the playback. It is new each time. */
  | { readonly kind: "file"; readonly command_id: string }
  | { readonly kind: "tone" }
  | { readonly kind: "early_media"; readonly leg: Leg; readonly bridge: string }

/** The legs that were dialled for one caller, and what the caller hears of them. */
interface Dialled {
  readonly ringing: Set<Leg>
  readonly answered: Set<Leg>
  heard: Heard | undefined
}

export class Ringback {
  private readonly options: RingbackContext
  /** By the leg that is dialled. */
  private readonly requested = new Map<Leg, RingbackOptions>()
  /** By the leg that hears it. */
  private readonly dialled = new Map<Leg, Dialled>()
  /** Requests about one leg are made one after the other. */
  private readonly turns = new WeakMap<Leg, Semaphore.Semaphore>()

  constructor(options: RingbackContext) {
    this.options = options
  }

  request(leg: Leg, options: RingbackOptions): void {
    this.requested.set(leg, options)
  }

  /** Starts it once for all legs that ring for the same caller. */
  ringing(leg: Leg): void {
    const parent = this.parentOf(leg)
    if (parent === undefined) return
    const dialled = this.dialled.get(parent) ?? { ringing: new Set(), answered: new Set(), heard: undefined }
    this.dialled.set(parent, dialled)
    dialled.ringing.add(leg)
    if (dialled.answered.size > 0 || dialled.heard !== undefined) return
    const url = this.requested.get(leg)?.url
    dialled.heard = url === undefined ? this.startTone(parent) : this.startFile(parent, leg, url)
  }

  /**
   * The caller hears the first leg that sends early media, unless the customer has a file. That leg does not hear
   * the caller, because a talk before the answer would be free.
   */
  earlyMedia(leg: Leg, channel: string): void {
    this.ringing(leg)
    const parent = this.parentOf(leg)
    const dialled = parent && this.dialled.get(parent)
    if (parent === undefined || dialled?.heard?.kind !== "tone") return
    this.stopHearing(parent, dialled)
    dialled.heard = this.startEarlyMedia(parent, leg, channel)
  }

  /** Stops it, even if other legs are still ringing: the caller is talking now. */
  answered(leg: Leg): void {
    const parent = this.parentOf(leg)
    const dialled = parent && this.dialled.get(parent)
    if (parent === undefined || dialled === undefined) return
    dialled.ringing.delete(leg)
    dialled.answered.add(leg)
    this.stopHearing(parent, dialled)
  }

  end(leg: Leg): void {
    const own = this.dialled.get(leg)
    if (own !== undefined) this.stopHearing(leg, own)
    this.dialled.delete(leg)
    const parent = this.parentOf(leg)
    this.requested.delete(leg)
    const dialled = parent && this.dialled.get(parent)
    if (parent === undefined || dialled === undefined) return
    dialled.ringing.delete(leg)
    dialled.answered.delete(leg)
    const { answered, heard, ringing } = dialled
    if (ringing.size === 0) {
      this.stopHearing(parent, dialled)
      if (answered.size === 0) this.dialled.delete(parent)
    } else if (heard?.kind === "early_media" && heard.leg === leg) {
      this.stopHearing(parent, dialled)
      dialled.heard = this.startTone(parent)
    }
  }

  private parentOf(leg: Leg): Leg | undefined {
    const requested = this.requested.get(leg)
    return requested && this.options.legs.live.get(requested.parent_session_id)
  }

  private startFile(parent: Leg, leg: Leg, url: string): Heard {
    const command_id = `${leg.id}:ringback`
    this.options.media.repeat(parent, command_id, url)
    return { kind: "file", command_id }
  }

  /** A caller whose call is not answered is sent 180 instead. */
  private startTone(parent: Leg): Heard {
    this.ask(parent, this.options.ari.request("POST", `/channels/${parent.channel}/ring`))
    return { kind: "tone" }
  }

  private startEarlyMedia(parent: Leg, leg: Leg, channel: string): Heard {
    const { ari, bridges } = this.options
    const bridge = `early-${leg.id}`
    const requests = [
      ...(parent.answered_at === undefined ? [ari.request("POST", `/channels/${parent.channel}/progress`)] : []),
      bridges.create(bridge, "mixing"),
      ari.request("POST", `/bridges/${bridge}/addChannel`, { channel: parent.channel, mute: "true" }),
      ari.request("POST", `/bridges/${bridge}/addChannel`, { channel })
    ]
    this.ask(
      parent,
      Effect.forEach(requests, (request) => request, { discard: true })
    )
    return { kind: "early_media", leg, bridge }
  }

  private stopHearing(parent: Leg, dialled: Dialled): void {
    const { ari, bridges, media } = this.options
    const { heard } = dialled
    dialled.heard = undefined
    if (heard === undefined) return
    switch (heard.kind) {
      case "file":
        return media.stopRepeating(parent, heard.command_id)
      case "tone":
        return this.ask(parent, ari.request("DELETE", `/channels/${parent.channel}/ring`))
      case "early_media":
        return this.ask(parent, bridges.delete(heard.bridge))
    }
  }

  private ask(parent: Leg, request: Effect.Effect<unknown, AriAway>): void {
    const turn = this.turns.get(parent) ?? Semaphore.makeUnsafe(1)
    this.turns.set(parent, turn)
    this.options.run(Effect.ignore(turn.withPermit(request)))
  }
}
