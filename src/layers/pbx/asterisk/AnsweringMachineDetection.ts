// Listens to whoever has answered, where the engine wants to know whether that is a machine.
import { Effect } from "effect"
import type { Timer } from "../../../actors/runtime/TimerHeap.ts"
import type { Timers } from "../../../actors/runtime/Timers.ts"
import {
  type Detection,
  type DetectionWish,
  hear,
  type Heard,
  judge,
  listenFor,
  notice_ms
} from "../../../domain/pbx/MachineDetection.ts"
import type { Ari } from "./Ari.ts"
import type { Leg, Legs } from "./Legs.ts"

export interface AnsweringMachineDetectionOptions {
  readonly ari: Ari
  readonly legs: Legs
  readonly timers: Timers
  readonly now: () => number
  readonly run: (effect: Effect.Effect<void>) => void
}

interface Listening {
  readonly detection: Detection
  readonly timer: Timer
}

/** Asterisk's measure of loudness, the mean of a frame's samples: its own default. */
const loudness = 256

export class AnsweringMachineDetection {
  private readonly options: AnsweringMachineDetectionOptions
  private readonly wishes = new Map<Leg, DetectionWish>()
  private readonly listening = new Map<Leg, Listening>()

  constructor(options: AnsweringMachineDetectionOptions) {
    this.options = options
  }

  expect(leg: Leg, wish: DetectionWish): void {
    this.wishes.set(leg, wish)
  }

  answered(leg: Leg): void {
    const wish = this.wishes.get(leg)
    if (wish === undefined) return
    this.wishes.delete(leg)
    this.ask(leg, "TALK_DETECT(set)", `${notice_ms},${loudness}`)
    this.go(leg, listenFor(wish, this.options.now()))
  }

  /** Asterisk takes any beginning for sound: what was none is seen by how long it lasted. */
  talking(leg: Leg): void {
    this.heard(leg, { _tag: "SpeechBegan", at: this.options.now() })
  }

  quiet(leg: Leg, lasted_ms: number): void {
    this.heard(leg, { _tag: "SpeechEnded", at: this.options.now() - notice_ms, lasted_ms })
  }

  end(leg: Leg): void {
    this.wishes.delete(leg)
    this.forget(leg)
  }

  private heard(leg: Leg, heard: Heard): void {
    const listening = this.listening.get(leg)
    if (listening !== undefined) this.go(leg, hear(listening.detection, heard))
  }

  private go(leg: Leg, detection: Detection): void {
    const { legs, now, timers } = this.options
    this.forget(leg)
    const judged = judge(detection, now())
    if ("look_at" in judged) {
      this.listening.set(leg, { detection, timer: timers.set(judged.look_at, () => this.go(leg, detection)) })
      return
    }
    this.ask(leg, "TALK_DETECT(remove)", "")
    legs.tell(leg, "machine.detected", { ...judged })
  }

  private forget(leg: Leg): void {
    const timer = this.listening.get(leg)?.timer
    if (timer !== undefined) this.options.timers.cancel(timer)
    this.listening.delete(leg)
  }

  private ask(leg: Leg, variable: string, value: string): void {
    const { ari, run } = this.options
    run(Effect.ignore(ari.request("POST", `/channels/${leg.channel}/variable`, { variable, value })))
  }
}
