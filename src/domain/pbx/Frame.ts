// The frames of the feed `GET /v1/pbx/feed` (docs/pbx-protocol.md): JSON text, one frame a message.
import { Schema } from "effect"
import { PbxCommand } from "./PbxCommand.ts"
import { PbxEvent } from "./PbxEvent.ts"

const GatewayId = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_.-]{1,64}$/))

/** From the gateway. The first frame is `hello`; a newer connection of the same gateway replaces an older one. */
export const UpFrame = Schema.Union([
  Schema.Struct({ type: Schema.Literal("hello"), protocol: Schema.Literal(1), gateway_id: GatewayId }),
  Schema.Struct({ type: Schema.Literal("events"), events: Schema.Array(PbxEvent).check(Schema.isMaxLength(100)) }),
  Schema.Struct({ type: Schema.Literal("ack"), command_ids: Schema.Array(Schema.String).check(Schema.isMaxLength(1000)) })
])
export type UpFrame = typeof UpFrame.Type

/** From the engine. An event that is neither acknowledged nor refused is sent again by the gateway. */
export const DownFrame = Schema.Union([
  Schema.Struct({ type: Schema.Literal("welcome"), protocol: Schema.Literal(1) }),
  Schema.Struct({ type: Schema.Literal("commands"), commands: Schema.Array(PbxCommand) }),
  Schema.Struct({ type: Schema.Literal("ack"), event_ids: Schema.Array(Schema.String) }),
  Schema.Struct({ type: Schema.Literal("refused"), event_id: Schema.String, code: Schema.String, message: Schema.String })
])
export type DownFrame = typeof DownFrame.Type
