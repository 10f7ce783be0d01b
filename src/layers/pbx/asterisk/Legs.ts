// The legs of an Asterisk, and what is reported of them. A leg is a channel; one that the engine asked for bears the
// session's own id, one that came in is the session that its id names. While several devices ring it is several channels.
import type { Timer } from "../../../actors/runtime/TimerHeap.ts"
import type { PbxAction } from "../../../domain/pbx/PbxCommand.ts"
import type { PbxEvent, PbxEventData, PbxEventType } from "../../../domain/pbx/PbxEvent.ts"
import { lastSeq } from "../../../domain/pbx/Session.ts"
import { type Branch, branchOn } from "./Branches.ts"

export type ActionOf<Kind extends PbxAction["kind"]> = Extract<PbxAction, { readonly kind: Kind }>

/** Keys that are being waited for. */
export interface Entry {
  readonly command_id: string
  readonly wish: ActionOf<"gather">
  digits: string
  timer: Timer | undefined
}

/** What is under way on a channel, and for whom. `after` stands in for telling the engine. */
export interface Playback {
  readonly command_id: string
  readonly of_entry: boolean
  cut: boolean
  readonly after?: (error: string | undefined) => void
}

/** The session of a channel: its own id, or one made of Asterisk's (`1795341600.12`), which is not used twice. */
export const sessionOf = (channel_id: string): string =>
  channel_id.startsWith("HD_")
    ? channel_id.split("~", 1)[0]!
    : `HD_${channel_id.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(-64)}`

export interface Leg {
  /** Of the session. */
  readonly id: string
  /** Asterisk's name of it; while several devices ring, of the first. */
  channel: string
  readonly branches: Map<string, Branch>
  readonly tenant_pbx_id: string
  readonly direction: "outbound" | "inbound"
  /** The commands carried out, so that none is carried out twice. */
  readonly carried_out: Set<string>
  /** Commands by the playbacks that carry them out; those that were cut short among them. */
  readonly playbacks: Map<string, Playback>
  /** Whom it is connected with. */
  readonly peers: Set<Leg>
  seq: number
  bridge: string | undefined
  entry: Entry | undefined
  rang: boolean
  answered_at: number | undefined
  /** How long it may talk, and when that is over, once it is answered. */
  talk_limit_seconds: number | undefined
  limit_at: number | undefined
  /** Whether the engine asked for its end. */
  asked: boolean
  /** The SIP code that the engine refuses it with. */
  refused: number | undefined
}

/** What is kept of ended sessions, so that an originate that comes again rings nobody. */
const ended_max = 20_000

export class Legs {
  readonly live = new Map<string, Leg>()
  private readonly ended = new Set<string>()
  private readonly options: {
    readonly now: () => number
    readonly uuid: () => string
    readonly report: (event: PbxEvent) => void
  }

  constructor(options: Legs["options"]) {
    this.options = options
  }

  open(channel: string, tenant_pbx_id: string, direction: Leg["direction"], seq = 0): Leg {
    const id = sessionOf(channel)
    const leg: Leg = {
      id,
      channel,
      branches: new Map([[channel, branchOn(channel)]]),
      tenant_pbx_id,
      direction,
      carried_out: new Set(),
      playbacks: new Map(),
      peers: new Set(),
      seq,
      bridge: undefined,
      entry: undefined,
      rang: false,
      answered_at: undefined,
      talk_limit_seconds: undefined,
      limit_at: undefined,
      asked: false,
      refused: undefined
    }
    this.live.set(id, leg)
    return leg
  }

  close(leg: Leg): void {
    this.live.delete(leg.id)
    this.ended.add(leg.id)
    if (this.ended.size > ended_max)
      for (const oldest of this.ended) {
        this.ended.delete(oldest)
        break
      }
  }

  hasEnded(id: string): boolean {
    return this.ended.has(id)
  }

  report(
    leg: Leg,
    type: PbxEventType,
    data: PbxEventData = {},
    at = this.options.now(),
    parties: Partial<PbxEvent> = {}
  ): void {
    this.options.report(
      this.event(leg.tenant_pbx_id, type, ++leg.seq, data, at, { session_id: leg.id, leg_id: leg.id, ...parties })
    )
  }

  /** The engine asks for a session that is not here. */
  reportAbsent(tenant_pbx_id: string, session_id: string): void {
    this.options.report(
      this.event(tenant_pbx_id, "session.snapshot", lastSeq, { state: "absent" }, this.options.now(), { session_id })
    )
  }

  /** Of the tenant as a whole. */
  reportForTenant(tenant_pbx_id: string, type: PbxEventType, data: PbxEventData, at: number): void {
    this.options.report(this.event(tenant_pbx_id, type, 1, data, at, {}))
  }

  private beats = 0

  /** Names the live sessions of each tenant. */
  beat(): void {
    for (const [tenant_pbx_id, legs] of Map.groupBy(this.live.values(), (leg) => leg.tenant_pbx_id)) {
      const live_sessions = legs.map(({ id }) => id)
      this.options.report(
        this.event(tenant_pbx_id, "heartbeat", ++this.beats, { live_sessions }, this.options.now(), {})
      )
    }
  }

  private event(
    tenant_pbx_id: string,
    type: PbxEventType,
    seq: number,
    data: PbxEventData,
    at: number,
    more: Partial<PbxEvent>
  ): PbxEvent {
    return {
      event_id: this.options.uuid(),
      tenant_pbx_id,
      type,
      seq,
      occurred_at: new Date(at).toISOString(),
      data,
      ...more
    }
  }
}
