// A payment that came in; its id is its receipt. What it has under way is in PerformIncomingPayment.ts.
import { Schema } from "effect"
import {
  decideIncomingPayment,
  evolveIncomingPayment,
  initialIncomingPayment,
  type IncomingPayment,
  type IncomingPaymentEvent,
  incomingPaymentOfState,
  type IncomingPaymentWork,
  planIncomingPayment,
  recordIncomingPayment
} from "../../domain/topups/IncomingPayment.ts"
import { IncomingPaymentCommand, IncomingPaymentReply } from "../../domain/topups/IncomingPaymentCommand.ts"
import type { Definition } from "../runtime/Definition.ts"

export const IncomingPaymentActor: Definition<
  IncomingPayment,
  IncomingPaymentCommand,
  IncomingPaymentEvent,
  IncomingPaymentReply,
  IncomingPaymentWork
> = {
  type: "PayIn",
  initial: initialIncomingPayment,
  restore: incomingPaymentOfState,
  decide: decideIncomingPayment,
  evolve: evolveIncomingPayment,
  plan: planIncomingPayment,
  record: recordIncomingPayment,
  wire: { command: IncomingPaymentCommand, reply: IncomingPaymentReply, notice: Schema.Never }
}
