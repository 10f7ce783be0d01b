// Translates the engine's session commands into requests to Asterisk, and Asterisk's events into events of the PBX
// protocol. Channels have the ids of their sessions, so that a repeated command is carried out once, and an engine that
// restarts finds its channels again. All devices of a user ring at once, each on its own channel, until the first is
// answered.
import { Effect } from "effect"
import { type ActionOf, isTooLate, type PbxCommand } from "../../../domain/pbx/PbxCommand.ts"
import type { AriAway } from "./ari/Ari.ts"
import { type AriChannelEvent, type AriEvent, instantOf } from "./ari/AriEvent.ts"
import type { CalledNumbers } from "./calls/CalledNumbers.ts"
import { reasonOf, reasonOfSip } from "./calls/Endings.ts"
import { IncomingChannels } from "./calls/IncomingChannels.ts"
import { LegEvents } from "./calls/LegEvents.ts"
import type { LegServices } from "./calls/LegServices.ts"
import { type Leg, sessionOf } from "./legs/Legs.ts"
import { OutboundCalls } from "./calls/OutboundCalls.ts"
import { ReattachChannels } from "./calls/ReattachChannels.ts"
import { isPrompt } from "./media/Media.ts"
import type { OutboundEndpoints } from "./legs/Originate.ts"
import type { Registry } from "./registry/Registry.ts"
import type { SessionId } from "../../../domain/BrandedIds.ts"

export interface AsteriskPbxOptions extends LegServices {
  readonly registry: Registry
  readonly endpoints: OutboundEndpoints
  readonly numbers: CalledNumbers
  /** Whether the end of the session was reported but is not acknowledged yet. */
  readonly owesEnd: (session_id: SessionId) => boolean
}

export class AsteriskPbx {
  private readonly options: AsteriskPbxOptions
  private readonly events: LegEvents
  private readonly outbound: OutboundCalls
  private readonly incoming: IncomingChannels
  private readonly reattach: ReattachChannels

  constructor(options: AsteriskPbxOptions) {
    this.options = options
    this.events = new LegEvents(options)
    const shared = { ...options, events: this.events }
    this.outbound = new OutboundCalls(shared)
    this.reattach = new ReattachChannels(shared)
    this.incoming = new IncomingChannels({
      ...shared,
      reattach: this.reattach,
      handle: (event) => this.handleChannelEvent(event)
    })
  }

  /**
   * Carries out a session command once, however often it is given. Fails if Asterisk is unreachable: then it is
   * retried.
   */
  carryOut(command: PbxCommand): Effect.Effect<void, AriAway> {
    const { action, session_id, tenant_pbx_id } = command
    const { legs, now, owesEnd } = this.options
    return Effect.suspend(() => {
      const leg = legs.live.get(session_id)
      if (leg === undefined) {
        // An unacknowledged `leg.hangup` is repeated anyway, and says more than a snapshot of an absent session.
        if (action.kind !== "originate")
          return Effect.sync(() => owesEnd(session_id) || legs.reportAbsent(tenant_pbx_id, session_id))
        if (legs.hasEnded(session_id)) return Effect.void
        return isTooLate(action, now())
          ? Effect.sync(() => legs.reportAbsent(tenant_pbx_id, session_id))
          : this.outbound.originate(command, action)
      }
      if (leg.carried_out.has(command.id)) return Effect.void
      leg.carried_out.add(command.id)
      return Effect.onError(this.perform(leg, command), () => Effect.sync(() => leg.carried_out.delete(command.id)))
    })
  }

  /** Handles one event of Asterisk. Events of one channel must come in order. */
  handle(event: AriEvent): Effect.Effect<void> {
    const { media, recorders, registry } = this.options
    switch (event.type) {
      case "ContactStatusChange":
        return Effect.sync(() => registry.contactChanged(event, instantOf(event.timestamp)))
      case "PlaybackFinished":
        return Effect.sync(() => media.finished(event.playback.id, event.playback.state))
      case "RecordingFinished":
      case "RecordingFailed":
        return Effect.sync(() => recorders.finished(event.recording.name, event.type === "RecordingFailed"))
      default:
        return this.handleChannelEvent(event)
    }
  }

  private handleChannelEvent(event: AriChannelEvent): Effect.Effect<void> {
    const { legs } = this.options
    const channel = event.type === "Dial" ? event.peer : event.channel
    return Effect.suspend(() => {
      const buffer = this.incoming.bufferOf(channel.id)
      if (buffer !== undefined) return Effect.sync(() => buffer.push(event))
      const leg = legs.live.get(sessionOf(channel.id))
      const branch = leg?.branches.get(channel.id)
      if (leg !== undefined && branch !== undefined)
        return Effect.sync(() => this.events.handle(leg, branch, event, instantOf(event.timestamp)))
      return event.type === "StasisStart"
        ? this.incoming.handle(event)
        : Effect.sync(() => this.reattach.handle(channel, event))
    })
  }

  /** After each connection to Asterisk. `eventsHandled` waits until the events received so far have been handled. */
  reconcile(eventsHandled: Effect.Effect<void>): Effect.Effect<void, AriAway> {
    return Effect.andThen(this.reattach.reconcile(eventsHandled), this.options.bridges.reconcile)
  }

  /** The connection to Asterisk has ended. */
  disconnected(): void {
    this.reattach.disconnected()
  }

  private perform(leg: Leg, { action, id }: PbxCommand): Effect.Effect<void, AriAway> {
    const { ari, bridges, conferences, legs, limits, media, recorders, streams } = this.options
    const channel = `/channels/${leg.channel}`
    if (isPrompt(action)) return Effect.sync(() => media.play(leg, id, action))
    switch (action.kind) {
      case "originate":
        return Effect.void
      case "gather":
        return Effect.sync(() => media.gather(leg, id, action))
      case "send_digits":
        return Effect.sync(() => media.sendDigits(leg, id, action.digits))
      case "cut":
        return Effect.sync(() => media.cut(leg, action.command_id))
      case "mute":
        return Effect.asVoid(ari.request(action.on ? "POST" : "DELETE", `${channel}/mute`, { direction: "in" }))
      case "hold":
        return Effect.asVoid(ari.request(action.on ? "POST" : "DELETE", `${channel}/moh`))
      case "limit":
        return limits.change(
          leg,
          action.seconds,
          action.answered_at === undefined ? undefined : Date.parse(action.answered_at)
        )
      case "bridge":
        return bridges.connect(leg, action.peer_session_id)
      case "record.start":
        return Effect.sync(() => recorders.start(leg, id, action))
      case "record.stop":
        return Effect.sync(() => recorders.stop(leg, action.recording_id))
      case "stream.start":
        return Effect.sync(() => streams.start(leg, id, action))
      case "stream.stop":
        return Effect.sync(() => streams.stop(action.stream_id))
      case "conference.join":
        return conferences.join(leg, id, action)
      case "conference.leave":
        return conferences.leave(leg, action.conference_id)
      case "answer":
        return Effect.andThen(
          limits.prepareAnswer(leg, action.talk_limit_seconds),
          Effect.asVoid(ari.request("POST", `${channel}/answer`))
        )
      case "reject":
        return this.reject(leg, id, action)
      case "hangup":
        leg.hung_up = true
        return this.events.hangUp([...leg.branches.values()], reasonOf(action.cause))
      case "snapshot":
        return Effect.sync(() =>
          legs.report(leg, "session.snapshot", { state: leg.answered_at === undefined ? "ringing" : "answered" })
        )
    }
  }

  /** Plays the announcement, if there is one, then ends the channel with the SIP response. */
  private reject(
    leg: Leg,
    command_id: string,
    { announcement, sip_code }: ActionOf<"reject">
  ): Effect.Effect<void, AriAway> {
    const { ari, legs, media, run } = this.options
    const refuse = Effect.suspend(() => {
      if (!legs.live.has(leg.id)) return Effect.void
      leg.hung_up = true
      leg.reject_code = sip_code
      return Effect.asVoid(ari.request("DELETE", `/channels/${leg.channel}`, { reason: reasonOfSip(sip_code) }))
    })
    if (announcement === undefined) return refuse
    return Effect.sync(() => media.announce(leg, command_id, announcement, () => run(Effect.ignore(refuse))))
  }
}
