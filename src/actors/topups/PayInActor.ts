// A payment that came in; its id is its receipt. What it has under way is in PayInWorks.ts.
import { Schema } from "effect"
import {
  decidePayIn,
  evolvePayIn,
  initialPayIn,
  type PayIn,
  type PayInEvent,
  type PayInWork,
  planPayIn,
  recordPayIn
} from "../../domain/topups/PayIn.ts"
import { PayInCommand, PayInReply } from "../../domain/topups/PayInCommand.ts"
import type { Definition } from "../runtime/Definition.ts"

export const PayInActor: Definition<PayIn, PayInCommand, PayInEvent, PayInReply, PayInWork> = {
  type: "PayIn",
  initial: initialPayIn,
  restore: ({ state }) => JSON.parse(state) as PayIn,
  decide: decidePayIn,
  evolve: evolvePayIn,
  plan: planPayIn,
  record: recordPayIn,
  wire: { command: PayInCommand, reply: PayInReply, notice: Schema.Never }
}
