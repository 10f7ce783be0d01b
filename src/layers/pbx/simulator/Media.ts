// Speech, playbacks and gathers of a simulated session: one after the other, each with one or two timers.
import type { Timer } from "../../../actors/runtime/TimerHeap.ts"
import type { Timers } from "../../../actors/runtime/Timers.ts"
import type { ActionOf } from "../../../domain/pbx/PbxCommand.ts"
import type { PbxEventData, PbxEventType } from "../../../domain/pbx/PbxEvent.ts"
import { keysOf, wordsOf } from "./Phones.ts"
import type { Session } from "./Sessions.ts"
import { type Playback, playbackOf, speech_ms, tone_ms } from "./SoundCommands.ts"

export interface MediaOptions {
  readonly timers: Timers
  readonly now: () => number
  readonly isLive: (session: Session) => boolean
  readonly report: (session: Session, type: PbxEventType, data: PbxEventData) => void
}

/** The time between two keys. */
const press_ms = 400
/** A silence of this length ends speech. */
const endOfSpeech_ms = 800
export class Media {
  private readonly options: MediaOptions

  constructor(options: MediaOptions) {
    this.options = options
  }

  /** Takes as long as the playback would, and reports its end. */
  play(session: Session, command_id: string, { duration_ms, said }: Playback): void {
    if (said !== undefined) session.said = said
    if (session.answered_at === undefined) {
      return this.options.report(session, "playback.finished", { command_id, result: "failed", error: "not_answered" })
    }
    session.quiet_at = Math.max(this.options.now(), session.quiet_at) + duration_ms
    this.during(session, command_id, session.quiet_at, () => {
      this.forget(session, command_id)
      this.options.report(session, "playback.finished", { command_id, result: "completed", duration_ms })
    })
  }

  /** Says a text before the answer, then goes on. Without a text it goes on at once. */
  announce(session: Session, command_id: string, text: string | undefined, then: () => void): void {
    if (text === undefined) return then()
    session.said = text
    this.during(session, command_id, this.options.now() + speech_ms(text), then)
  }

  /** The phone presses its keys from the start of the prompt on. Without keys, the gather times out. */
  gather(session: Session, command_id: string, action: ActionOf<"gather">): void {
    const { finish_on_key, input = ["dtmf"], inter_digit_timeout_ms, max_digits, prompt, timeout_ms } = action
    const keys = input.includes("dtmf") ? keysOf(session.phone, session.gathers++) : ""
    const speaks = keys === "" && input.includes("speech")
    const speech = speaks ? wordsOf(session.phone, session.speeches++) : undefined
    if (speech !== undefined) return this.collectSpeech(session, command_id, speech)
    const began_at = Math.max(this.options.now(), session.quiet_at)
    let at = began_at
    let digits = ""
    let complete = false
    for (const key of keys) {
      at += press_ms
      this.during(session, command_id, at, () =>
        this.options.report(session, "dtmf", { digit: key, duration_ms: tone_ms })
      )
      complete = key === finish_on_key
      if (!complete) digits += key
      complete ||= digits.length === max_digits
      if (complete) break
    }
    const idle_ms =
      digits === "" ? (prompt === undefined ? 0 : playbackOf(prompt).duration_ms) + timeout_ms : inter_digit_timeout_ms
    session.quiet_at = complete ? at : at + idle_ms
    this.during(session, command_id, session.quiet_at, () => {
      this.forget(session, command_id)
      this.options.report(session, "gather.finished", { command_id, result: complete ? "complete" : "timeout", digits })
    })
  }

  /** The phone speaks from the start of the prompt on, and is not interrupted. */
  private collectSpeech(session: Session, command_id: string, speech: string): void {
    const began_at = Math.max(this.options.now(), session.quiet_at)
    session.quiet_at = began_at + speech_ms(speech) + endOfSpeech_ms
    this.during(session, command_id, session.quiet_at, () => {
      this.forget(session, command_id)
      this.options.report(session, "gather.finished", {
        command_id,
        result: "complete",
        digits: "",
        speech,
        confidence: 0.94
      })
    })
  }

  /** Reports the end of what is cut. */
  cut(session: Session, command_id: string): void {
    if (!session.under_way.has(command_id)) return
    this.forget(session, command_id)
    session.quiet_at = this.options.now()
    this.options.report(session, "playback.finished", { command_id, result: "cut" })
  }

  end(session: Session): void {
    for (const command_id of session.under_way.keys()) this.forget(session, command_id)
  }

  private during(session: Session, command_id: string, at: number, then: () => void): void {
    const timers: Array<Timer> = session.under_way.get(command_id) ?? []
    timers.push(
      this.options.timers.set(at, () => {
        if (this.options.isLive(session)) then()
      })
    )
    session.under_way.set(command_id, timers)
  }

  private forget(session: Session, command_id: string): void {
    for (const timer of session.under_way.get(command_id) ?? []) this.options.timers.cancel(timer)
    session.under_way.delete(command_id)
  }
}
