// What everything that works on legs needs, and has in common with the rest of its gateway.
import type { Effect } from "effect"
import type { Timers } from "../../../../actors/runtime/Timers.ts"
import type { Ari } from "../ari/Ari.ts"
import type { Manager } from "../ari/Manager.ts"
import type { Legs } from "./Legs.ts"

export interface LegContext {
  readonly ari: Ari
  /** The name of the engine's Stasis application, which its bridges bear as theirs. */
  readonly app: string
  /**
   * Whether Asterisk keeps its events while the engine is away. Then the timer of a ringing leg includes the talk; if
   * not, the timer must be set at every answer.
   */
  readonly keeps_events: boolean
  readonly legs: Legs
  readonly manager: Manager
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Runs it as long as the gateway lives. */
  readonly run: (effect: Effect.Effect<void>) => void
  readonly timers: Timers
  readonly uuid: () => string
}
