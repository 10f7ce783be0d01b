// The mixing bridges that connect legs. Asterisk keeps a bridge until it is deleted, even if no channel is in it.
import { Effect, Schedule, Schema } from "effect"
import type { AriAway } from "../ari/Ari.ts"
import type { LegContext } from "./LegContext.ts"
import { type Leg, sessionOf } from "./Legs.ts"
import type { SessionId } from "../../../../domain/BrandedIds.ts"

const AsteriskBridges = Schema.Array(
  Schema.Struct({ id: Schema.String, name: Schema.optionalKey(Schema.String), channels: Schema.Array(Schema.String) })
)
const isList = Schema.is(AsteriskBridges)

/** How often the deletion of a bridge is tried again. Whatever is left then is deleted after the next connection. */
const retries = { schedule: Schedule.spaced("2 seconds"), times: 10 }
const leastUse = 2
const prefix = "bridge-"
/** The names of bridges of media streams begin with this (Streams.ts). */
export const streamPrefix = "stream-"

export class Bridges {
  private readonly options: LegContext
  /** The legs by the id of their bridge. */
  private readonly members = new Map<string, Set<Leg>>()
  /** The bridges of media streams. */
  readonly ofStreams = new Set<string>()
  /** How many bridges were made for a leg. */
  private readonly made = new WeakMap<Leg, number>()

  constructor(options: LegContext) {
    this.options = options
  }

  /**
   * Connects the audio of two legs. A leg that is in a bridge already brings the other into it, so that several legs
   * hear each other. Reports `leg.bridged` for both, or `leg.unbridged` with `peer_absent`.
   */
  connect(leg: Leg, peer_session_id: SessionId): Effect.Effect<void, AriAway> {
    const { ari, legs } = this.options
    const peer = legs.live.get(peer_session_id)
    const reportFailure = Effect.sync(() =>
      legs.report(leg, "leg.unbridged", { peer_leg_id: peer_session_id, error: "peer_absent" })
    )
    if (peer === undefined || peer === leg || peer.answered_at === undefined || leg.answered_at === undefined)
      return reportFailure
    const bridge_id = leg.bridge ?? peer.bridge ?? this.newId(leg)
    const members = this.members.get(bridge_id) ?? new Set()
    this.members.set(bridge_id, members)
    const join = Effect.gen({ self: this }, function* () {
      if (leg.bridge === undefined && peer.bridge === undefined) yield* this.create(bridge_id, "mixing,dtmf_events")
      const channel = [leg, peer].filter(({ bridge }) => bridge === undefined).map(({ channel }) => channel)
      const added =
        channel.length === 0
          ? { status: 204 }
          : yield* ari.request("POST", `/bridges/${bridge_id}/addChannel`, {}, { channel })
      if (added.status >= 300) return yield* reportFailure
      for (const [one, other] of [
        [leg, peer],
        [peer, leg]
      ] as const) {
        one.bridge = bridge_id
        one.peers.add(other)
        members.add(one)
        legs.report(one, "leg.bridged", { peer_leg_id: other.id })
      }
    })
    return Effect.ensuring(
      join,
      Effect.sync(() => this.tidy(bridge_id, members))
    )
  }

  /** The channels that are to be added follow. */
  create(bridge_id: string, type: string): Effect.Effect<void, AriAway> {
    const { app, ari } = this.options
    return Effect.asVoid(ari.request("POST", `/bridges/${bridge_id}`, { type, name: app }))
  }

  delete(bridge_id: string): Effect.Effect<void> {
    return Effect.ignore(Effect.retry(this.options.ari.request("DELETE", `/bridges/${bridge_id}`), retries))
  }

  /** The leg has ended. A bridge in which no leg has a peer any more is deleted. */
  end(leg: Leg): void {
    const { bridge } = leg
    const members = bridge === undefined ? undefined : this.members.get(bridge)
    if (bridge === undefined || members === undefined) return
    members.delete(leg)
    for (const member of members) if ([...member.peers].every((peer) => peer === leg)) members.delete(member)
    this.tidy(bridge, members)
  }

  /**
   * After each connection: takes over the bridges of an engine before this one, and deletes those of its streams and
   * the empty ones that it, or a broken connection, has left.
   */
  get reconcile(): Effect.Effect<void, AriAway> {
    const { app, ari } = this.options
    return Effect.flatMap(ari.request("GET", "/bridges"), ({ body }) => {
      const left = isList(body) ? body.filter(({ id, name }) => name === app && !this.members.has(id)) : []
      for (const { channels, id } of left) if (id.startsWith(prefix)) this.takeOver(id, channels)
      // The audio of a stream ends with the engine that relayed it.
      const isOrphan = (id: string) => id.startsWith(streamPrefix) && !this.ofStreams.has(id)
      const unused = left.filter(({ channels, id }) => channels.length === 0 || isOrphan(id))
      return Effect.forEach(unused, ({ id }) => this.delete(id), { discard: true })
    })
  }

  private takeOver(bridge_id: string, channels: ReadonlyArray<string>): void {
    const { legs } = this.options
    const members = new Set(channels.flatMap((channel) => legs.live.get(sessionOf(channel)) ?? []))
    if (members.size < leastUse) return
    this.members.set(bridge_id, members)
    for (const leg of members) {
      leg.bridge = bridge_id
      for (const peer of members) if (peer !== leg) leg.peers.add(peer)
    }
  }

  private newId(leg: Leg): string {
    const made = (this.made.get(leg) ?? 0) + 1
    this.made.set(leg, made)
    return made === 1 ? `${prefix}${leg.id}` : `${prefix}${leg.id}-${made}`
  }

  private tidy(bridge_id: string, members: ReadonlySet<Leg>): void {
    if (members.size >= leastUse) return
    this.members.delete(bridge_id)
    this.options.run(this.delete(bridge_id))
  }
}
