// The legs on an Asterisk and the events about them. A leg is one channel, or several while several devices ring. The
// channel of a leg that the engine originates has the session's id; an inbound session is named after its channel.
import type { Timer } from "../../../../actors/runtime/TimerHeap.ts"
import type { ActionOf } from "../../../../domain/pbx/PbxCommand.ts"
import type { PbxEvent, PbxEventData, PbxEventType } from "../../../../domain/pbx/PbxEvent.ts"
import { lastSeq } from "../../../../domain/pbx/Session.ts"
import { type Branch, newBranch } from "./Branches.ts"
import type { Sound } from "../sounds/SoundStore.ts"
import { type SessionId, toSessionId } from "../../../../domain/BrandedIds.ts"

/** Digits that are being collected. */
export interface Entry {
  readonly command_id: string
  readonly action: ActionOf<"gather">
  digits: string
  /** The timeout for the next digit. */
  timer: Timer | undefined
}

/** A playback on a channel, and the command that it carries out. */
export interface Playback {
  readonly command_id: string
  /** It is the prompt of a gather. */
  readonly is_prompt: boolean
  /** A `cut` has stopped it. */
  cut: boolean
  /** The sound that is played, once it is made. */
  sound?: Sound
  /** Called at the end, instead of reporting `playback.finished`. */
  readonly after?: (error: string | undefined) => void
}

/**
 * The session of a channel: its own id, or one derived from Asterisk's (`1795341600.12`), which Asterisk never reuses.
 */
export const sessionOf = (channel_id: string): SessionId =>
  toSessionId(
    channel_id.startsWith("HD_")
      ? channel_id.replace(/~.*$/, "")
      : `HD_${channel_id.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(-64)}`
  )

export interface Leg {
  /** The session id. */
  readonly id: SessionId
  /** Asterisk's id of the channel; of the first channel while several devices ring. */
  channel: string
  /** The channels by their ids. */
  readonly branches: Map<string, Branch>
  readonly tenant_pbx_id: string
  readonly direction: "outbound" | "inbound"
  /** The ids of commands that were carried out, so that none is carried out twice. */
  readonly carried_out: Set<string>
  /** By playback id, including those that were cut. */
  readonly playbacks: Map<string, Playback>
  /** DTMF digits to send when the leg is answered, and their command. */
  answer_digits: { readonly command_id: string; readonly digits: string } | undefined
  /** The bridged legs. */
  readonly peers: Set<Leg>
  /** Numbers the leg's events. */
  seq: number
  bridge: string | undefined
  entry: Entry | undefined
  /** Whether it calls the devices of a user, and not over a carrier or a trunk. */
  calls_devices: boolean
  rang: boolean
  /** Epoch milliseconds. */
  answered_at: number | undefined
  /** The longest time that the talk may last, and when it is over (epoch milliseconds) once the leg is answered. */
  talk_limit_seconds: number | undefined
  limit_at: number | undefined
  /** Whether the engine has hung up. */
  hung_up: boolean
  /** The SIP code with which the engine rejects the leg. */
  reject_code: number | undefined
}

/** How many ended sessions are remembered, so that a repeated originate does not ring again. */
const endedMax = 20_000

export class Legs {
  readonly live = new Map<SessionId, Leg>()
  private readonly ended = new Set<SessionId>()
  private readonly options: {
    readonly now: () => number
    readonly uuid: () => string
    readonly report: (event: PbxEvent) => void
  }
  private heartbeats = 0

  constructor(options: Legs["options"]) {
    this.options = options
  }

  /** `seq`: the number of the last event that was reported before. */
  open(channel: string, tenant_pbx_id: string, direction: Leg["direction"], seq = 0): Leg {
    const id = sessionOf(channel)
    const leg: Leg = {
      id,
      channel,
      branches: new Map([[channel, newBranch(channel)]]),
      tenant_pbx_id,
      direction,
      carried_out: new Set(),
      playbacks: new Map(),
      answer_digits: undefined,
      peers: new Set(),
      seq,
      bridge: undefined,
      entry: undefined,
      calls_devices: false,
      rang: false,
      answered_at: undefined,
      talk_limit_seconds: undefined,
      limit_at: undefined,
      hung_up: false,
      reject_code: undefined
    }
    this.live.set(id, leg)
    return leg
  }

  close(leg: Leg): void {
    this.live.delete(leg.id)
    this.ended.add(leg.id)
    const [oldest] = this.ended
    if (this.ended.size > endedMax && oldest !== undefined) this.ended.delete(oldest)
  }

  isLive(leg: Leg): boolean {
    return this.live.get(leg.id) === leg
  }

  hasEnded(id: SessionId): boolean {
    return this.ended.has(id)
  }

  /** Reports the next event of the leg. `at` is in epoch milliseconds. */
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

  /** Reports that there is no such session. */
  reportAbsent(tenant_pbx_id: string, session_id: SessionId): void {
    this.options.report(
      this.event(tenant_pbx_id, "session.snapshot", lastSeq, { state: "absent" }, this.options.now(), { session_id })
    )
  }

  /** Reports an event about a tenant, without a session. */
  reportForTenant(tenant_pbx_id: string, type: PbxEventType, data: PbxEventData, at: number): void {
    this.options.report(this.event(tenant_pbx_id, type, 1, data, at, {}))
  }

  /** Reports the live sessions of each tenant. */
  reportHeartbeat(): void {
    for (const [tenant_pbx_id, legs] of Map.groupBy(this.live.values(), (leg) => leg.tenant_pbx_id)) {
      const live_sessions = legs.map(({ id }) => id)
      this.options.report(
        this.event(tenant_pbx_id, "heartbeat", ++this.heartbeats, { live_sessions }, this.options.now(), {})
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
