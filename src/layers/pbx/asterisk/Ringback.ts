// What a caller hears while the legs that its call dials ring, where the customer has a file for it.
import type { Leg, Legs } from "./Legs.ts"
import type { Media } from "./Media.ts"

interface Wish {
  readonly parent_session_id: string
  readonly url: string
}

interface Ringing {
  /** Of what is played; not used twice. */
  readonly command_id: string
  readonly legs: Set<Leg>
}

export class Ringback {
  private readonly options: { readonly legs: Legs; readonly media: Media }
  /** By the leg that is dialled. */
  private readonly wishes = new Map<Leg, Wish>()
  /** By the leg that hears it: those that ring for it. */
  private readonly ringing = new Map<Leg, Ringing>()

  constructor(options: Ringback["options"]) {
    this.options = options
  }

  expect(leg: Leg, wish: Wish): void {
    this.wishes.set(leg, wish)
  }

  /** Played once for all that ring for the same caller. */
  rings(leg: Leg): void {
    const wish = this.wishes.get(leg)
    const parent = wish && this.options.legs.live.get(wish.parent_session_id)
    if (parent === undefined) return
    const ringing = this.ringing.get(parent)
    if (ringing !== undefined) return void ringing.legs.add(leg)
    const command_id = `${leg.id}:ringback`
    this.ringing.set(parent, { command_id, legs: new Set([leg]) })
    this.options.media.repeat(parent, command_id, wish!.url)
  }

  /** Whoever is answered is talked to: the others may ring on unheard. */
  answered(leg: Leg): void {
    this.over(leg, true)
  }

  end(leg: Leg): void {
    this.ringing.delete(leg)
    this.over(leg, false)
  }

  private over(leg: Leg, answered: boolean): void {
    const wish = this.wishes.get(leg)
    this.wishes.delete(leg)
    const parent = wish && this.options.legs.live.get(wish.parent_session_id)
    const ringing = parent && this.ringing.get(parent)
    if (ringing?.legs.delete(leg) !== true || (ringing.legs.size > 0 && !answered)) return
    this.ringing.delete(parent!)
    this.options.media.hush(parent!, ringing.command_id)
  }
}
