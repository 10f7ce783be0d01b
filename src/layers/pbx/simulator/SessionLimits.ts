// Hangs up sessions that talk for too long, or whose phone has been silent for too long.
import type { Timers } from "../../../actors/runtime/Timers.ts"
import type { PbxEventData } from "../../../domain/pbx/PbxEvent.ts"
import type { Session } from "./Sessions.ts"

export interface SessionLimitsOptions {
  readonly timers: Timers
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly isLive: (session: Session) => boolean
  readonly end: (session: Session, how: PbxEventData) => void
  /** Whether silence counts. */
  readonly media_timeout: boolean
}

/** How long a phone may be silent before it is hung up; on hold it may be silent longer. */
const silence_ms = 60_000
const silenceOnHold_ms = 120_000

export class SessionLimits {
  private readonly options: SessionLimitsOptions

  constructor(options: SessionLimitsOptions) {
    this.options = options
  }

  /** Replaces the talk limit. It counts from the answer. */
  limitTalk(session: Session, seconds: number): void {
    const { end, isLive, timers } = this.options
    session.talk_limit_seconds = seconds
    if (session.limit_timer !== undefined) timers.cancel(session.limit_timer)
    if (session.answered_at === undefined) return
    session.limit_timer = timers.set(session.answered_at + seconds * 1000, () => {
      if (isLive(session)) end(session, { sip_code: 200, q850: 16, source: "platform", reason: "talk_limit" })
    })
  }

  /** Hangs up after too long a silence. Audio that is played to the phone counts as sound too. */
  awaitSound(session: Session, silent_since: number): void {
    const { end, isLive, media_timeout, now, timers } = this.options
    if (!media_timeout) return
    const due = () => Math.max(silent_since, session.quiet_at) + (session.held ? silenceOnHold_ms : silence_ms)
    timers.set(due(), () => {
      if (!isLive(session)) return
      if (now() < due()) return this.awaitSound(session, silent_since)
      end(session, { sip_code: 200, q850: 44, source: "platform", reason: "media_timeout" })
    })
  }
}
