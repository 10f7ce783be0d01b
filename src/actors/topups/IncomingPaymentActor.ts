// A payment that came in. Its id is its receipt. PerformIncomingPayment.ts performs its work.
import { decideIncomingPayment } from "../../domain/topups/DecideIncomingPayment.ts"
import {
  evolveIncomingPayment,
  type IncomingPayment,
  type IncomingPaymentEvent,
  incomingPaymentOfState,
  type IncomingPaymentWork,
  initialIncomingPayment,
  planIncomingPayment,
  recordIncomingPayment
} from "../../domain/topups/IncomingPayment.ts"
import { IncomingPaymentCommands } from "../../domain/topups/IncomingPaymentCommand.ts"
import { actor } from "../runtime/Definition.ts"

export const IncomingPaymentActor = actor<
  IncomingPayment,
  IncomingPaymentCommands,
  IncomingPaymentEvent,
  IncomingPaymentWork
>({
  type: "PayIn",
  commands: IncomingPaymentCommands,
  initial: initialIncomingPayment,
  restore: incomingPaymentOfState,
  decide: decideIncomingPayment,
  evolve: evolveIncomingPayment,
  plan: planIncomingPayment,
  record: recordIncomingPayment
})
