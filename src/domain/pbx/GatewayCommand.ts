// The commands of a gateway's actor, and the notices that it sends to the gateway's connection.
import { Schema } from "effect"
import { commandsOf, type Message, type Reply, type Tag } from "../Command.ts"
import { ServiceUnavailable } from "../errors/GeneralErrors.ts"
import { tagged } from "../Tagged.ts"
import { Capability } from "./Capabilities.ts"
import { DownCommand } from "./TenantCommand.ts"

/** How many connections the gateway has had. The current connection is the one that was given this number. */
const epoch = Schema.Int

const connection = { connection_id: Schema.String }

export const GatewayCommands = commandsOf("Gateway", {
  /** A connection of the gateway has sent `hello`. It replaces the previous connection. */
  Attach: {
    payload: { ...connection, capabilities: Schema.optionalKey(Schema.Array(Capability)) },
    reply: Schema.Struct({ epoch })
  },
  /**
   * A live connection sends this periodically, so that an actor that has moved or restarted finds it again.
   * `replaced`: a newer connection has taken over.
   */
  Renew: { payload: { ...connection, epoch }, reply: Schema.Literals(["attached", "replaced"]) },
  Detach: { payload: connection },
  /** The connection has passed on the last batch and can take the next. No further batch is sent before this. */
  Ready: { payload: connection },
  /**
   * Sends a command to the gateway. Dispatching the same id again sends nothing twice; it returns the current status.
   * `queued`: sent, or about to be. `offline`: stored until a gateway connects. `refused`: by the gateway, in its own
   * words, or `superseded` by a newer command about the same thing.
   */
  Dispatch: {
    payload: { command: DownCommand },
    reply: Schema.Union([
      Schema.Struct({ status: Schema.Literals(["queued", "offline", "acknowledged"]) }),
      Schema.Struct({ status: Schema.Literal("refused"), reason: Schema.String })
    ]),
    errors: [ServiceUnavailable]
  },
  /** The gateway has received these commands and will carry them out. */
  Acknowledge: { payload: { command_ids: Schema.Array(Schema.String) } },
  /** The gateway cannot carry out this command about a tenant, and will not. */
  Refuse: { payload: { command_id: Schema.String, reason: Schema.String } },
  /**
   * When the gateway acknowledged these commands: epoch milliseconds by command id. Only the latest 10,000
   * acknowledgements are remembered, in memory alone; other commands are missing from the reply.
   */
  GetAcknowledgements: {
    payload: { command_ids: Schema.Array(Schema.String) },
    reply: Schema.Record(Schema.String, Schema.Int)
  },
  /** What the gateway can do, as it said when it connected last. */
  GetCapabilities: { reply: Schema.Array(Capability) },
  /** `since`: since when it has been connected, or away as far as this actor knows. */
  GetPresence: {
    reply: Schema.Struct({ connected: Schema.Boolean, epoch, since: Schema.Int })
  },
  /** Every tenant with something on this gateway was notified of the connection with this epoch. */
  FinishResync: { payload: { epoch } },
  /** Deadline: hand the unsent commands to the connection. */
  Flush: {},
  /** Deadline: send again what has not been acknowledged. */
  Resend: {}
})
export type GatewayCommands = typeof GatewayCommands
export type GatewayMessage<T extends Tag<GatewayCommands> = Tag<GatewayCommands>> = Message<GatewayCommands, T>
export type DispatchReply = Reply<GatewayCommands, "Dispatch">

/** Meant for the connection that it names; other connections ignore it. */
export const GatewayNotice = Schema.Union([
  tagged("Send", { connection_id: Schema.String, commands: Schema.Array(DownCommand) }),
  tagged("Replaced", { connection_id: Schema.String })
])
export type GatewayNotice = typeof GatewayNotice.Type
