// A top-up. What it decides is in src/domain/topups; what it has under way, in PerformTopUp.ts.
import { decideTopUp } from "../../domain/topups/DecideTopUp.ts"
import { planTopUp, type TopUpWork } from "../../domain/topups/PlanTopUp.ts"
import { recordTopUp, topUpOfState } from "../../domain/topups/RecordTopUp.ts"
import { evolveTopUp, initialTopUp, recordOf, type TopUp, type TopUpEvent } from "../../domain/topups/TopUp.ts"
import { TopUpCommand, TopUpNotice, TopUpReply } from "../../domain/topups/TopUpCommand.ts"
import type { TopUpRecord } from "../../domain/topups/TopUpRecord.ts"
import type { Answer, Definition } from "../runtime/Definition.ts"

/** 201: the top-up was started. */
export const startedAnswer = (record: TopUpRecord): Answer => ({
  status: 201,
  body: JSON.stringify(record),
  headers: { location: `/v1/topups/${record.topup_id}` }
})

export const TopUpActor: Definition<TopUp, TopUpCommand, TopUpEvent, TopUpReply, TopUpWork, TopUpNotice> = {
  type: "TopUp",
  initial: initialTopUp,
  restore: (stored, id) => topUpOfState(id, stored),
  decide: decideTopUp,
  evolve: evolveTopUp,
  plan: planTopUp,
  record: recordTopUp,
  notices: ({ after, id }) => [{ record: recordOf(id, after.kept!), push: after.kept!.push }],
  answer: (_command, reply) =>
    reply._tag === "Shown" ? startedAnswer(reply.record) : { status: 200, body: "{}", headers: {} },
  wire: { command: TopUpCommand, reply: TopUpReply, notice: TopUpNotice }
}
