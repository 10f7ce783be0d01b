import { Data } from "effect"
import type { ConnectFaultCode } from "./ConnectFault.ts"

/** There is no complete response. After `connection_lost` the receiver may have handled the request. */
export class NoResponse extends Data.TaggedError("Unanswered")<{
  readonly code: ConnectFaultCode | "connection_lost" | "timeout"
  readonly cause: unknown
}> {}
