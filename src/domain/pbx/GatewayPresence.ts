// Whether a gateway can carry calls now.
import type { Reply } from "../Command.ts"
import type { GatewayCommands } from "./GatewayCommand.ts"

export type GatewayPresence = Reply<GatewayCommands, "GetPresence">

/**
 * A gateway that is away for less than this is expected back: it connects again after a broken connection or a restart
 * of either side, and its calls wait.
 */
export const reconnect_ms = 20_000

/** `now`: epoch milliseconds. A gateway that has never connected is not expected. */
export const isReachable = ({ connected, epoch, since }: GatewayPresence, now: number): boolean =>
  connected || (epoch > 0 && now - since < reconnect_ms)
