import { Data } from "effect"
import type { ConnectFaultCode } from "./ConnectFault.ts"

/** There is no whole answer. After `connection_lost` the receiver may have had the request. */
export class NoResponse extends Data.TaggedError("Unanswered")<{
  readonly code: ConnectFaultCode | "connection_lost"
  readonly cause: unknown
}> {}
