// What can be asked of a gateway's actor, what it answers, and what it sends down to the connected gateway.
import { Schema } from "effect"
import { DownCommand } from "./TenantCommand.ts"
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
  tagged("Dispatch", { command: DownCommand }),
  /** The gateway has these commands and will carry them out. */
  tagged("Acknowledged", { command_ids: Schema.Array(Schema.String) }),
  /** The gateway cannot carry out this command about a tenant, and will not. */
  tagged("Refused", { command_id: Schema.String, reason: Schema.String }),
  /** When did the gateway take these on? Of the latest 10,000 commands it is remembered, in memory alone. */
  tagged("AskAcknowledged", { command_ids: Schema.Array(Schema.String) }),
  /** Is the gateway connected? */
  tagged("AskPresence", {}),
  /** Everybody whose things the gateway may have forgotten was told of this connection. */
  tagged("Returned", { epoch: Schema.Int }),
  /** Told by the runtime: commands wait to be sent, or may have waited long for their acknowledgement. */
  tagged("Flush", {}),
  tagged("Resend", {})
])
export type GatewayCommand = typeof GatewayCommand.Type

export const GatewayReply = Schema.Struct({
  /**
   * To `Attach` and `Renew`: `attached`, or `replaced` when a newer connection has taken over.
   * To `Dispatch`: `queued` (sent or about to be), `offline` (kept until a gateway connects), `acknowledged` or
   * `refused`. To `AskPresence`: `attached` or `offline`.
   */
  status: Schema.Literals(["attached", "replaced", "queued", "offline", "acknowledged", "refused", "done"]),
  /** How many connections the gateway has had: a connection renews with the number it got. */
  epoch: Schema.Int,
  /** Why the gateway refused, in its own words. */
  reason: Schema.optionalKey(Schema.String),
  /** To `AskAcknowledged`: epoch milliseconds by command. */
  acknowledged: Schema.optionalKey(Schema.Record(Schema.String, Schema.Int))
})
export type GatewayReply = typeof GatewayReply.Type

/** For the connection that it names; others leave it alone. */
export const GatewayNotice = Schema.Union([
  tagged("Send", { connection_id: Schema.String, commands: Schema.Array(DownCommand) }),
  tagged("Replaced", { connection_id: Schema.String })
])
export type GatewayNotice = typeof GatewayNotice.Type
