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

const tableOf = <A>(partOf: (member: Member) => A | undefined): ReadonlyMap<string, A> =>
  new Map(
    memberTables.flatMap((members) =>
      Object.entries(members).flatMap(([name, member]) => {
        const part = partOf(member)
        return part === undefined ? [] : [[name, part] as const]
      })
    )
  )

export const texts = tableOf((member) => {
  if (typeof member === "string") return member
  return "example" in member ? undefined : member[0]
})

export const examples = tableOf((member) => {
  if (typeof member === "string") return undefined
  return "example" in member ? member.example : member[1]
})

/** `owners`: the names of the schemas and members around the member, the innermost first. */
const lookIn =
  <A>(table: ReadonlyMap<string, A>) =>
  (owners: ReadonlyArray<string>, name: string): A | undefined => {
    const owner = owners.find((each) => table.has(`${each}.${name}`))
    return table.get(owner === undefined ? name : `${owner}.${name}`)
  }

/** The description of a member whose schema has none. */
export const textOf = lookIn(texts)

/** The value of a member in examples. */
export const exampleOf = lookIn(examples)
