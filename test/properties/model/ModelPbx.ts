// A PBX with phones that do what a history chooses. It carries commands out once and keeps its events until they are
// acknowledged; on their way they are late, twice, or in another order.
import type { ActionOf, PbxCommand } from "../../../src/domain/pbx/PbxCommand.ts"
import type { PbxEvent, PbxEventData } from "../../../src/domain/pbx/PbxEvent.ts"
import { lastSeq } from "../../../src/domain/pbx/Session.ts"
import type { Agenda } from "./Agenda.ts"
import type { Choices } from "./Choices.ts"
import { toSessionId } from "../../../src/domain/BrandedIds.ts"

interface Session {
  readonly id: string
  readonly tenant_pbx_id: string
  readonly carried_out: Set<string>
  state: "ringing" | "answered" | "ended"
  /** Whether it ever was. */
  was_answered: boolean
  readonly began_at: number
  answered_at: number
  /** From the answer on. */
  limit_seconds: number
  /** Whether a snapshot was taken, which can overtake events. */
  was_asked: boolean
  seq: number
}

type Originate = ActionOf<"originate">

const began = (began_at: number, limit_seconds = 0) => ({
  began_at,
  answered_at: 0,
  limit_seconds,
  was_asked: false,
  seq: 0
})

const refusals = [486, 480, 503, 603, 408, 404] as const
const talks_ms = [30_000, 500, 59_999, 60_000, 60_001, 130_000, 300_000] as const
const clock_errors_ms = [-3_000, 3_000, -700] as const
const heartbeat_ms = 30_000

export class ModelPbx {
  readonly sessions = new Map<string, Session>()
  outbox: Array<PbxEvent> = []
  /** Commands on their way, in order. */
  inbox: Array<PbxCommand> = []
  connected = true
  connected_at: number
  private reported = 0
  private beating = false
  private readonly agenda: Agenda
  private readonly choices: Choices
  private readonly beat: (session_id: string, at: number) => void

  constructor(agenda: Agenda, choices: Choices, beat: (session_id: string, at: number) => void) {
    this.agenda = agenda
    this.choices = choices
    this.beat = beat
    this.connected_at = agenda.now
  }

  connect(): void {
    this.connected = true
    this.connected_at = this.agenda.now
  }

  get live(): ReadonlyArray<Session> {
    return [...this.sessions.values()].filter(({ state }) => state !== "ended")
  }

  /** Somebody calls, and gives up after a while. */
  dialIn(id: string): void {
    const session: Session = {
      id,
      tenant_pbx_id: "tenant",
      carried_out: new Set(),
      state: "ringing",
      was_answered: false,
      ...began(this.agenda.now)
    }
    this.sessions.set(id, session)
    this.report(session, "session.created", {}, "inbound")
    this.beats()
    this.later(
      session,
      this.choices.of([70_000, 1_000, 12_000]),
      () => session.state === "ringing" && this.end(session, 487, "caller")
    )
  }

  carryOut(command: PbxCommand): void {
    const { action, id, session_id, tenant_pbx_id } = command
    const session = this.sessions.get(session_id)
    if (action.kind === "originate") {
      if (session === undefined) this.originate(session_id, tenant_pbx_id, action)
      return
    }
    if (session !== undefined && action.kind === "snapshot") session.was_asked = true
    if (session === undefined || session.state === "ended") {
      return this.report({ id: session_id, tenant_pbx_id, seq: lastSeq - 1 }, "session.snapshot", { state: "absent" })
    }
    if (session.carried_out.has(id)) return
    session.carried_out.add(id)
    switch (action.kind) {
      case "mute":
      case "hold":
      case "cut":
      case "record.stop":
      case "stream.start":
      case "stream.stop":
      case "conference.join":
      case "conference.leave":
        return
      case "gather":
        if (this.choices.oneIn(8)) return
        return this.later(session, 1_000, () =>
          this.report(session, "gather.finished", { command_id: id, result: "complete", digits: "1" })
        )
      case "record.start":
        if (this.choices.oneIn(4)) return
        return this.later(session, 1_000, () =>
          this.report(session, "recording.completed", {
            command_id: id,
            recording_id: action.recording_id,
            object_key: "a",
            duration_ms: 1_000
          })
        )
      case "say":
      case "play":
      case "send_digits":
        if (this.choices.oneIn(8)) return
        return this.later(session, 1_000, () => this.report(session, "playback.finished", { command_id: id }))
      case "bridge":
        return this.report(session, "leg.bridged", {})
      case "limit":
        return this.limit(session, action.seconds)
      case "answer":
        session.limit_seconds = action.talk_limit_seconds!
        return this.answer(session)
      case "reject":
        return this.end(session, action.sip_code)
      case "hangup":
        if (session.state === "ringing" && this.choices.oneIn(3)) this.answer(session)
        return this.end(session, session.state === "answered" ? 200 : 487)
      case "snapshot":
        return this.report(session, "session.snapshot", { state: session.state })
    }
  }

  private originate(id: string, tenant_pbx_id: string, { talk_limit_seconds, timeout_seconds }: Originate): void {
    const session: Session = {
      id,
      tenant_pbx_id,
      carried_out: new Set(),
      state: "ringing",
      was_answered: false,
      ...began(this.agenda.now, talk_limit_seconds)
    }
    this.sessions.set(id, session)
    this.report(session, "session.created", {})
    this.beats()
    this.later(session, 1_000, () =>
      this.report(session, this.choices.oneIn(4) ? "leg.early_media" : "leg.ringing", {})
    )
    const kind = this.choices.below(8)
    if (kind === 5) return this.later(session, 3_000, () => (session.state = "ended"))
    if (kind === 6) return this.later(session, 2_000, () => this.end(session, this.choices.of(refusals)))
    this.later(session, timeout_seconds * 1000, () => session.state === "ringing" && this.end(session, 408))
    if (kind === 7) return
    this.later(session, this.choices.of([2_000, 0, 29_999]), () => this.answer(session))
  }

  private answer(session: Session): void {
    if (session.state !== "ringing") return
    session.state = "answered"
    session.was_answered = true
    session.answered_at = this.agenda.now
    this.limit(session, session.limit_seconds)
    this.report(session, "leg.answered", {})
    const talk_ms = this.choices.of(talks_ms)
    if (this.choices.oneIn(8)) this.later(session, talk_ms, () => (session.state = "ended"))
    else this.later(session, talk_ms, () => this.end(session, 200))
  }

  /** The newest holds. */
  private limit(session: Session, seconds: number): void {
    session.limit_seconds = seconds
    if (session.state !== "answered") return
    this.later(session, Math.max(0, session.answered_at + seconds * 1000 - this.agenda.now), () => {
      if (session.limit_seconds === seconds) this.end(session, 200, "platform", { reason: "talk_limit" })
    })
  }

  private end(
    session: Session,
    sip_code: number,
    source: "caller" | "callee" | "platform" = "callee",
    more: PbxEventData = {}
  ): void {
    session.state = "ended"
    this.report(session, "leg.hangup", { sip_code, source, ...more })
  }

  private later(session: Session, after_ms: number, step: () => void): void {
    this.agenda.at(this.agenda.now + after_ms, "pbx", () => {
      if (session.state !== "ended") step()
    })
  }

  private report(
    session: Pick<Session, "id" | "tenant_pbx_id" | "seq">,
    type: PbxEvent["type"],
    data: PbxEventData,
    direction?: "inbound"
  ): void {
    this.outbox.push({
      event_id: `event-${++this.reported}`,
      tenant_pbx_id: session.tenant_pbx_id,
      type,
      session_id: toSessionId(session.id),
      seq: ++session.seq,
      occurred_at: new Date(
        this.agenda.now + (this.choices.oneIn(10) ? this.choices.of(clock_errors_ms) : 0)
      ).toISOString(),
      ...(direction && { direction }),
      data
    })
  }

  private beats(): void {
    if (this.beating) return
    this.beating = true
    this.agenda.at(this.agenda.now + heartbeat_ms, "pbx", () => {
      this.beating = false
      if (this.live.length === 0) return
      if (this.connected) for (const { id } of this.live) this.beat(id, this.agenda.now)
      this.beats()
    })
  }
}
