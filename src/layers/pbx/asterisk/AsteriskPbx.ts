// Commands of the engine into requests to Asterisk, and its events into events of the PBX protocol. A leg is a channel that
// bears the session's id, so that what is asked twice is done once, and that a new engine finds its channels again.
import { Effect, Result, Schema } from "effect"
import type { ServiceUnavailable } from "../../../domain/errors/GeneralErrors.ts"
import type { PbxCommand } from "../../../domain/pbx/PbxCommand.ts"
import type { Ari, AriAway } from "./Ari.ts"
import { type AriChannel, AriChannels, type AriEvent, instantOf } from "./AriEvent.ts"
import { endingOf, reasonOf, reasonOfSip } from "./Endings.ts"
import { type ActionOf, type Leg, type Legs, sessionOf } from "./Legs.ts"
import type { Media } from "./Media.ts"
import type { Recorders } from "./Recorders.ts"
import type { Registry } from "./Registry.ts"

export interface AsteriskPbxOptions {
  readonly ari: Ari
  readonly app: string
  readonly legs: Legs
  readonly media: Media
  readonly recorders: Recorders
  readonly registry: Registry
  readonly now: () => number
  readonly run: (effect: Effect.Effect<void>) => void
  /** The endpoint that carries calls to numbers. */
  readonly carrier: string
  /** Whose the number is, by the tenant's name here; undefined where it is nobody's. */
  readonly tenantOf: (number: string) => Effect.Effect<string | undefined, ServiceUnavailable>
}

/** Talk ends by Asterisk's own clock soon after the longest time that the engine may allow, should the engine be gone. */
const absolute_seconds = 14_400 + 60
/**
 * Where the count of a leg's events goes on that an engine before this one has counted: beyond whatever it may have come
 * to, which is less than an event in each millisecond.
 */
const countFrom = ({ creationtime }: AriChannel, now: number): number =>
  1_000 + Math.max(0, creationtime === undefined ? 0 : now - instantOf(creationtime))

/** What a channel carries of itself, for an engine that comes after this one. */
const keptIn = (tenant_pbx_id: string) => ({
  TRUNKLINE_TENANT: tenant_pbx_id, "TIMEOUT(absolute)": String(absolute_seconds)
})

/** A trunk reaches the numbers of its own tenant alone. */
const mayCall = ({ accountcode }: AriChannel, tenant_pbx_id: string): boolean => !accountcode || accountcode === tenant_pbx_id

const headersOf = ({ sip_headers = {} }: ActionOf<"originate">) =>
  Object.fromEntries(Object.entries(sip_headers).map(([name, value]) => [`PJSIP_HEADER(add,${name})`, value]))

const decodeChannels = Schema.decodeUnknownResult(AriChannels)

/** The devices of a user, a number at the carrier, or a SIP URI as it stands, by the carrier's ways. */
export const endpointOf = ({ endpoint, to }: Pick<ActionOf<"originate">, "endpoint" | "to">, carrier: string): string => {
  if (endpoint !== undefined) return `PJSIP/${endpoint}`
  return /^sips?:/i.test(to) ? `PJSIP/${carrier}/${to}` : `PJSIP/${to}@${carrier}`
}

/** What a name shown beside the number must not hold, or it would end early. */
const callerIdOf = ({ caller_id, caller_name }: ActionOf<"originate">): string =>
  caller_name === undefined ? caller_id : `"${caller_name.replaceAll(/["\\<>\r\n]/g, " ")}" <${caller_id}>`

export class AsteriskPbx {
  private readonly options: AsteriskPbxOptions

  constructor(options: AsteriskPbxOptions) {
    this.options = options
  }

  /** Carries a command out, once however often it is told. Fails where Asterisk cannot be asked: it will be told again. */
  carryOut(command: PbxCommand): Effect.Effect<void, AriAway> {
    const { action, session_id, tenant_pbx_id } = command
    const { legs } = this.options
    return Effect.suspend(() => {
      const leg = legs.live.get(session_id)
      if (leg === undefined) {
        if (action.kind !== "originate") return Effect.sync(() => legs.tellAbsent(tenant_pbx_id, session_id))
        return legs.hasEnded(session_id) ? Effect.void : this.originate(command, action)
      }
      if (leg.carried_out.has(command.id)) return Effect.void
      leg.carried_out.add(command.id)
      return Effect.onError(this.perform(leg, command), () => Effect.sync(() => leg.carried_out.delete(command.id)))
    })
  }

  private perform(leg: Leg, { action, id }: PbxCommand): Effect.Effect<void, AriAway> {
    const { ari, legs, media, recorders } = this.options
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
      case "bridge":
        return this.bridge(leg, action.peer_session_id)
      case "record.start":
        return Effect.sync(() => recorders.start(leg, id, action))
      case "record.stop":
        return Effect.sync(() => recorders.stop(leg, action.recording_id))
      case "answer":
        return Effect.asVoid(ari.request("POST", `${channel}/answer`))
      case "reject":
        return this.reject(leg, id, action)
      case "hangup":
        leg.asked = true
        return Effect.asVoid(ari.request("DELETE", channel, { reason: reasonOf(action.cause) }))
      case "snapshot":
        return Effect.sync(() => legs.tell(leg, "session.snapshot", { state: leg.answered_at === undefined ? "ringing" : "answered" }))
    }
  }

  /** Commands come again until they are acknowledged, so a channel that is there already is the one that was asked for. */
  private originate(command: PbxCommand, action: ActionOf<"originate">): Effect.Effect<void, AriAway> {
    const { ari, app, carrier, legs, registry } = this.options
    const { id, session_id, tenant_pbx_id } = command
    const { caller_id, send_digits, timeout_seconds, to } = action
    return Effect.suspend(() => {
      const leg = legs.open(session_id, tenant_pbx_id, "outbound")
      leg.carried_out.add(id)
      legs.tell(leg, "session.created", {}, undefined, { direction: "outbound", from: caller_id, to })
      const request = ari.request("POST", "/channels", {}, {
        endpoint: endpointOf(action, registry.trunks.of(tenant_pbx_id) ?? carrier),
        app,
        appArgs: "out",
        channelId: session_id,
        timeout: timeout_seconds,
        callerId: callerIdOf(action),
        variables: { ...keptIn(tenant_pbx_id), ...headersOf(action) }
      })
      return Effect.matchEffect(request, {
        onFailure: (error) =>
          Effect.suspend(() => {
            this.end(leg, { cause: 38, tech_cause: 503 })
            return Effect.logWarning("Asterisk cannot be asked for a call", error.cause)
          }),
        onSuccess: ({ status }) =>
          Effect.sync(() => {
            // 409: it is there already. Anything else: nobody is registered there, or there is no such endpoint.
            if (status >= 300 && status !== 409) this.end(leg, { cause: 20, tech_cause: 480 })
            else if (send_digits !== undefined) leg.playbacks.set(`digits:${send_digits}`, { command_id: `${id}:digits`, of_entry: true, cut: false })
          })
      })
    })
  }

  /** Whoever calls is told the reason; first, where there is an announcement, by voice. */
  private reject(leg: Leg, command_id: string, { announcement, sip_code }: ActionOf<"reject">): Effect.Effect<void, AriAway> {
    const { ari, legs, media } = this.options
    const refuse = Effect.suspend(() => {
      if (!legs.live.has(leg.id)) return Effect.void
      leg.asked = true
      leg.refused = sip_code
      return Effect.asVoid(ari.request("DELETE", `/channels/${leg.channel}`, { reason: reasonOfSip(sip_code) }))
    })
    if (announcement === undefined) return refuse
    return Effect.sync(() => media.announce(leg, command_id, announcement, () => this.options.run(Effect.ignore(refuse))))
  }

  private bridge(leg: Leg, peer_session_id: string): Effect.Effect<void, AriAway> {
    const { ari, legs } = this.options
    const peer = legs.live.get(peer_session_id)
    const cannot = Effect.sync(() => legs.tell(leg, "leg.unbridged", { peer_leg_id: peer_session_id, error: "peer_absent" }))
    if (peer === undefined || peer === leg || peer.answered_at === undefined || leg.answered_at === undefined) return cannot
    const bridge_id = leg.bridge ?? peer.bridge ?? `bridge-${leg.id}`
    return Effect.gen({ self: this }, function*() {
      if (leg.bridge === undefined && peer.bridge === undefined) {
        yield* ari.request("POST", `/bridges/${bridge_id}`, { type: "mixing,dtmf_events" })
      }
      const channel = [leg, peer].filter(({ bridge }) => bridge === undefined).map(({ channel }) => channel)
      const added = channel.length === 0 ? { status: 204 } : yield* ari.request("POST", `/bridges/${bridge_id}/addChannel`, {}, { channel })
      if (added.status >= 300) return yield* cannot
      for (const [one, other] of [[leg, peer], [peer, leg]] as const) {
        one.bridge = bridge_id
        one.peers.add(other)
        legs.tell(one, "leg.bridged", { peer_leg_id: other.id })
      }
    })
  }

  // ---- what Asterisk tells

  told(event: AriEvent): Effect.Effect<void> {
    const { legs, media, recorders, registry } = this.options
    switch (event.type) {
      case "ContactStatusChange":
        return Effect.sync(() => registry.told(event, instantOf(event.timestamp)))
      case "PlaybackFinished":
        return Effect.sync(() => media.finished(event.playback.id, event.playback.state))
      case "RecordingFinished":
      case "RecordingFailed":
        return Effect.sync(() => recorders.finished(event.recording.name, event.type === "RecordingFailed"))
    }
    const channel = event.type === "Dial" ? event.peer : event.channel
    const leg = legs.live.get(sessionOf(channel.id))
    if (leg === undefined) return event.type === "StasisStart" && event.args[0] === "inbound" ? this.comesIn(event) : Effect.void
    const at = instantOf(event.timestamp)
    return Effect.sync(() => this.ofLeg(leg, event, at))
  }

  /** It rings until the engine has it answered or refused; a number of nobody here does not. */
  private comesIn({ args, channel, timestamp }: Extract<AriEvent, { type: "StasisStart" }>): Effect.Effect<void> {
    const { ari, legs, run, tenantOf } = this.options
    const path = `/channels/${channel.id}`
    const to = args[2] ?? ""
    const device = args[1] === "user" ? args[3] : undefined
    const refuse = (reason: string) => Effect.ignore(ari.request("DELETE", path, { reason }))
    return Effect.matchEffect(device === undefined ? tenantOf(to) : Effect.succeed(channel.accountcode || undefined), {
      onFailure: () => refuse("congestion"),
      onSuccess: (tenant_pbx_id) => {
        if (tenant_pbx_id === undefined || !mayCall(channel, tenant_pbx_id)) return refuse("unallocated")
        const leg = legs.open(channel.id, tenant_pbx_id, "inbound")
        const from = device ?? (channel.caller?.number || "anonymous")
        legs.tell(leg, "session.created", {}, instantOf(timestamp), { direction: device === undefined ? "inbound" : "outbound", from, to })
        const kept = Effect.forEach(Object.entries(keptIn(tenant_pbx_id)), ([variable, value]) =>
          ari.request("POST", `${path}/variable`, { variable, value }), { discard: true })
        return Effect.sync(() => run(Effect.ignore(Effect.andThen(ari.request("POST", `${path}/ring`), kept))))
      }
    })
  }

  private ofLeg(leg: Leg, event: AriEvent, at: number): void {
    switch (event.type) {
      case "Dial":
        if (event.dialstatus === "PROGRESS") return this.rings(leg, at, "leg.early_media", 183)
        return event.dialstatus === "RINGING" ? this.rings(leg, at) : undefined
      case "ChannelStateChange":
        if (event.channel.state === "Ringing") return this.rings(leg, at)
        return event.channel.state === "Up" ? this.answered(leg, at) : undefined
      case "StasisStart":
        return event.channel.state === "Up" ? this.answered(leg, at) : undefined
      case "ChannelDtmfReceived":
        this.options.legs.tell(leg, "dtmf", { digit: event.digit, duration_ms: event.duration_ms }, at)
        this.options.recorders.pressed(leg, event.digit)
        return this.options.media.pressed(leg, event.digit)
      case "ChannelHangupRequest":
        leg.remote ||= event.soft !== true
        return
      case "StasisEnd":
        return leg.direction === "inbound" ? this.end(leg, { cause: 0 }, at) : undefined
      case "ChannelDestroyed":
        return this.end(leg, event, at)
    }
  }

  /** Two events say it, in either order. */
  private rings(leg: Leg, at: number, type: "leg.ringing" | "leg.early_media" = "leg.ringing", sip_code = 180): void {
    if (leg.rang || leg.answered_at !== undefined) return
    leg.rang = true
    this.options.legs.tell(leg, type, { sip_code }, at)
  }

  private answered(leg: Leg, at: number): void {
    if (leg.answered_at !== undefined) return
    leg.answered_at = at
    this.options.legs.tell(leg, "leg.answered", { sip_code: 200 }, at)
    this.options.recorders.answered(leg)
    for (const key of leg.playbacks.keys()) {
      if (!key.startsWith("digits:")) continue
      leg.playbacks.delete(key)
      this.options.media.sendDigits(leg, key, key.slice("digits:".length))
    }
  }

  private end(leg: Leg, { cause, tech_cause }: { readonly cause: number; readonly tech_cause?: number }, at = this.options.now()): void {
    const { legs, media, recorders } = this.options
    if (legs.live.get(leg.id) !== leg) return
    const { answered_at, asked, direction, rang, refused, remote } = leg
    const how = endingOf({ direction, answered: answered_at !== undefined, rang, asked, remote, refused, cause, tech_cause })
    media.end(leg)
    recorders.end(leg)
    legs.tell(leg, "leg.hangup", { ...how, duration_ms: answered_at === undefined ? 0 : Math.max(0, at - answered_at) }, at)
    legs.close(leg)
    for (const peer of leg.peers) {
      peer.peers.delete(leg)
      if (peer.peers.size === 0) peer.bridge = undefined
      if (legs.live.has(peer.id)) legs.tell(peer, "leg.unbridged", { peer_leg_id: leg.id }, at)
    }
  }

  /**
   * After each connection: what ended meanwhile is told as lost, and channels that are here from an engine before this one
   * are taken over. Their count of events was lost with it, so they go on beyond it, from a snapshot.
   */
  get reconcile(): Effect.Effect<void, AriAway> {
    const { ari, legs, media, recorders } = this.options
    return Effect.gen({ self: this }, function*() {
      const { body } = yield* ari.request("GET", "/channels")
      const channels = decodeChannels(body)
      if (Result.isFailure(channels)) return
      const there = new Map(channels.success.map((channel) => [sessionOf(channel.id), channel]))
      for (const leg of legs.live.values()) {
        if (there.has(leg.id)) continue
        media.end(leg)
        recorders.end(leg)
        legs.tellAbsent(leg.tenant_pbx_id, leg.id)
        legs.close(leg)
      }
      for (const channel of there.values()) {
        const known = legs.live.get(sessionOf(channel.id))
        if (known === undefined) this.takeOver(channel)
        else if (channel.state === "Up") this.answered(known, this.options.now())
      }
    })
  }

  private takeOver(channel: AriChannel): void {
    const { legs, now } = this.options
    const tenant = channel.channelvars?.["TRUNKLINE_TENANT"]
    if (!tenant || legs.hasEnded(sessionOf(channel.id))) return
    const leg = legs.open(channel.id, tenant, channel.id.startsWith("HD_") ? "outbound" : "inbound", countFrom(channel, now()))
    leg.rang = true
    if (channel.state === "Up") leg.answered_at = now()
    legs.tell(leg, "session.snapshot", { state: channel.state === "Up" ? "answered" : "ringing" })
  }
}
