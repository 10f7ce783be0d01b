// What the members of requests and responses mean, and values for examples: for schemas that do not say it themselves.
import { callMembers } from "./members/CallMembers.ts"
import { conferenceMembers } from "./members/ConferenceMembers.ts"
import type { Member, Members } from "./members/Members.ts"
import { moneyMembers } from "./members/MoneyMembers.ts"
import { numberMembers } from "./members/NumberMembers.ts"
import { pbxMembers } from "./members/PbxMembers.ts"
import { peopleMembers } from "./members/PeopleMembers.ts"
import { sipMembers } from "./members/SipMembers.ts"
import { streamMembers } from "./members/StreamMembers.ts"
import { voiceMembers } from "./members/VoiceMembers.ts"
import { webhookMembers } from "./members/WebhookMembers.ts"

export const memberTables: ReadonlyArray<Members> = [
  callMembers,
  moneyMembers,
  numberMembers,
  sipMembers,
  webhookMembers,
  peopleMembers,
  voiceMembers,
  streamMembers,
  conferenceMembers,
  pbxMembers
]

const table: ReadonlyMap<string, Member> = new Map(memberTables.flatMap((members) => Object.entries(members)))

/** `owners`: the names of the schemas and members around the member, the innermost first. */
export const memberOf = (owners: ReadonlyArray<string>, name: string): Member | undefined => {
  const owner = owners.find((each) => table.has(`${each}.${name}`))
  return table.get(owner === undefined ? name : `${owner}.${name}`)
}
