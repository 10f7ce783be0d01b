// The PBX behind the gateway: phones that exist in memory only. Here a real gateway talks to its PBX.
import { randomUUID } from "node:crypto"
import type { PbxCommand, PbxEvent } from "trunkline"

type Action = PbxCommand["action"]
type Originate = Extract<Action, { readonly kind: "originate" }>
type SessionId = PbxCommand["session_id"]
type Report = (event: PbxEvent) => void

interface Session {
  readonly id: SessionId
  readonly tenant_pbx_id: string
  readonly to: string
  readonly from: string
  /** The number of its latest event. */
  seq: number
  answered_at?: number
  /** The sessions that it is bridged with. */
  readonly peers: Set<SessionId>
  /** What is still to happen: an answer, the end of an announcement, the end of the talk. */
  readonly timers: Set<NodeJS.Timeout>
  limit?: NodeJS.Timeout
  /** Ends what a command plays, by the id of the command. */
  readonly playing: Map<string, (result: "completed" | "cut") => void>
}

/** How a phone behaves. The numbers are those that `npm run gateway:check` dials. */
const behaviourOf = (to: string): "busy" | "silent" | "answers" =>
  to === "+99900000002" ? "busy" : to === "+99900000003" ? "silent" : "answers"

const answersAfter_ms = 500
const speaks_ms = 200
/** The sequence number of a snapshot that says "absent": nothing can follow it. */
const lastSeq = 2_147_483_647

export class Sessions {
  private readonly sessions = new Map<SessionId, Session>()
  private readonly report: Report
  private readonly owesHangup: (session_id: SessionId) => boolean

  constructor(report: Report, owesHangup: (session_id: SessionId) => boolean) {
    this.report = report
    this.owesHangup = owesHangup
  }

  get live(): ReadonlyArray<string> {
    return [...this.sessions.keys()]
  }

  carryOut({ action, id, session_id, tenant_pbx_id }: PbxCommand): void {
    if (action.kind === "originate") {
      const { not_after } = action
      const isTooLate = !this.sessions.has(session_id) && not_after !== undefined && Date.now() >= Date.parse(not_after)
      if (isTooLate) return this.reportAbsent(session_id, tenant_pbx_id)
      return this.originate(action, session_id, tenant_pbx_id)
    }
    const session = this.sessions.get(session_id)
    if (session === undefined) return this.reportAbsent(session_id, tenant_pbx_id)
    switch (action.kind) {
      case "say":
      case "play":
        return this.play(session, id, speaks_ms * action.loop)
      case "send_digits":
        return this.play(session, id, speaks_ms)
      case "cut":
        return session.playing.get(action.command_id)?.("cut")
      case "gather":
        return this.after(session, action.timeout_ms, () =>
          this.tell(session, "gather.finished", { command_id: id, result: "timeout", digits: "" })
        )
      case "record.start":
        return this.tell(session, "recording.failed", {
          command_id: id,
          recording_id: action.recording_id,
          error: "This gateway does not record."
        })
      case "bridge":
        return this.bridge(session, action.peer_session_id)
      case "limit":
        return this.limit(session, action.seconds)
      case "hangup":
        return this.end(session, { sip_code: session.answered_at === undefined ? 487 : 200, source: "platform" })
      case "snapshot":
        return this.tell(session, "session.snapshot", {
          state: session.answered_at === undefined ? "ringing" : "answered"
        })
      default:
      // Newer than this gateway, or without anything to do here: acknowledged, and no more.
    }
  }

  /** Call it every 30 seconds: it says which sessions are alive, for each tenant. */
  heartbeat(): void {
    for (const [tenant_pbx_id, sessions] of Map.groupBy(this.sessions.values(), (each) => each.tenant_pbx_id)) {
      const live_sessions = sessions.map(({ id }) => id)
      this.report({
        event_id: randomUUID(),
        tenant_pbx_id,
        type: "heartbeat",
        seq: 1,
        occurred_at: new Date().toISOString(),
        data: { live_sessions }
      })
    }
  }

  private originate(action: Originate, id: SessionId, tenant_pbx_id: string): void {
    const { from, talk_limit_seconds, timeout_seconds, to } = action
    const session: Session = {
      id,
      tenant_pbx_id,
      to,
      from,
      seq: 0,
      peers: new Set(),
      timers: new Set(),
      playing: new Map()
    }
    this.sessions.set(id, session)
    this.tell(session, "session.created", {}, { direction: "outbound", from, to })
    const behaviour = behaviourOf(to)
    if (behaviour === "busy") return this.end(session, { sip_code: 486, source: "callee" })
    this.tell(session, "leg.ringing", { sip_code: 180 })
    this.after(session, timeout_seconds * 1000, () => {
      if (session.answered_at === undefined) this.end(session, { sip_code: 408, source: "platform" })
    })
    if (behaviour === "silent") return
    this.after(session, answersAfter_ms, () => {
      session.answered_at = Date.now()
      this.tell(session, "leg.answered", { sip_code: 200 })
      if (talk_limit_seconds !== undefined) this.limit(session, talk_limit_seconds)
    })
  }

  private play(session: Session, command_id: string, duration_ms: number): void {
    const finish = (result: "completed" | "cut") => {
      if (session.playing.delete(command_id)) this.tell(session, "playback.finished", { command_id, result })
    }
    session.playing.set(command_id, finish)
    this.after(session, duration_ms, () => finish("completed"))
  }

  /** The talk ends so many seconds after its answer, even if the engine is gone by then. The newest limit holds. */
  private limit(session: Session, seconds: number): void {
    clearTimeout(session.limit)
    if (session.answered_at === undefined) return
    const rest_ms = session.answered_at + seconds * 1000 - Date.now()
    session.limit = setTimeout(
      () => this.end(session, { sip_code: 200, source: "platform", reason: "talk_limit" }),
      Math.min(rest_ms, 2 ** 31 - 1)
    )
  }

  private bridge(session: Session, peer_id: SessionId): void {
    const peer = this.sessions.get(peer_id)
    if (peer === undefined) {
      return this.tell(session, "leg.unbridged", { peer_leg_id: peer_id, error: "There is no such session." })
    }
    session.peers.add(peer.id)
    peer.peers.add(session.id)
    this.tell(session, "leg.bridged", { peer_leg_id: peer.id })
    this.tell(peer, "leg.bridged", { peer_leg_id: session.id })
  }

  private end(session: Session, data: PbxEvent["data"]): void {
    for (const timer of session.timers) clearTimeout(timer)
    clearTimeout(session.limit)
    this.sessions.delete(session.id)
    const duration_ms = session.answered_at === undefined ? 0 : Date.now() - session.answered_at
    this.tell(session, "leg.hangup", { ...data, q850: 16, duration_ms })
    for (const id of session.peers) {
      const peer = this.sessions.get(id)
      if (peer === undefined) continue
      peer.peers.delete(session.id)
      this.tell(peer, "leg.unbridged", { peer_leg_id: session.id })
    }
  }

  /** A session that has just ended is told by its `leg.hangup`, which the engine has not acknowledged yet. */
  private reportAbsent(session_id: SessionId, tenant_pbx_id: string): void {
    if (this.owesHangup(session_id)) return
    this.report({
      event_id: randomUUID(),
      tenant_pbx_id,
      type: "session.snapshot",
      session_id,
      seq: lastSeq,
      occurred_at: new Date().toISOString(),
      data: { state: "absent" }
    })
  }

  private after(session: Session, delay_ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      session.timers.delete(timer)
      act()
    }, delay_ms)
    session.timers.add(timer)
  }

  private tell(
    session: Session,
    type: PbxEvent["type"],
    data: PbxEvent["data"],
    more: Pick<PbxEvent, "direction" | "from" | "to"> = {}
  ): void {
    this.report({
      event_id: randomUUID(),
      tenant_pbx_id: session.tenant_pbx_id,
      type,
      session_id: session.id,
      leg_id: session.id,
      seq: ++session.seq,
      occurred_at: new Date().toISOString(),
      ...more,
      data
    })
  }
}
