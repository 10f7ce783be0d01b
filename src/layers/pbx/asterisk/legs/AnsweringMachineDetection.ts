// Answering machine detection on a channel, for calls whose `originate` asks for it.
import { Effect } from "effect"
import type { Timer } from "../../../../actors/runtime/TimerHeap.ts"
import {
  beginDetection,
  type Detection,
  type DetectionOptions,
  endOfSound_ms,
  judge,
  type SpeechChange,
  withSpeech
} from "../../../../domain/pbx/MachineDetection.ts"
import type { LegContext } from "./LegContext.ts"
import type { Leg } from "./Legs.ts"

interface Active {
  readonly detection: Detection
  /** When to judge again. */
  readonly timer: Timer
}

/** The talk threshold of Asterisk's TALK_DETECT, the mean of a frame's samples: Asterisk's own default. */
const talkThreshold = 256

export class AnsweringMachineDetection {
  private readonly options: LegContext
  /** Requested, before the answer. */
  private readonly requested = new Map<Leg, DetectionOptions>()
  private readonly active = new Map<Leg, Active>()

  constructor(options: LegContext) {
    this.options = options
  }

  /** Detection starts when the leg is answered. */
  request(leg: Leg, options: DetectionOptions): void {
    this.requested.set(leg, options)
  }

  answered(leg: Leg): void {
    const options = this.requested.get(leg)
    if (options === undefined) return
    this.requested.delete(leg)
    this.setVariable(leg, "TALK_DETECT(set)", `${endOfSound_ms},${talkThreshold}`)
    this.proceed(leg, beginDetection(options, this.options.now()))
  }

  /** Asterisk reports the start of any sound. Its length, known at its end, tells speech from noise. */
  talkingStarted(leg: Leg): void {
    this.update(leg, { _tag: "SpeechBegan", at: this.options.now() })
  }

  talkingFinished(leg: Leg, lasted_ms: number): void {
    this.update(leg, { _tag: "SpeechEnded", at: this.options.now() - endOfSound_ms, lasted_ms })
  }

  end(leg: Leg): void {
    this.requested.delete(leg)
    this.stop(leg)
  }

  private update(leg: Leg, change: SpeechChange): void {
    const active = this.active.get(leg)
    if (active !== undefined) this.proceed(leg, withSpeech(active.detection, change))
  }

  private proceed(leg: Leg, detection: Detection): void {
    const { legs, now, timers } = this.options
    this.stop(leg)
    const judgement = judge(detection, now())
    if ("judge_at" in judgement) {
      const timer = timers.set(judgement.judge_at, () => this.proceed(leg, detection))
      this.active.set(leg, { detection, timer })
      return
    }
    this.setVariable(leg, "TALK_DETECT(remove)", "")
    legs.report(leg, "machine.detected", { ...judgement })
  }

  private stop(leg: Leg): void {
    const timer = this.active.get(leg)?.timer
    if (timer !== undefined) this.options.timers.cancel(timer)
    this.active.delete(leg)
  }

  private setVariable(leg: Leg, variable: string, value: string): void {
    const { ari, run } = this.options
    run(Effect.ignore(ari.request("POST", `/channels/${leg.channel}/variable`, { variable, value })))
  }
}
