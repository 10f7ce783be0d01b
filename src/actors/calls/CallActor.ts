// A call leg. Its id is the call's. src/domain/calls has its decisions, PerformCall.ts its work.
import { absentCall, type Call } from "../../domain/calls/state/Call.ts"
import { CallCommands } from "../../domain/calls/state/CallCommand.ts"
import { evolveCall } from "../../domain/calls/decide/EvolveCall.ts"
import { isSaid, StreamNotice } from "../../domain/calls/views/CallNotice.ts"
import { isTurn } from "../../domain/calls/state/Transcript.ts"
import { decideInCallTime, planOnTheWall } from "../../domain/calls/decide/DecideInCallTime.ts"
import type { CallWork } from "../../domain/calls/decide/PlanCall.ts"
import { placedAnswer, terminatedAnswer, updatedAnswer } from "../../domain/calls/decide/KeptResponses.ts"
import { callNotices, recordCall } from "../../domain/calls/decide/RecordCall.ts"
import { restoreCall } from "../../domain/calls/state/StoredCall.ts"
import type { CallEvent } from "../../domain/calls/state/CallEvent.ts"
import { actor } from "../runtime/Definition.ts"

export const CallActor = actor<Call, CallCommands, CallEvent, CallWork, StreamNotice>({
  commands: CallCommands,
  type: "Call",
  initial: absentCall,
  restore: restoreCall,
  decide: decideInCallTime,
  evolve: evolveCall,
  plan: planOnTheWall,
  record: recordCall,
  notices: callNotices,
  keepsTrace: true,
  expendable: (notice) => isSaid(notice) && !isTurn(notice),
  answers: {
    Originate: (record) => placedAnswer(record),
    Terminate: ({ record, termination }) => terminatedAnswer(record, termination),
    Update: (record) => updatedAnswer(record)
  },
  creates: ({ _tag }) => _tag === "Originate",
  notice: StreamNotice
})
