// What is made of an Asterisk that was not heard for a while: by this engine, or by one before it that left its channels.
import { Effect, Result, Schedule, Schema } from "effect"
import { type Ari, AriAway } from "./Ari.ts"
import { type AriChannel, AriChannels, type AriEvent, instantOf } from "./AriEvent.ts"
import { type Branch, branchOn, type Over } from "./Branches.ts"
import { type Leg, type Legs, sessionOf } from "./Legs.ts"

export interface ReattachChannelsOptions {
  readonly ari: Ari
  readonly legs: Legs
  readonly now: () => number
  readonly run: (effect: Effect.Effect<void>) => void
  /** What the events of a leg, its answer and the end of one of its channels lead to. */
  readonly heard: (leg: Leg, branch: Branch, event: AriEvent) => void
  readonly answered: (leg: Leg, branch: Branch, at: number) => void
  readonly over: (leg: Leg, branch: Branch, how: Over) => void
  /** Ends what is under way on a leg. */
  readonly forget: (leg: Leg) => void
}

/** An event of a channel. */
interface Told {
  readonly channel: AriChannel
  readonly event: AriEvent
}

/** Events of a channel that tells of its progress: before it, the channel was not yet what the event shows. */
const progress: ReadonlySet<AriEvent["type"]> = new Set<AriEvent["type"]>(["ChannelStateChange", "Dial", "StasisStart"])
/** What has ended is told a little after it is gone from the list. */
const parting = "500 millis"
const look_again = Schedule.spaced("2 seconds")
const absent = 404

const decodeChannels = Schema.decodeUnknownResult(AriChannels)

/**
 * Where the count of a leg's events goes on that an engine before this one has counted: beyond whatever it may have come
 * to, which is less than an event in each millisecond.
 */
const countFrom = ({ creationtime }: AriChannel, now: number): number =>
  1_000 + Math.max(0, creationtime === undefined ? 0 : now - instantOf(creationtime))

export class ReattachChannels {
  private readonly options: ReattachChannelsOptions
  /** What was told, since the connection began, of sessions that are not known here: an engine before this one had them. */
  private orphans = new Map<string, Array<Told>>()
  /** Whether it is known what there is, so that nothing can be told of what is not known. */
  private settled = false

  constructor(options: ReattachChannelsOptions) {
    this.options = options
  }

  /** The connection has ended: on the next one, what happened meanwhile may be told. */
  disconnected(): void {
    this.settled = false
  }

  /** Of a channel that is not known here. */
  handle(channel: AriChannel, event: AriEvent): void {
    const { legs } = this.options
    const session = sessionOf(channel.id)
    if (legs.live.has(session)) return
    if (legs.hasEnded(session)) return progress.has(event.type) ? this.takeDown(channel) : undefined
    if (!channel.channelvars?.["TRUNKLINE_TENANT"]) return
    if (this.settled) return this.takeOver([], [{ channel, event }])
    const orphans = this.orphans.get(session)
    if (orphans === undefined) this.orphans.set(session, [{ channel, event }])
    else orphans.push({ channel, event })
  }

  /**
   * After each connection, and after what was told on it: what an engine before this one has left is taken over, with what
   * happened to it meanwhile; what ended without a word is told as lost.
   */
  reconcile(takenIn: Effect.Effect<void>): Effect.Effect<void, AriAway> {
    const { ari, legs, run } = this.options
    return Effect.gen({ self: this }, function* () {
      const before = [...legs.live.values()]
      const { body } = yield* ari.request("GET", "/channels")
      const channels = decodeChannels(body)
      if (Result.isFailure(channels)) return
      yield* takenIn
      const there = Map.groupBy(channels.success, ({ id }) => sessionOf(id))
      const { orphans } = this
      this.orphans = new Map()
      this.settled = true
      for (const session of new Set([...there.keys(), ...orphans.keys()])) {
        const present = there.get(session) ?? []
        const known = legs.live.get(session)
        if (known !== undefined) this.compare(known, present)
        else if (legs.hasEnded(session)) for (const channel of present) this.takeDown(channel)
        else this.takeOver(present, orphans.get(session) ?? [])
      }
      for (const leg of before) if (!there.has(leg.id)) run(Effect.ignore(Effect.retry(this.look(leg), look_again)))
    })
  }

  /** Once what may be told of its end has had its time. */
  private look(leg: Leg): Effect.Effect<void, AriAway> {
    const { ari, forget, legs } = this.options
    return Effect.gen(function* () {
      yield* Effect.sleep(parting)
      if (legs.live.get(leg.id) !== leg) return
      if ([...leg.branches.values()].some(({ placing }) => placing))
        return yield* new AriAway({ cause: "it is being set up" })
      for (const channel of leg.branches.keys()) {
        const { status } = yield* ari.request("GET", `/channels/${channel}`)
        if (status !== absent) return
      }
      if (legs.live.get(leg.id) !== leg) return
      forget(leg)
      legs.reportAbsent(leg.tenant_pbx_id, leg.id)
      legs.close(leg)
    })
  }

  /** Asterisk was not heard to set it up, and has: nobody wants it any more. */
  private takeDown({ id }: AriChannel, reason?: string): void {
    this.options.run(Effect.ignore(this.options.ari.request("DELETE", `/channels/${id}`, { reason })))
  }

  private compare(leg: Leg, channels: ReadonlyArray<AriChannel>): void {
    const { answered, now, over } = this.options
    for (const { id, state } of channels) {
      const branch = leg.branches.get(id)
      if (branch !== undefined && state === "Up") answered(leg, branch, now())
    }
    const there = new Set(channels.map(({ id }) => id))
    for (const branch of leg.branches.values()) {
      if (!there.has(branch.channel) && !branch.placing && branch.over === undefined) over(leg, branch, { cause: 0 })
    }
  }

  /**
   * The channels of a session that are there, and what was told of it: first as they were before that, then event by event.
   * The count of its events was lost with the engine before, so they go on beyond it, from a snapshot.
   */
  private takeOver(present: ReadonlyArray<AriChannel>, events: ReadonlyArray<Told>): void {
    const { heard, legs, now } = this.options
    const first = new Map<string, AriChannel & { readonly was?: string }>(
      present.map((channel) => [channel.id, channel])
    )
    for (const { channel, event } of [...events].reverse())
      first.set(channel.id, { ...channel, was: progress.has(event.type) ? "Down" : channel.state })
    const before = [...first.values()].map((channel) => ({ channel, was: channel.was ?? channel.state }))
    const up = before.find(({ was }) => was === "Up")
    const { channel, was } = up ?? before[0]!
    const tenant = channel.channelvars?.["TRUNKLINE_TENANT"]
    if (!tenant) return
    const at = events[0] === undefined ? now() : instantOf(events[0].event.timestamp)
    const leg = legs.open(
      channel.id,
      tenant,
      channel.id.startsWith("HD_") ? "outbound" : "inbound",
      countFrom(channel, now())
    )
    for (const {
      channel: { id },
      was
    } of up === undefined ? before : [up])
      leg.branches.set(id, { ...branchOn(id), rang: was !== "Down" })
    if (up !== undefined)
      for (const other of present) if (other.id !== channel.id) this.takeDown(other, "answered_elsewhere")
    leg.channel = channel.id
    leg.rang = was !== "Down"
    if (was === "Up") leg.answered_at = at
    legs.report(leg, "session.snapshot", { state: was === "Up" ? "answered" : "ringing" }, at)
    for (const { channel, event } of events) {
      const branch = leg.branches.get(channel.id)
      if (branch !== undefined && legs.live.get(leg.id) === leg) heard(leg, branch, event)
    }
    if (legs.live.get(leg.id) === leg && present.length > 0) this.compare(leg, present)
  }
}
