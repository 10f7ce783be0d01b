// A call leg. Its id is the call's. What it decides is in src/domain/calls; what it has under way, in CallWorks.ts.
import { absentCall, type Call } from "../domain/calls/Call.ts"
import { CallCommand } from "../domain/calls/CallCommand.ts"
import { type CallEvent, evolveCall } from "../domain/calls/CallEvent.ts"
import { isSaid, StreamNotice } from "../domain/calls/CallNotice.ts"
import { isTurn } from "../domain/calls/Transcript.ts"
import { CallReply } from "../domain/calls/CallReply.ts"
import { decideCall } from "../domain/calls/DecideCall.ts"
import { type CallWork, planCall } from "../domain/calls/PlanCall.ts"
import { placedAnswer, terminatedAnswer, updatedAnswer } from "../domain/calls/PlacedAnswer.ts"
import { callNotices, recordCall } from "../domain/calls/RecordCall.ts"
import { recalledCall } from "../domain/calls/StoredCall.ts"
import type { Answer, Definition } from "./runtime/Definition.ts"

/** The kept answers of `POST /v1/calls/originate`, of a termination and of an update. */
const answer = (_command: CallCommand, reply: CallReply): Answer => {
  switch (reply._tag) {
    case "Placed":
      return placedAnswer(reply.record)
    case "Terminated":
      return terminatedAnswer(reply.record, reply.termination)
    case "Updated":
      return updatedAnswer(reply.record)
    default:
      return { status: 200, body: "{}", headers: {} }
  }
}

export const CallActor: Definition<Call, CallCommand, CallEvent, CallReply, CallWork, StreamNotice> = {
  type: "Call",
  initial: absentCall,
  restore: ({ state }, id) => recalledCall(id, state),
  decide: decideCall,
  evolve: evolveCall,
  plan: planCall,
  record: recordCall,
  notices: callNotices,
  expendable: (notice) => isSaid(notice) && !isTurn(notice),
  answer,
  creates: ({ _tag }) => _tag === "Originate",
  wire: { command: CallCommand, reply: CallReply, notice: StreamNotice }
}
