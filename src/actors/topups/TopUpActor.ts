// A top-up. PerformTopUp.ts performs its work.
import { presentOf } from "../../domain/Presence.ts"
import { decideTopUp } from "../../domain/topups/DecideTopUp.ts"
import { planTopUp, type TopUpWork } from "../../domain/topups/PlanTopUp.ts"
import { recordTopUp } from "../../domain/topups/RecordTopUp.ts"
import { restoreTopUp } from "../../domain/topups/StoredTopUp.ts"
import { evolveTopUp, initialTopUp, recordOf, type TopUp, type TopUpEvent } from "../../domain/topups/TopUp.ts"
import { TopUpCommands, TopUpNotice } from "../../domain/topups/TopUpCommand.ts"
import type { TopUpRecord } from "../../domain/topups/TopUpRecord.ts"
import { actor, type Answer } from "../runtime/Definition.ts"

/** The stored response to a request that started a top-up: 201. */
export const startedAnswer = (record: TopUpRecord): Answer => ({
  status: 201,
  body: JSON.stringify(record),
  headers: { location: `/v1/topups/${record.topup_id}` }
})

export const TopUpActor = actor<TopUp, TopUpCommands, TopUpEvent, TopUpWork, TopUpNotice>({
  type: "TopUp",
  commands: TopUpCommands,
  initial: initialTopUp,
  restore: restoreTopUp,
  decide: decideTopUp,
  evolve: evolveTopUp,
  plan: planTopUp,
  record: recordTopUp,
  notices: ({ after }) => {
    const topup = presentOf(after)
    return [{ record: recordOf(topup), push: topup.push }]
  },
  answers: { Show: ({ record }) => startedAnswer(record) },
  notice: TopUpNotice
})
