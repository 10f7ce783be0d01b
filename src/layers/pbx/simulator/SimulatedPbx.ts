// A PBX with simulated lines and phones. It follows the protocol exactly (docs/pbx-protocol.md); its owner delivers
// commands and events. It is cheap: a leg is an object with one or two timers, not a fiber.
import type { Timers } from "../../../actors/runtime/Timers.ts"
import { type ActionOf, isTooLate, type PbxCommand } from "../../../domain/pbx/PbxCommand.ts"
import type { PbxEvent, PbxEventData } from "../../../domain/pbx/PbxEvent.ts"
import type { BrowserLegs, LegOwner } from "./browsers/BrowserLegs.ts"
import { Heartbeats } from "./Heartbeats.ts"
import { Media } from "./Media.ts"
import { type Caller, type Phone, refusalOf, type Step } from "./Phones.ts"
import { SimulatedConferences } from "./SimulatedConferences.ts"
import { type LeaveAudio, Recorders } from "./Recorders.ts"
import type { MediaRelay } from "../MediaRelay.ts"
import type { SessionStreams } from "../SessionStreams.ts"
import { simulatedStreams } from "./SimulatedStreams.ts"
import { isSound, playbackOf } from "./SoundCommands.ts"
import { SessionLimits } from "./SessionLimits.ts"
import { SessionReports } from "./SessionReports.ts"
import { type Session, Sessions, type SessionView } from "./Sessions.ts"
import { type SessionId, toSessionId } from "../../../domain/BrandedIds.ts"

export interface SimulatedPbxOptions {
  /** The phone behind a number. `dialled`: a call in progress dials it. */
  readonly phones: (to: string, dialled: boolean) => Phone
  readonly timers: Timers
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly uuid: () => string
  readonly report: (event: PbxEvent) => void
  /** Puts a recorded file into the spool. Absent: nothing can be recorded. */
  readonly leave?: LeaveAudio
  /** Hang up when no audio comes from the phone. */
  readonly media_timeout?: boolean
  /** Relays the audio of media streams. Absent: there are none. */
  readonly relay?: MediaRelay
  /** The browsers that are connected. Absent: there are none, and extensions are simulated phones. */
  readonly browsers?: (owner: LegOwner) => BrowserLegs
  /** Whether the end of the session was reported but is not acknowledged yet. Absent: never. */
  readonly owesEnd?: (session_id: SessionId) => boolean
}

const callerGivesUp_ms = 60_000
/** When answering machine detection reports a person, after the answer. */
const human_after_ms = 1_000

export class SimulatedPbx {
  private readonly sessions = new Sessions()
  private readonly media: Media
  private readonly options: SimulatedPbxOptions
  private readonly recorders: Recorders
  private readonly streams: SessionStreams<Session> | undefined
  private readonly heartbeats: Heartbeats
  private readonly reports: SessionReports
  private readonly limits: SessionLimits
  private readonly browsers: BrowserLegs | undefined
  private readonly conferences: SimulatedConferences

  constructor(options: SimulatedPbxOptions) {
    this.options = options
    const { leave, now, timers } = options
    const reports = new SessionReports(options)
    const report = reports.report.bind(reports)
    this.reports = reports
    this.recorders = new Recorders({ timers, now, report, ...(leave && { leave }) })
    this.conferences = new SimulatedConferences(report)
    this.heartbeats = new Heartbeats({
      timers,
      now,
      sessions: this.sessions,
      report: (tenant_pbx_id, seq, data) => options.report(reports.event(tenant_pbx_id, "heartbeat", seq, data, {}))
    })
    this.streams = simulatedStreams(options.relay, report)
    const isLive = (session: Session) => this.sessions.live.get(session.id) === session
    this.media = new Media({ timers, now, isLive, report })
    this.limits = new SessionLimits({
      timers,
      now,
      isLive,
      end: (session, how) => this.end(session, how),
      media_timeout: options.media_timeout === true
    })
    this.browsers = options.browsers?.({
      dialIn: (caller) => this.sessions.live.get(this.dialIn(caller)),
      ringing: (session) => this.ring(session),
      answered: (session) => this.pickUp(session),
      ended: (session, how) => this.end(session, how),
      report
    })
  }

  get live(): ReadonlyArray<SessionId> {
    return [...this.sessions.live.keys()]
  }

  /** Carries out a command once, however often it is given. */
  carryOut(command: PbxCommand): void {
    const { action } = command
    const session = this.sessions.live.get(command.session_id)
    if (session === undefined) {
      if (action.kind !== "originate") return this.reports.absent(command)
      if (this.sessions.hasEnded(command.session_id)) return
      return isTooLate(action, this.options.now()) ? this.reports.absent(command) : this.originate(command, action)
    }
    if (session.carried_out.includes(command.id)) return
    session.carried_out.push(command.id)
    if (isSound(action)) return this.soundOf(session).play(session, command.id, playbackOf(action))
    switch (action.kind) {
      case "originate":
        return
      case "gather":
        return this.soundOf(session).gather(session, command.id, action)
      case "cut":
        this.recorders.cut(session, action.command_id)
        return this.soundOf(session).cut(session, action.command_id)
      case "mute":
        session.muted = action.on
        return this.browsers?.mark(session)
      case "hold":
        session.held = action.on
        return this.browsers?.mark(session)
      case "limit":
        return this.limits.limitTalk(session, action.seconds)
      case "bridge":
        return this.bridge(session, action.peer_session_id)
      case "stream.start":
        return this.streams?.start(session, command.id, action)
      case "stream.stop":
        return this.streams?.stop(action.stream_id)
      case "conference.join":
        return this.conferences.join(session, action)
      case "conference.leave":
        return this.conferences.leave(session.id, action.conference_id)
      case "record.start":
        return this.recorders.start(session, command.id, action)
      case "record.stop":
        return this.recorders.stop(session, action.recording_id)
      case "answer":
        session.talk_limit_seconds = action.talk_limit_seconds
        return this.answerCaller(session)
      case "reject":
        return this.announcerOf(session).announce(session, command.id, action.announcement, () =>
          this.end(session, { sip_code: action.sip_code, q850: 21, source: "platform" })
        )
      case "hangup":
        return this.hangup(session)
      case "snapshot":
        return this.reports.report(session, "session.snapshot", {
          state: session.answered_at === undefined ? "ringing" : "answered"
        })
      default:
        action satisfies never
    }
  }

  /** The state of a live session. Undefined if there is no such session. */
  look(session_id: SessionId): SessionView | undefined {
    const session = this.sessions.live.get(session_id)
    if (session === undefined) return undefined
    const { held, muted, said, talk_limit_seconds } = session
    const peers = [...session.peers].map(({ id }) => id)
    return { peers, muted, held, talk_limit_seconds, said, ...this.conferences.view(session_id) }
  }

  /** The remote party hangs up. False if there is no such session. */
  remoteHangup(session_id: SessionId): boolean {
    const session = this.sessions.live.get(session_id)
    if (session === undefined) return false
    const source = session.caller === undefined ? "callee" : "caller"
    const refused = session.caller === undefined ? 603 : 487
    this.end(session, { sip_code: session.answered_at === undefined ? refused : 200, q850: 16, source })
    return true
  }

  /** An inbound call. Returns the session id, which the PBX chooses. */
  dialIn(caller: Caller): SessionId {
    const session_id = toSessionId(`HD_in_${this.options.uuid()}`)
    const { attestation, device, from, gives_up_after_ms = callerGivesUp_ms, network, presses, says } = caller
    const { tenant_pbx_id, to } = caller
    const ring_until = this.options.now() + gives_up_after_ms
    const session = this.sessions.open({
      session_id,
      tenant_pbx_id,
      phone: { steps: [], ...(presses !== undefined && { presses }), ...(says !== undefined && { says }) },
      ring_until,
      detects: false,
      caller
    })
    const data = {
      sip_call_id: session_id,
      ...(device !== undefined && { transport: device }),
      ...(network !== undefined && { network }),
      ...(attestation !== undefined && { attestation })
    }
    this.reports.report(session, "session.created", data, {
      direction: device === undefined ? "inbound" : "outbound",
      from,
      to
    })
    this.wait(session, ring_until, () => this.end(session, { sip_code: 487, q850: 16, source: "caller" }))
    this.heartbeats.start()
    return session_id
  }

  /** The PBX loses the session without reporting it. False if there is no such session. */
  lose(session_id: SessionId): boolean {
    const session = this.sessions.live.get(session_id)
    if (session === undefined) return false
    for (const timer of [session.timer, session.limit_timer]) if (timer !== undefined) this.options.timers.cancel(timer)
    this.conferences.leave(session_id)
    return this.sessions.live.delete(session_id)
  }

  // ---- commands

  /** Speech, playbacks and keys: real ones for a browser. */
  private soundOf(session: Session) {
    return this.browsers?.has(session) === true ? this.browsers.sound : this.media
  }

  private announcerOf(session: Session) {
    return this.browsers?.has(session) === true ? this.browsers : this.media
  }

  private originate(
    command: PbxCommand,
    {
      caller_id,
      endpoint,
      machine_detection,
      network,
      parent_session_id,
      talk_limit_seconds,
      timeout_seconds,
      to
    }: ActionOf<"originate">
  ): void {
    const ring_until = this.options.now() + timeout_seconds * 1000
    const session = this.sessions.open({
      session_id: command.session_id,
      tenant_pbx_id: command.tenant_pbx_id,
      command_id: command.id,
      phone: this.options.phones(to, parent_session_id !== undefined),
      ring_until,
      talk_limit_seconds,
      detects: machine_detection !== undefined,
      caller: undefined,
      parent: parent_session_id,
      parties: { from: caller_id, to, ...(network && { network }) }
    })
    this.reports.report(session, "session.created", {}, { direction: "outbound", from: caller_id, to })
    this.heartbeats.start()
    if (endpoint === undefined || this.browsers?.isRegistered(endpoint) !== true) return this.proceed(session)
    this.wait(session, ring_until, () => this.timeOut(session))
    this.browsers.ring(session, endpoint, caller_id)
  }

  private bridge(session: Session, peer_session_id: SessionId): void {
    const peer = this.sessions.live.get(peer_session_id)
    if (peer === undefined || peer === session || peer.answered_at === undefined || session.answered_at === undefined) {
      return this.reports.report(session, "leg.unbridged", { peer_leg_id: peer_session_id, error: "peer_absent" })
    }
    session.peers.add(peer)
    peer.peers.add(session)
    this.reports.report(session, "leg.bridged", { peer_leg_id: peer.id })
    this.reports.report(peer, "leg.bridged", { peer_leg_id: session.id })
    this.browsers?.bridge(session, peer)
  }

  private answerCaller(session: Session): void {
    if (session.caller === undefined || session.answered_at !== undefined) return
    this.pickUp(session)
    this.browsers?.answer(session)
    const { talks_ms } = session.caller
    if (talks_ms === undefined) return
    this.wait(session, this.options.now() + talks_ms, () =>
      this.end(session, { sip_code: 200, q850: 16, source: "caller" })
    )
  }

  private hangup(session: Session): void {
    if (session.answered_at !== undefined) return this.end(session, { sip_code: 200, q850: 16, source: "platform" })
    if (session.phone.answers_cancel !== true) return this.end(session, { sip_code: 487, q850: 16, source: "platform" })
    this.answer(session)
    this.end(session, { sip_code: 200, q850: 16, source: "platform" })
  }

  // ---- the phone's script

  /** Takes every step that is due and waits for the next. A phone that has not answered in time is given up. */
  private proceed(session: Session): void {
    const now = this.options.now()
    for (;;) {
      const step = session.phone.steps[session.step]
      if (step?.after_ms === 0) {
        this.take(session, step)
        if (this.sessions.live.get(session.id) !== session) return
        continue
      }
      const at = step === undefined ? Number.POSITIVE_INFINITY : now + step.after_ms
      const timedOut = session.answered_at === undefined && session.ring_until <= at
      if (timedOut) return this.wait(session, session.ring_until, () => this.timeOut(session))
      if (step !== undefined) this.wait(session, at, () => this.takeAndProceed(session, step))
      return
    }
  }

  private wait(session: Session, at: number, then: () => void): void {
    session.timer = this.options.timers.set(at, then)
  }

  private takeAndProceed(session: Session, step: Step): void {
    this.take(session, step)
    if (this.sessions.live.get(session.id) === session) this.proceed(session)
  }

  private take(session: Session, step: Step): void {
    session.step++
    switch (step.kind) {
      case "rings":
        return this.ring(session)
      case "answers":
        return this.answer(session)
      case "is_a_machine":
        return this.reports.report(session, "machine.detected", { result: "machine", confidence: 0.97 })
      case "refuses":
        return this.end(session, refusalOf(step))
      case "hangs_up":
        return this.end(session, { sip_code: 200, q850: 16, source: "callee" })
      case "falls_silent":
        return this.limits.awaitSound(session, this.options.now())
      case "vanishes":
        this.lose(session.id)
    }
  }

  private ring(session: Session): void {
    this.reports.report(session, "leg.ringing", { sip_code: 180 })
    this.browsers?.hearsRinging(session.parent)
  }

  /** Somebody answers before ringing times out. */
  private pickUp(session: Session): void {
    if (session.timer !== undefined) this.options.timers.cancel(session.timer)
    this.answer(session)
  }

  private answer(session: Session): void {
    session.answered_at = this.options.now()
    this.reports.report(session, "leg.answered", { sip_code: 200 })
    if (session.talk_limit_seconds !== undefined) this.limits.limitTalk(session, session.talk_limit_seconds)
    this.recorders.answered(session)
    if (!session.detects || session.phone.steps.some(({ kind }) => kind === "is_a_machine")) return
    this.options.timers.set(session.answered_at + human_after_ms, () => {
      if (this.sessions.live.get(session.id) === session)
        this.reports.report(session, "machine.detected", { result: "human", confidence: 0.9 })
    })
  }

  private timeOut(session: Session): void {
    this.end(session, { sip_code: 408, q850: 18, source: "platform" })
  }

  private end(session: Session, how: PbxEventData): void {
    for (const timer of [session.timer, session.limit_timer]) if (timer !== undefined) this.options.timers.cancel(timer)
    const { answered_at } = session
    this.media.end(session)
    this.browsers?.end(session, how)
    this.conferences.leave(session.id)
    this.streams?.end(session)
    const duration_ms = answered_at === undefined ? 0 : this.options.now() - answered_at
    this.reports.report(session, "leg.hangup", { ...how, duration_ms })
    this.sessions.close(session)
    this.recorders.stop(session)
    this.callBack(session)
    for (const peer of session.peers) {
      peer.peers.delete(session)
      if (this.sessions.live.get(peer.id) === peer)
        this.reports.report(peer, "leg.unbridged", { peer_leg_id: session.id })
    }
  }

  /** Some phones call back, whatever became of the call. */
  private callBack({ parties, phone: { calls_back_after_ms }, tenant_pbx_id }: Session): void {
    if (calls_back_after_ms === undefined || parties === undefined) return
    const { from, to, ...same } = parties
    this.options.timers.set(this.options.now() + calls_back_after_ms, () => {
      this.dialIn({ tenant_pbx_id, from: to, to: from, gives_up_after_ms: 30_000, talks_ms: 60_000, ...same })
    })
  }
}
