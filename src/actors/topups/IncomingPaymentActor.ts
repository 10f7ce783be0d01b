// A payment that came in. Its id is its receipt. PerformIncomingPayment.ts performs its work.
import { decideIncomingPayment } from "../../domain/topups/DecideIncomingPayment.ts"
import {
  evolveIncomingPayment,
  type IncomingPayment,
  type IncomingPaymentEvent,
  type IncomingPaymentWork,
  initialIncomingPayment,
  planIncomingPayment
} from "../../domain/topups/IncomingPayment.ts"
import { IncomingPaymentCommands } from "../../domain/topups/IncomingPaymentCommand.ts"
import { recordIncomingPayment } from "../../domain/topups/RecordIncomingPayment.ts"
import { restoreIncomingPayment } from "../../domain/topups/StoredIncomingPayment.ts"
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
  restore: restoreIncomingPayment,
  decide: decideIncomingPayment,
  evolve: evolveIncomingPayment,
  plan: planIncomingPayment,
  record: recordIncomingPayment
})
