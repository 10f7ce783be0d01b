// The frames of the feed `GET /v1/pbx/feed` (docs/pbx-protocol.md): JSON text, one frame a message.
import { Schema } from "effect"
import { PbxEvent } from "./PbxEvent.ts"
import { DownCommand } from "./TenantCommand.ts"

const GatewayId = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_.-]{1,64}$/))

const frame = <const Type extends string, const Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields })

export const eventsMax = 100
export const acknowledgementsMax = 1000
/** What a frame of 1 MiB has room for. */
export const sessionsMax = 20_000

const upFrames = <Event extends Schema.Top>(event: Event) =>
  Schema.Union([
    /** The first frame. A newer connection of the same gateway replaces an older one. */
    frame("hello", {
      protocol: Schema.Literal(1),
      gateway_id: GatewayId,
      /** Every session that the gateway has, of all tenants. Absent: it does not say. */
      live_sessions: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(sessionsMax)))
    }),
    frame("events", { events: Schema.Array(event).check(Schema.isMaxLength(eventsMax)) }),
    frame("ack", { command_ids: Schema.Array(Schema.String).check(Schema.isMaxLength(acknowledgementsMax)) }),
    /** The gateway cannot carry out a command about a tenant, and will not. Commands of a session are never refused. */
    frame("refuse", {
      command_id: Schema.String.check(Schema.isMaxLength(128)),
      reason: Schema.String.check(Schema.isMaxLength(256))
    }),
    /** Repeats the `n` of a ping. */
    frame("pong", { n: Schema.Int })
  ])

/** From the gateway. */
export const UpFrame = upFrames(PbxEvent)
export type UpFrame = typeof UpFrame.Type

/** The same before its events are looked at: one of them at fault must not hold up those beside it. */
export const ReceivedFrame = upFrames(Schema.Unknown)
export type ReceivedFrame = typeof ReceivedFrame.Type

/** From the engine. An event that is neither acknowledged nor refused is sent again by the gateway. */
export const DownFrame = Schema.Union([
  frame("welcome", { protocol: Schema.Literal(1) }),
  frame("commands", { commands: Schema.Array(DownCommand) }),
  frame("ack", { event_ids: Schema.Array(Schema.String) }),
  frame("refused", { event_id: Schema.String, code: Schema.String, message: Schema.String }),
  /** Asks for a pong with the same `n`. */
  frame("ping", { n: Schema.Int })
])
export type DownFrame = typeof DownFrame.Type
