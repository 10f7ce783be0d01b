// The media streams of the sessions of a gateway: their limits, and their reports to the engine. What connects the
// audio of a session is the gateway's own.
import { budgets } from "../../domain/limits/Budgets.ts"
import type { ActionOf } from "../../domain/pbx/PbxCommand.ts"
import type { PbxEventData, PbxEventType } from "../../domain/pbx/PbxEvent.ts"
import type { StreamResult } from "../../domain/streams/CallStream.ts"
import { tenantStreamsDefault } from "../../domain/streams/StreamBudget.ts"
import type { MediaRelay, RelayNotice } from "./MediaRelay.ts"

export type StartStream = ActionOf<"stream.start">

interface OwnSession {
  readonly tenant_pbx_id: string
}

export interface SessionStreamsOptions<S extends OwnSession> {
  readonly relay: MediaRelay
  readonly report: (session: S, type: PbxEventType, data: PbxEventData) => void
  /** Provides the audio of the session, by `relay.attach`, or stops the stream with `media_failed`. */
  readonly connect: (session: S, action: StartStream) => void
  /** The stream has ended: releases what `connect` took. */
  readonly release: (session: S, stream_id: string) => void
}

const turnsMax = budgets.call_turns.limit

interface Open<S> {
  readonly session: S
  readonly command_id: string
  readonly action: StartStream
}

export class SessionStreams<S extends OwnSession> {
  private readonly options: SessionStreamsOptions<S>
  private readonly open = new Map<string, Open<S>>()
  /** How many turns of its transcript each session has reported. */
  private readonly turns = new Map<S, number>()

  constructor(options: SessionStreamsOptions<S>) {
    this.options = options
  }

  has(stream_id: string): boolean {
    return this.open.has(stream_id)
  }

  start(session: S, command_id: string, action: StartStream): void {
    const { relay, report } = this.options
    const { headers = {}, kind: _, stream_id, tenant_streams = tenantStreamsDefault, ...stream } = action
    if (this.open.has(stream_id)) return
    const ofTenant = [...this.open.values()].filter(
      ({ session: other }) => other.tenant_pbx_id === session.tenant_pbx_id
    )
    if (ofTenant.length >= tenant_streams) {
      const error = `The workspace has ${tenant_streams} streams, which is the most.`
      return report(session, "stream.ended", { stream_id, command_id, result: "limit_reached", error })
    }
    this.open.set(stream_id, { session, command_id, action })
    relay.open({ ...stream, stream_id, headers, tenant_streams }, (notice) => this.told(stream_id, notice))
  }

  stop(stream_id: string): void {
    if (this.open.has(stream_id)) this.options.relay.stop(stream_id, "completed", null)
  }

  pressed(session: S, digit: string): void {
    for (const stream_id of this.of(session)) this.options.relay.pressed(stream_id, digit)
  }

  /** The session ends, and with it its streams: their end is reported before the end of the session. */
  end(session: S): void {
    for (const stream_id of this.of(session)) {
      this.options.relay.stop(stream_id, "completed", null)
      this.ended(stream_id, "completed", null)
    }
    this.turns.delete(session)
  }

  private of(session: S): ReadonlyArray<string> {
    return [...this.open].flatMap(([stream_id, stream]) => (stream.session === session ? [stream_id] : []))
  }

  private ended(stream_id: string, result: StreamResult, detail: string | null): void {
    const stream = this.open.get(stream_id)
    if (stream === undefined) return
    const { command_id, session } = stream
    this.open.delete(stream_id)
    this.options.release(session, stream_id)
    const error = detail === null ? {} : { error: detail.slice(0, 256) }
    this.options.report(session, "stream.ended", { stream_id, command_id, result, ...error })
  }

  private countTurn(session: S): number {
    const turns = (this.turns.get(session) ?? 0) + 1
    this.turns.set(session, turns)
    return turns
  }

  private told(stream_id: string, notice: RelayNotice): void {
    const stream = this.open.get(stream_id)
    if (stream === undefined) return
    const { action, command_id, session } = stream
    const { connect, relay, report } = this.options
    switch (notice.kind) {
      case "connected":
        return connect(session, action)
      case "started":
        return report(session, "stream.started", { stream_id, command_id })
      case "hangup":
        return report(session, "stream.hangup", { stream_id, command_id })
      case "actions":
        return report(session, "stream.actions", { stream_id, command_id, document: notice.document })
      case "said": {
        const { final, role, text, turn } = notice
        if (!final) return report(session, "transcript.delta", { turn, role, delta: text, final })
        if (this.countTurn(session) > turnsMax)
          return relay.stop(stream_id, "limit_reached", `The transcript of the call has ${turnsMax} turns.`)
        return report(session, "transcript.turn", { turn, role, text, final })
      }
      case "ended":
        return this.ended(stream_id, notice.result, notice.detail)
    }
  }
}
