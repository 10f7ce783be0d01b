// Commands of the engine into requests to Asterisk, and its events into events of the PBX protocol. A leg is a channel that
// bears the session's id, so that what is asked twice is done once, and that a new engine finds its channels again. All
// devices of a user ring at once, each on a channel of its own, until the first of them answers.
import { Effect } from "effect"
import type { ServiceUnavailable } from "../../../domain/errors/GeneralErrors.ts"
import type { PbxCommand } from "../../../domain/pbx/PbxCommand.ts"
import type { Ari, AriAway } from "./Ari.ts"
import { type AriEvent, instantOf } from "./AriEvent.ts"
import { connect } from "./Bridges.ts"
import { type Branch, branchOn, channelNames, deciding, isRefusedForAll, others, type Over } from "./Branches.ts"
import { dialString } from "./Contacts.ts"
import { endingOf, reasonOf, reasonOfSip, silence } from "./Endings.ts"
import { whoComesIn } from "./Incoming.ts"
import { type ActionOf, type Leg, type Legs, sessionOf } from "./Legs.ts"
import type { AnsweringMachineDetection } from "./AnsweringMachineDetection.ts"
import type { Media } from "./Media.ts"
import { channelRequest, endpointOf, keptIn } from "./Originate.ts"
import type { Recorders } from "./Recorders.ts"
import type { Registry } from "./Registry.ts"
import type { Ringback } from "./Ringback.ts"
import type { MaxTalkTimes } from "./MaxTalkTimes.ts"
import { ReattachChannels } from "./ReattachChannels.ts"

export interface AsteriskPbxOptions {
  readonly ari: Ari
  readonly app: string
  readonly legs: Legs
  readonly machines: AnsweringMachineDetection
  readonly media: Media
  readonly recorders: Recorders
  readonly registry: Registry
  readonly ringback: Ringback
  readonly limits: MaxTalkTimes
  readonly now: () => number
  readonly run: (effect: Effect.Effect<void>) => void
  /** The endpoint that carries calls to numbers. */
  readonly carrier: string
  /** Whose the number is, by the tenant's name here; undefined where it is nobody's. */
  readonly tenantOf: (number: string) => Effect.Effect<string | undefined, ServiceUnavailable>
  /** Whether the end of the session was told and is not acknowledged yet. */
  readonly owesEnd: (session_id: string) => boolean
}

/** The cause of a hang-up that is soft says who wants it: here Asterisk itself, of a call that it hears nothing of. */
const of_its_own = 1

export class AsteriskPbx {
  private readonly options: AsteriskPbxOptions
  private readonly reattach: ReattachChannels
  /** What is told of channels of which it is not known yet whose they are. */
  private readonly arriving = new Map<string, Array<AriEvent>>()

  constructor(options: AsteriskPbxOptions) {
    this.options = options
    this.reattach = new ReattachChannels({
      ...options,
      heard: (leg, branch, event) => this.ofLeg(leg, branch, event, instantOf(event.timestamp)),
      answered: (leg, branch, at) => this.answered(leg, branch, at),
      over: (leg, branch, how) => this.over(leg, branch, how),
      forget: (leg) => this.forget(leg)
    })
  }

  /** Carries a command out, once however often it is told. Fails where Asterisk cannot be asked: it will be told again. */
  carryOut(command: PbxCommand): Effect.Effect<void, AriAway> {
    const { action, session_id, tenant_pbx_id } = command
    const { legs, owesEnd } = this.options
    return Effect.suspend(() => {
      const leg = legs.live.get(session_id)
      if (leg === undefined) {
        // An end that is not acknowledged is told again, and says more than that there is no such session.
        if (action.kind !== "originate")
          return Effect.sync(() => owesEnd(session_id) || legs.reportAbsent(tenant_pbx_id, session_id))
        return legs.hasEnded(session_id) ? Effect.void : this.originate(command, action)
      }
      if (leg.carried_out.has(command.id)) return Effect.void
      leg.carried_out.add(command.id)
      return Effect.onError(this.perform(leg, command), () => Effect.sync(() => leg.carried_out.delete(command.id)))
    })
  }

  private perform(leg: Leg, { action, id }: PbxCommand): Effect.Effect<void, AriAway> {
    const { ari, legs, limits, media, recorders } = this.options
    const channel = `/channels/${leg.channel}`
    switch (action.kind) {
      case "originate":
        return Effect.void
      case "say":
      case "play":
        return Effect.sync(() => media.play(leg, id, action))
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
        return connect({ ari, legs }, leg, action.peer_session_id)
      case "record.start":
        return Effect.sync(() => recorders.start(leg, id, action))
      case "record.stop":
        return Effect.sync(() => recorders.stop(leg, action.recording_id))
      case "answer":
        return Effect.andThen(
          limits.aboutToAnswer(leg, action.talk_limit_seconds),
          Effect.asVoid(ari.request("POST", `${channel}/answer`))
        )
      case "reject":
        return this.reject(leg, id, action)
      case "hangup":
        leg.asked = true
        return this.drop([...leg.branches.values()], reasonOf(action.cause))
      case "snapshot":
        return Effect.sync(() =>
          legs.report(leg, "session.snapshot", { state: leg.answered_at === undefined ? "ringing" : "answered" })
        )
    }
  }

  /** Commands come again until they are acknowledged, so a channel that is there already is the one that was asked for. */
  private originate(command: PbxCommand, action: ActionOf<"originate">): Effect.Effect<void, AriAway> {
    const { legs } = this.options
    const { id, session_id, tenant_pbx_id } = command
    const { caller_id, send_digits, to } = action
    return Effect.gen({ self: this }, function* () {
      const leg = legs.open(session_id, tenant_pbx_id, "outbound")
      leg.carried_out.add(id)
      if (send_digits !== undefined)
        leg.playbacks.set(`digits:${send_digits}`, { command_id: `${id}:digits`, of_entry: true, cut: false })
      this.expect(leg, action)
      legs.report(leg, "session.created", {}, undefined, { direction: "outbound", from: caller_id, to })
      const endpoints = yield* Effect.catch(this.called(action), (error) =>
        Effect.as(Effect.logWarning("Asterisk cannot be asked where a device is", error.cause), [])
      )
      if (endpoints.length === 0) return this.over(leg, [...leg.branches.values()][0]!, { cause: 20, tech_cause: 480 })
      const channels = channelNames(session_id, endpoints.length)
      leg.channel = channels[0]!
      leg.branches.clear()
      for (const channel of channels) leg.branches.set(channel, branchOn(channel))
      const calls = channels.map((channel, index) => this.call(leg, channel, endpoints[index]!, action))
      return yield* Effect.all(calls, { concurrency: "unbounded", discard: true })
    })
  }

  /** What is to ring: the devices of a user, each by itself, or what the call is for. */
  private called(action: ActionOf<"originate">): Effect.Effect<ReadonlyArray<string>, AriAway> {
    const { carrier, registry } = this.options
    if (action.endpoint !== undefined)
      return Effect.map(registry.users.contacts(action.endpoint), (contacts) => contacts.map(dialString))
    return Effect.succeed([endpointOf(action, carrier)])
  }

  private call(leg: Leg, channel: string, endpoint: string, action: ActionOf<"originate">): Effect.Effect<void> {
    const { app, ari, legs, registry } = this.options
    const format = action.trunk_id === undefined ? undefined : registry.trunks.formatOf(action.trunk_id)
    const branch = leg.branches.get(channel)!
    const is_over = () => leg.asked || legs.live.get(leg.id) !== leg || leg.branches.get(channel) !== branch
    if (is_over()) return Effect.sync(() => this.over(leg, branch, { cause: 16 }))
    branch.placing = true
    const request = ari.request(
      "POST",
      "/channels",
      {},
      channelRequest({ app, channel, endpoint, format, tenant_pbx_id: leg.tenant_pbx_id }, action)
    )
    return Effect.matchEffect(
      Effect.ensuring(
        request,
        Effect.sync(() => (branch.placing = false))
      ),
      {
        onFailure: (error) =>
          Effect.suspend(() => {
            this.over(leg, branch, { cause: 38, tech_cause: 503 })
            return Effect.logWarning("Asterisk cannot be asked for a call", error.cause)
          }),
        onSuccess: ({ status }) =>
          Effect.suspend(() => {
            // 409: it is there already. Anything else: nobody is registered there, or the trunk is away.
            const away = action.trunk_id === undefined ? { cause: 20, tech_cause: 480 } : { cause: 38, tech_cause: 503 }
            if (status >= 300 && status !== 409) return Effect.sync(() => this.over(leg, branch, away))
            return is_over() ? Effect.ignore(this.drop([branch], "normal")) : Effect.void
          })
      }
    )
  }

  private drop(branches: ReadonlyArray<Branch>, reason: string): Effect.Effect<void, AriAway> {
    const { ari } = this.options
    return Effect.forEach(branches, ({ channel }) => ari.request("DELETE", `/channels/${channel}`, { reason }), {
      discard: true
    })
  }

  /** What is to be done when it rings, and when it is answered. */
  private expect(
    leg: Leg,
    { machine_detection, parent_session_id, ringback_url, talk_limit_seconds }: ActionOf<"originate">
  ): void {
    const { limits, machines, ringback } = this.options
    limits.expect(leg, talk_limit_seconds)
    if (machine_detection !== undefined) machines.request(leg, machine_detection)
    if (parent_session_id !== undefined && ringback_url !== undefined)
      ringback.expect(leg, { parent_session_id, url: ringback_url })
  }

  /** Whoever calls is told the reason; first, where there is an announcement, by voice. */
  private reject(
    leg: Leg,
    command_id: string,
    { announcement, sip_code }: ActionOf<"reject">
  ): Effect.Effect<void, AriAway> {
    const { ari, legs, media } = this.options
    const refuse = Effect.suspend(() => {
      if (!legs.live.has(leg.id)) return Effect.void
      leg.asked = true
      leg.refused = sip_code
      return Effect.asVoid(ari.request("DELETE", `/channels/${leg.channel}`, { reason: reasonOfSip(sip_code) }))
    })
    if (announcement === undefined) return refuse
    return Effect.sync(() =>
      media.announce(leg, command_id, announcement, () => this.options.run(Effect.ignore(refuse)))
    )
  }

  // ---- what Asterisk tells

  handle(event: AriEvent): Effect.Effect<void> {
    const { legs, media, recorders, registry } = this.options
    switch (event.type) {
      case "ContactStatusChange":
        return Effect.sync(() => registry.contactChanged(event, instantOf(event.timestamp)))
      case "PlaybackFinished":
        return Effect.sync(() => media.finished(event.playback.id, event.playback.state))
      case "RecordingFinished":
      case "RecordingFailed":
        return Effect.sync(() => recorders.finished(event.recording.name, event.type === "RecordingFailed"))
    }
    const channel = event.type === "Dial" ? event.peer : event.channel
    return Effect.suspend(() => {
      const held = this.arriving.get(channel.id)
      if (held !== undefined) return Effect.sync(() => held.push(event))
      const leg = legs.live.get(sessionOf(channel.id))
      const branch = leg?.branches.get(channel.id)
      if (leg !== undefined && branch !== undefined)
        return Effect.sync(() => this.ofLeg(leg, branch, event, instantOf(event.timestamp)))
      if (event.type !== "StasisStart") return Effect.sync(() => this.reattach.handle(channel, event))
      return event.args[0] === "inbound" ? Effect.sync(() => this.arrives(event)) : this.comesLate(event)
    })
  }

  /** What is told of the channel while it is looked up whose it is waits for that; all else goes on. */
  private arrives(event: Extract<AriEvent, { type: "StasisStart" }>): void {
    const { id } = event.channel
    const held: Array<AriEvent> = []
    this.arriving.set(id, held)
    this.options.run(
      Effect.ensuring(
        this.comesIn(event),
        Effect.suspend(() => {
          this.arriving.delete(id)
          return this.options.legs.live.has(sessionOf(id))
            ? Effect.forEach(held, (each) => this.handle(each), { discard: true })
            : Effect.void
        })
      )
    )
  }

  /** Somebody answers whose call is over, or whom another device was faster than; or on an engine before this one's behalf. */
  private comesLate(event: Extract<AriEvent, { type: "StasisStart" }>): Effect.Effect<void> {
    const { legs } = this.options
    const { args, channel } = event
    const session = sessionOf(channel.id)
    if (args[0] !== "out") return Effect.void
    if (!legs.live.has(session) && !legs.hasEnded(session))
      return Effect.sync(() => this.reattach.handle(channel, event))
    return Effect.ignore(this.drop([branchOn(channel.id)], "answered_elsewhere"))
  }

  /** It rings until the engine has it answered or refused; a number of nobody here does not. */
  private comesIn(event: Extract<AriEvent, { type: "StasisStart" }>): Effect.Effect<void> {
    const { ari, carrier, legs, registry, run, tenantOf } = this.options
    const { channel, timestamp } = event
    const path = `/channels/${channel.id}`
    const refuse = (reason: string) => Effect.ignore(ari.request("DELETE", path, { reason }))
    return Effect.matchEffect(whoComesIn({ ari, carrier, tenantOf, trunks: registry.trunks }, event), {
      onFailure: () => refuse("congestion"),
      onSuccess: (incoming) => {
        if (incoming === undefined) return refuse("unallocated")
        const { direction, from, tenant_pbx_id, to, transport } = incoming
        const leg = legs.open(channel.id, tenant_pbx_id, "inbound")
        legs.report(leg, "session.created", transport === undefined ? {} : { transport }, instantOf(timestamp), {
          direction,
          from,
          to
        })
        const kept = Effect.forEach(
          Object.entries(keptIn(tenant_pbx_id)),
          ([variable, value]) => ari.request("POST", `${path}/variable`, { variable, value }),
          { discard: true }
        )
        return Effect.sync(() => run(Effect.ignore(Effect.andThen(ari.request("POST", `${path}/ring`), kept))))
      }
    })
  }

  private ofLeg(leg: Leg, branch: Branch, event: AriEvent, at: number): void {
    switch (event.type) {
      case "Dial":
        if (event.dialstatus === "PROGRESS") return this.rings(leg, branch, at, "leg.early_media", 183)
        return event.dialstatus === "RINGING" ? this.rings(leg, branch, at) : undefined
      case "ChannelStateChange":
        if (event.channel.state === "Ringing") return this.rings(leg, branch, at)
        return event.channel.state === "Up" ? this.answered(leg, branch, at) : undefined
      case "StasisStart":
        return event.channel.state === "Up" ? this.answered(leg, branch, at) : undefined
      case "ChannelDtmfReceived":
        this.options.legs.report(leg, "dtmf", { digit: event.digit, duration_ms: event.duration_ms }, at)
        this.options.recorders.pressed(leg, event.digit)
        return this.options.media.pressed(leg, event.digit)
      case "ChannelTalkingStarted":
        return this.options.machines.talkingStarted(leg)
      case "ChannelTalkingFinished":
        return this.options.machines.talkingFinished(leg, event.duration)
      case "ChannelHangupRequest":
        branch.remote ||= event.soft !== true
        branch.silent ||= event.soft === true && event.cause === of_its_own
        branch.dropped ||= event.soft === true && event.cause !== of_its_own
        return
      case "StasisEnd":
        return leg.direction === "inbound"
          ? this.over(leg, branch, { cause: branch.silent ? silence : 0 }, at)
          : undefined
      case "ChannelDestroyed":
        return this.over(leg, branch, event, at)
    }
  }

  /** Two events say it, in either order. */
  private rings(
    leg: Leg,
    branch: Branch,
    at: number,
    type: "leg.ringing" | "leg.early_media" = "leg.ringing",
    sip_code = 180
  ): void {
    branch.rang = true
    if (leg.rang || leg.answered_at !== undefined) return
    leg.rang = true
    this.options.legs.report(leg, type, { sip_code }, at)
    this.options.ringback.rings(leg)
  }

  /** The first to answer is the leg; the others are told that somebody has. */
  private answered(leg: Leg, branch: Branch, at: number): void {
    if (leg.answered_at !== undefined) return
    leg.answered_at = at
    this.settle(leg, branch)
    this.options.limits.answered(leg, at)
    this.options.legs.report(leg, "leg.answered", { sip_code: 200 }, at)
    this.options.ringback.answered(leg)
    this.options.machines.answered(leg)
    this.options.recorders.answered(leg)
    for (const key of leg.playbacks.keys()) {
      if (!key.startsWith("digits:")) continue
      leg.playbacks.delete(key)
      this.options.media.sendDigits(leg, key, key.slice("digits:".length))
    }
  }

  private settle(leg: Leg, branch: Branch): void {
    const late = others(leg, branch)
    leg.channel = branch.channel
    leg.branches.clear()
    leg.branches.set(branch.channel, branch)
    if (late.length > 0) this.options.run(Effect.ignore(this.drop(late, "answered_elsewhere")))
  }

  /** One of its channels has ended: the leg has, where none is left that may be answered. */
  private over(leg: Leg, branch: Branch, how: Over, at = this.options.now()): void {
    branch.over = how
    if (isRefusedForAll(branch)) this.options.run(Effect.ignore(this.drop(others(leg, branch), "normal")))
    const last = deciding(leg)
    if (last !== undefined) this.end(leg, last, at)
  }

  private end(leg: Leg, { dropped, over, rang, remote }: Branch, at: number): void {
    const { legs } = this.options
    if (legs.live.get(leg.id) !== leg) return
    const { answered_at, direction, refused } = leg
    const asked = leg.asked || dropped
    const { cause, tech_cause } = over!
    const limited = this.options.limits.isReached(leg, at)
    const how = endingOf({
      direction,
      answered: answered_at !== undefined,
      rang,
      asked,
      remote,
      limited,
      refused,
      cause,
      tech_cause
    })
    this.forget(leg)
    legs.report(
      leg,
      "leg.hangup",
      { ...how, duration_ms: answered_at === undefined ? 0 : Math.max(0, at - answered_at) },
      at
    )
    legs.close(leg)
    for (const peer of leg.peers) {
      peer.peers.delete(leg)
      if (peer.peers.size === 0) peer.bridge = undefined
      if (legs.live.has(peer.id)) legs.report(peer, "leg.unbridged", { peer_leg_id: leg.id }, at)
    }
  }

  private forget(leg: Leg): void {
    const { machines, media, recorders, ringback } = this.options
    for (const part of [machines, media, recorders, ringback]) part.end(leg)
  }

  /** After each connection, and after what was told on it. */
  reconcile(takenIn: Effect.Effect<void>): Effect.Effect<void, AriAway> {
    return this.reattach.reconcile(takenIn)
  }

  /** The connection has ended. */
  disconnected(): void {
    this.reattach.disconnected()
  }
}
