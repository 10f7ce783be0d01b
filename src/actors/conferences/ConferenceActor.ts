// A conference. PerformConference.ts performs its work.
import type { Change } from "../../domain/Decision.ts"
import {
  absentConference,
  type Conference,
  isPresent,
  type PresentConference
} from "../../domain/conferences/Conference.ts"
import { ConferenceCommands } from "../../domain/conferences/ConferenceCommand.ts"
import { type ConferenceEvent, evolveConference } from "../../domain/conferences/ConferenceEvent.ts"
import { decideConference } from "../../domain/conferences/DecideConference.ts"
import { announcedAnswer, endedAnswer } from "../../domain/conferences/KeptAnswers.ts"
import { type ConferenceWork, planConference } from "../../domain/conferences/PlanConference.ts"
import { recordConference } from "../../domain/conferences/RecordConference.ts"
import { restoreConference } from "../../domain/conferences/StoredConference.ts"
import { actor } from "../runtime/Definition.ts"

const presentChange = (
  change: Change<Conference, ConferenceEvent>
): Change<Conference, ConferenceEvent> & { readonly after: PresentConference } => {
  const { after } = change
  if (!isPresent(after)) throw new Error(`The absent conference ${change.id} has changed.`)
  return { ...change, after }
}

export const ConferenceActor = actor<Conference, ConferenceCommands, ConferenceEvent, ConferenceWork>({
  type: "Conference",
  commands: ConferenceCommands,
  initial: absentConference,
  restore: restoreConference,
  decide: decideConference,
  evolve: evolveConference,
  plan: planConference,
  record: (change) => recordConference(presentChange(change)),
  answers: { Announce: () => announcedAnswer, End: (record) => endedAnswer(record) }
})
