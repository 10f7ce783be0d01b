// Brings the legs up to date with Asterisk after a time without a connection: legs of this engine, and channels that an
// engine before it has left.
import { Effect, Result, Schedule, Schema } from "effect"
import { AriAway } from "../ari/Ari.ts"
import { type AriChannel, AriChannels, type AriChannelEvent, instantOf } from "../ari/AriEvent.ts"
import { newBranch } from "../legs/Branches.ts"
import type { LegContext } from "../legs/LegContext.ts"
import { type Leg, sessionOf } from "../legs/Legs.ts"
import type { LegEvents } from "./LegEvents.ts"
import { tenantVariable } from "../legs/Originate.ts"
import type { SessionId } from "../../../../domain/BrandedIds.ts"
import { isUnheard, type RingTimers } from "../legs/RingTimers.ts"

export interface ReattachChannelsOptions extends LegContext {
  readonly events: LegEvents
  readonly ring_timers: RingTimers
}

interface ReceivedEvent {
  readonly channel: AriChannel
  readonly event: AriChannelEvent
}

/** A channel and its state before any event that was received about it. */
interface InitialChannel {
  readonly channel: AriChannel
  readonly state: string
}

/**
 * Events about the progress of a channel. Before such an event, the channel was not in the state that the event shows.
 */
const progress: ReadonlySet<AriChannelEvent["type"]> = new Set<AriChannelEvent["type"]>([
  "ChannelStateChange",
  "Dial",
  "StasisStart"
])
/** Asterisk reports the end of a channel a little after the channel has left its list. */
const endReportDelay = "500 millis"
const retrySchedule = Schedule.spaced("2 seconds")
const notFound = 404
const concurrency = 16

/** Channels that the engine makes have the session's id. */
const isOutbound = (channel_id: string): boolean => channel_id.startsWith("HD_")

const decodeChannels = Schema.decodeUnknownResult(AriChannels)

/**
 * Where to continue numbering the events of a leg whose previous engine has numbered some already: above any number
 * that it can have reached, assuming less than one event in each millisecond of the channel's life.
 */
const nextSeq = ({ creationtime }: AriChannel, now: number): number =>
  1_000 + Math.max(0, creationtime === undefined ? 0 : now - instantOf(creationtime))

/** Reconstructs the state that the channels had before the events. */
const initialChannels = (
  present: ReadonlyArray<AriChannel>,
  events: ReadonlyArray<ReceivedEvent>
): ReadonlyArray<InitialChannel> => {
  const initial = new Map(present.map((channel) => [channel.id, { channel, state: channel.state }]))
  for (const { channel, event } of [...events].reverse())
    initial.set(channel.id, { channel, state: progress.has(event.type) ? "Down" : channel.state })
  return [...initial.values()]
}

export class ReattachChannels {
  private readonly options: ReattachChannelsOptions
  /**
   * Events since the connection began about sessions that are unknown here: they belong to an engine before this one.
   */
  private orphans = new Map<SessionId, Array<ReceivedEvent>>()
  /** Whether the channels have been listed since the connection began. */
  private reconciled = false

  constructor(options: ReattachChannelsOptions) {
    this.options = options
  }

  /** The connection has ended. On the next one, Asterisk may report what happened meanwhile. */
  disconnected(): void {
    this.reconciled = false
  }

  /** Handles an event of a channel that is unknown here. */
  handle(channel: AriChannel, event: AriChannelEvent): void {
    const { legs } = this.options
    const session = sessionOf(channel.id)
    if (legs.live.has(session)) return
    if (legs.hasEnded(session)) return progress.has(event.type) ? this.hangUp(channel) : undefined
    if (!channel.channelvars?.[tenantVariable]) return
    if (this.reconciled) return this.takeOver([], [{ channel, event }])
    const orphans = this.orphans.get(session)
    if (orphans === undefined) this.orphans.set(session, [{ channel, event }])
    else orphans.push({ channel, event })
  }

  /**
   * After each connection, and after the events that came with it: takes over the channels of an engine before this
   * one, applies what happened to them meanwhile, and reports legs whose end was not reported as lost.
   */
  reconcile(eventsHandled: Effect.Effect<void>): Effect.Effect<void, AriAway> {
    const { ari, legs, run } = this.options
    return Effect.gen({ self: this }, function* () {
      const before = [...legs.live.values()]
      const { body } = yield* ari.request("GET", "/channels")
      const channels = decodeChannels(body)
      if (Result.isFailure(channels)) return
      yield* eventsHandled
      const existing = Map.groupBy(channels.success, ({ id }) => sessionOf(id))
      const unheard = yield* this.unheardIn(channels.success)
      const { orphans } = this
      this.orphans = new Map<SessionId, Array<ReceivedEvent>>()
      this.reconciled = true
      for (const session of new Set([...existing.keys(), ...orphans.keys()])) {
        const present = existing.get(session) ?? []
        const leg = legs.live.get(session)
        if (leg !== undefined) this.compare(leg, present)
        else if (legs.hasEnded(session)) for (const channel of present) this.hangUp(channel)
        else if (present.some(({ id }) => unheard.has(id)))
          this.giveUp(session, present, orphans.get(session) ?? [], unheard)
        else this.takeOver(present, orphans.get(session) ?? [])
      }
      for (const leg of before)
        if (!existing.has(leg.id)) run(Effect.ignore(Effect.retry(this.reportIfLost(leg), retrySchedule)))
    })
  }

  /** The ids of channels of an earlier engine that must be hung up: see `isUnheard`. */
  private unheardIn(channels: ReadonlyArray<AriChannel>): Effect.Effect<ReadonlySet<string>, AriAway> {
    const { legs, now, ring_timers } = this.options
    const isUnknown = ({ channelvars, id }: AriChannel) =>
      isOutbound(id) &&
      !!channelvars?.[tenantVariable] &&
      !legs.live.has(sessionOf(id)) &&
      !legs.hasEnded(sessionOf(id))
    if (ring_timers.keepsEvents) return Effect.succeed(new Set())
    const unheard = Effect.filter(
      channels.filter(isUnknown),
      (channel) => Effect.map(ring_timers.remaining(channel.id), (rest = 0) => isUnheard(channel, rest, now())),
      { concurrency }
    )
    return Effect.map(unheard, (found) => new Set(found.map(({ id }) => id)))
  }

  /** Hangs up the `unheard` channels; all of the session's if one of them was answered, or if no other is left. */
  private giveUp(
    session: SessionId,
    present: ReadonlyArray<AriChannel>,
    events: ReadonlyArray<ReceivedEvent>,
    unheard: ReadonlySet<string>
  ): void {
    const { legs } = this.options
    const isLost = ({ id }: AriChannel) => unheard.has(id)
    const others = present.filter((channel) => !isLost(channel))
    const isOver = others.length === 0 || present.some((channel) => isLost(channel) && channel.state === "Up")
    for (const channel of isOver ? present : present.filter(isLost)) this.hangUp(channel)
    if (!isOver) {
      const about = events.filter(({ channel }) => !isLost(channel))
      return this.takeOver(others, about)
    }
    const tenant = present[0]?.channelvars?.[tenantVariable]
    if (!tenant) return
    legs.reportAbsent(tenant, session)
    legs.close(legs.open(session, tenant, "outbound"))
  }

  /** Ends a leg that was answered while no engine was connected. The event of an answer may come after the list. */
  private endIfUnheard(leg: Leg): Effect.Effect<void, AriAway> {
    const { ari, events, legs } = this.options
    return Effect.gen(function* () {
      yield* Effect.sleep(endReportDelay)
      if (!legs.isLive(leg) || leg.answered_at !== undefined) return
      const channels = [...leg.branches.keys()]
      events.forget(leg)
      legs.reportAbsent(leg.tenant_pbx_id, leg.id)
      legs.close(leg)
      yield* Effect.forEach(channels, (id) => ari.request("DELETE", `/channels/${id}`), { discard: true })
    })
  }

  /** Waits until Asterisk has had time to report the end of the leg. */
  private reportIfLost(leg: Leg): Effect.Effect<void, AriAway> {
    const { ari, events, legs } = this.options
    return Effect.gen(function* () {
      yield* Effect.sleep(endReportDelay)
      if (!legs.isLive(leg)) return
      if ([...leg.branches.values()].some(({ creating }) => creating))
        return yield* new AriAway({ cause: "a channel is being created" })
      for (const channel of leg.branches.keys()) {
        const { status } = yield* ari.request("GET", `/channels/${channel}`)
        if (status !== notFound) return
      }
      if (!legs.isLive(leg)) return
      events.forget(leg)
      legs.reportAbsent(leg.tenant_pbx_id, leg.id)
      legs.close(leg)
    })
  }

  /** Hangs up a channel that belongs to no leg. */
  private hangUp({ id }: AriChannel, reason?: string): void {
    this.options.run(Effect.ignore(this.options.ari.request("DELETE", `/channels/${id}`, { reason })))
  }

  /** Applies what was missed: an answer, or the end of channels. */
  private compare(leg: Leg, channels: ReadonlyArray<AriChannel>): void {
    const { events, now, ring_timers, run } = this.options
    for (const { id, state } of channels) {
      const branch = leg.branches.get(id)
      // The instant of an answer that is being confirmed is known.
      const isKnown = leg.answered_at !== undefined || branch?.up_at !== undefined
      if (branch === undefined || state !== "Up" || isKnown) continue
      if (ring_timers.keepsEvents || leg.direction === "inbound") events.answered(leg, branch, now())
      else run(Effect.ignore(this.endIfUnheard(leg)))
    }
    const existing = new Set(channels.map(({ id }) => id))
    for (const branch of leg.branches.values()) {
      if (!existing.has(branch.channel) && !branch.creating && branch.end === undefined)
        events.channelEnded(leg, branch, { cause: 0 })
    }
  }

  /**
   * Takes over a session of the engine before this one, from its present channels and the events about it: first in the
   * state before the events, then event by event. A snapshot tells the engine that the numbering of events has jumped.
   */
  private takeOver(present: ReadonlyArray<AriChannel>, events: ReadonlyArray<ReceivedEvent>): void {
    const { legs, now, ring_timers, run } = this.options
    const initial = initialChannels(present, events)
    const answered = initial.find(({ state }) => state === "Up")
    const main = answered ?? initial[0]
    const tenant = main?.channel.channelvars?.[tenantVariable]
    if (main === undefined || !tenant) return
    const { channel, state } = main
    const at = events[0] === undefined ? now() : instantOf(events[0].event.timestamp)
    const direction = isOutbound(channel.id) ? "outbound" : "inbound"
    const leg = legs.open(channel.id, tenant, direction, nextSeq(channel, now()))
    for (const { channel, state } of answered === undefined ? initial : [answered])
      leg.branches.set(channel.id, { ...newBranch(channel.id), dialled: true, rang: state !== "Down" })
    if (answered !== undefined)
      for (const other of present) if (other.id !== channel.id) this.hangUp(other, "answered_elsewhere")
    leg.channel = channel.id
    leg.rang = state !== "Down"
    if (state === "Up") leg.answered_at = at
    legs.report(leg, "session.snapshot", { state: state === "Up" ? "answered" : "ringing" }, at)
    for (const { channel, event } of events) {
      const branch = leg.branches.get(channel.id)
      if (branch !== undefined && legs.isLive(leg))
        this.options.events.handle(leg, branch, event, instantOf(event.timestamp))
    }
    if (legs.isLive(leg) && present.length > 0) this.compare(leg, present)
    if (state !== "Up" && direction === "outbound") run(ring_timers.takenOver(leg))
  }
}
