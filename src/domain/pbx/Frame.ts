// The frames of the feed `GET /v1/pbx/feed` (docs/pbx-protocol.md): JSON text, one frame in each WebSocket message.
import { Schema } from "effect"
import { PbxEvent } from "./PbxEvent.ts"
import { DownCommand } from "./TenantCommand.ts"
import { GatewayId, SessionId } from "../BrandedIds.ts"

const Gateway = GatewayId.check(Schema.isPattern(/^[A-Za-z0-9_.-]{1,64}$/))

const frame = <const Type extends string, const Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields })

/** The most events in one frame or request. */
export const eventsMax = 100
/** The most command ids in one `ack` frame. */
export const acknowledgementsMax = 1000
/** The most capabilities in `hello`, and the length of each. */
export const capabilitiesMax = 64
/** The most sessions in `hello`: as many as fit into a frame of 1 MiB. */
export const sessionsMax = 20_000

const upFrames = <Event extends Schema.Top>(event: Event) =>
  Schema.Union([
    /** The first frame of a connection. A newer connection of the same gateway replaces an older one. */
    frame("hello", {
      protocol: Schema.Literal(1),
      gateway_id: Gateway,
      /** Every live session on the gateway, of all tenants. Absent: unknown. */
      live_sessions: Schema.optionalKey(Schema.Array(SessionId).check(Schema.isMaxLength(sessionsMax))),
      /** What the gateway can do beyond the first version (Capabilities.ts). Unknown names are ignored. */
      capabilities: Schema.optionalKey(
        Schema.Array(Schema.String.check(Schema.isMaxLength(capabilitiesMax))).check(
          Schema.isMaxLength(capabilitiesMax)
        )
      )
    }),
    frame("events", { events: Schema.Array(event).check(Schema.isMaxLength(eventsMax)) }),
    frame("ack", { command_ids: Schema.Array(Schema.String).check(Schema.isMaxLength(acknowledgementsMax)) }),
    /** The gateway cannot carry out a command about a tenant, and will not. Session commands are never refused. */
    frame("refuse", {
      command_id: Schema.String.check(Schema.isMaxLength(128)),
      reason: Schema.String.check(Schema.isMaxLength(256))
    }),
    /** Repeats the `n` of a ping. */
    frame("pong", { n: Schema.Int })
  ])

/** A frame from the gateway. */
export const UpFrame = upFrames(PbxEvent)
export type UpFrame = typeof UpFrame.Type

/** A frame from the gateway with unchecked events, so that one invalid event does not block the others in the frame. */
export const ReceivedFrame = upFrames(Schema.Unknown)
export type ReceivedFrame = typeof ReceivedFrame.Type

/** A frame from the engine. The gateway sends an event again until it is acknowledged or refused. */
export const DownFrame = Schema.Union([
  frame("welcome", {
    protocol: Schema.Literal(1),
    /** How many workspaces the gateway carries. Absent if the engine cannot tell now. */
    tenants: Schema.optionalKey(Schema.Int)
  }),
  frame("commands", { commands: Schema.Array(DownCommand) }),
  frame("ack", { event_ids: Schema.Array(Schema.String) }),
  frame("refused", { event_id: Schema.String, code: Schema.String, message: Schema.String }),
  /** Asks for a pong with the same `n`. */
  frame("ping", { n: Schema.Int })
])
export type DownFrame = typeof DownFrame.Type
