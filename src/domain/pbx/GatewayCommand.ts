// What can be asked of a gateway's actor, what it answers, and what it sends down to the connected gateway.
import { Schema } from "effect"
import { PbxCommand } from "./PbxCommand.ts"
import { tagged } from "../Tagged.ts"

export const GatewayCommand = Schema.Union([
  /** A connection of the gateway has said hello: it replaces the one before it. */
  tagged("Attach", { connection_id: Schema.String }),
  /** Told by a live connection now and then, so that an actor that has moved or restarted finds it again. */
  tagged("Renew", { connection_id: Schema.String, epoch: Schema.Int }),
  tagged("Detach", { connection_id: Schema.String }),
  /** The connection has passed on what it was sent last. It is sent nothing more before. */
  tagged("Ready", { connection_id: Schema.String }),
  /** Asks for a command to be carried out. Asking again sends nothing twice and tells how far it is. */
  tagged("Dispatch", { command: PbxCommand }),
  /** The gateway has these commands and will carry them out. */
  tagged("Acknowledged", { command_ids: Schema.Array(Schema.String) }),
  /** Told by the runtime: commands wait to be sent, or may have waited long for their acknowledgement. */
  tagged("Flush", {}),
  tagged("Resend", {})
])
export type GatewayCommand = typeof GatewayCommand.Type

export const GatewayReply = Schema.Struct({
  /**
   * To `Attach` and `Renew`: `attached`, or `replaced` when a newer connection has taken over.
   * To `Dispatch`: `queued` (sent or about to be), `offline` (kept until a gateway connects) or `acknowledged`.
   */
  status: Schema.Literals(["attached", "replaced", "queued", "offline", "acknowledged", "done"]),
  /** How many connections the gateway has had: a connection renews with the number it got. */
  epoch: Schema.Int
})
export type GatewayReply = typeof GatewayReply.Type

/** For the connection that it names; others leave it alone. */
export const GatewayNotice = Schema.Union([
  tagged("Send", { connection_id: Schema.String, commands: Schema.Array(PbxCommand) }),
  tagged("Replaced", { connection_id: Schema.String })
])
export type GatewayNotice = typeof GatewayNotice.Type
