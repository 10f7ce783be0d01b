import { assert, describe, it } from "@effect/vitest"
import { type Conference, participantOf, settingsOf } from "../../../src/domain/conferences/Conference.ts"
import { ConferenceCommands, type ConferenceMessage } from "../../../src/domain/conferences/ConferenceCommand.ts"
import { planConference } from "../../../src/domain/conferences/PlanConference.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { toGatewayId } from "../../../src/domain/BrandedIds.ts"
import { workspaceId } from "../../support/Ids.ts"
import {
  absent,
  afterAll,
  begun,
  ended,
  guest,
  host,
  join,
  late,
  other,
  outcome,
  t0,
  talking,
  waiting,
  workspace_id
} from "./Fixtures.ts"

const conditions: Readonly<Record<string, Conference>> = { absent, begun, waiting, talking, ended }

const commands: { readonly [Tag in ConferenceMessage["_tag"]]: ConferenceMessage<Tag> } = {
  Begin: { _tag: "Begin", workspace_id, name: "room" },
  Join: join(late),
  Leave: { _tag: "Leave", call_id: guest, step: 0, result: "left" },
  SettingsKnown: { _tag: "SettingsKnown", call_id: guest, step: 0, version: 1, present: true },
  ExpulsionKnown: { _tag: "ExpulsionKnown", call_id: guest, step: 0 },
  RoomClosed: { _tag: "RoomClosed" },
  Get: { _tag: "Get" },
  Change: { _tag: "Change", workspace_id, call_id: guest, change: { muted: true } },
  Remove: { _tag: "Remove", workspace_id, call_id: guest },
  Announce: { _tag: "Announce", workspace_id, media: { kind: "say", text: "Hello", loop: 1 } },
  End: { _tag: "End", workspace_id },
  NobodyCame: { _tag: "NobodyCame" }
}

/** What each command makes happen in each condition: its events, or the code of its error. `-`: nothing. */
const table = `
               | absent         | begun         | waiting        | talking                    | ended
Begin          | Created        | -             | -              | -                          | -
Join           | Created Joined Started | Joined Started | Joined Started | Joined             | -
Leave          | -              | -             | Left Ended     | Left                       | -
SettingsKnown  | -              | -             | SettingsKnown  | SettingsKnown              | -
ExpulsionKnown | -              | -             | -              | -                          | ExpulsionKnown
RoomClosed     | -              | RoomClosed    | RoomClosed     | RoomClosed                 | RoomClosed
Get            | not_found      | -             | -              | -                          | -
Change         | not_found      | participant_not_found | Changed | Changed                    | ended
Remove         | not_found      | participant_not_found | Left Ended | Left                    | ended
Announce       | not_found      | Announced     | Announced      | Announced                  | ended
End            | not_found      | Ended         | Left Ended     | Left Left Left Ended       | -
NobodyCame     | -              | Ended         | -              | -                          | -
`

const [head, ...lines] = table
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
const columns = head!.slice(1)

describe("the rules of a conference", () => {
  it("have a row for every command and a column for every condition", () => {
    assert.deepStrictEqual(
      lines.map(([tag]) => tag),
      Object.keys(ConferenceCommands)
    )
    assert.deepStrictEqual(columns, Object.keys(conditions))
    assert.sameMembers(
      Object.values(conditions).map(({ status }) => status),
      ["absent", "waiting", "waiting", "in_progress", "ended"]
    )
  })

  it.each(lines)("of %s", (tag, ...cells) => {
    const seen = columns.map((column) => {
      const { events, refusal } = outcome(conditions[column]!, commands[tag as ConferenceMessage["_tag"]])
      return refusal?.replace("conferences.", "") ?? (events.map(({ _tag }) => _tag).join(" ") || "-")
    })
    assert.deepStrictEqual(seen, cells)
  })

  const replies: ReadonlyArray<readonly [string, Conference, ConferenceMessage<"Join">, string]> = [
    ["lets a call in", talking, join(late), "joined"],
    ["lets a call in that asks twice, and once only", talking, join(guest), "joined"],
    ["refuses the next call of a full conference", talking, join(late, { max_participants: 3 }), "full"],
    ["refuses a call on another gateway", talking, join(late, {}, { at_gateway: toGatewayId("b") }), "other_gateway"],
    [
      "takes a call on any gateway while nobody is in",
      begun,
      join(late, {}, { at_gateway: toGatewayId("b") }),
      "joined"
    ],
    ["refuses a call once it has ended", ended, join(late), "gone"],
    ["refuses a call of another workspace", talking, { ...join(late), workspace_id: workspaceId("w2") }, "gone"]
  ]
  it.each(replies)("%s", (_name, state, command, reply) => assert.strictEqual(outcome(state, command).reply, reply))

  it("counts a call that asks twice once", () => {
    assert.strictEqual(afterAll(talking, [join(guest)]).participants.length, 3)
  })

  it("replaces a call that comes again before its leaving was heard", () => {
    const again = afterAll(talking, [join(guest, {}, { step: 4 })])
    assert.strictEqual(participantOf(again, guest)?.step, 4)
    assert.strictEqual(again.participants.length, 3)
    assert.strictEqual(afterAll(again, [commands.Leave]).participants.length, 3)
  })

  it("refuses customers of another workspace as if there were no conference", () => {
    for (const tag of ["Change", "Remove", "Announce", "End"] as const) {
      const { refusal } = outcome(talking, { ...commands[tag], workspace_id: workspaceId("w2") } as ConferenceMessage)
      assert.strictEqual(refusal, "conferences.not_found")
    }
  })

  it("tell the audit log who removed somebody, and who ended the conference", () => {
    const origin = systemOrigin
    const tags = (state: Conference, command: ConferenceMessage) =>
      outcome(state, command).events.map(({ _tag }) => _tag)
    assert.deepStrictEqual(tags(talking, { ...commands.Remove, origin }), ["RemovalRequested", "Left"])
    assert.deepStrictEqual(tags(talking, { ...commands.End, origin }), [
      "EndRequested",
      "Left",
      "Left",
      "Left",
      "Ended"
    ])
    assert.deepStrictEqual(tags(ended, { ...commands.End, origin }), [])
    assert.deepStrictEqual(afterAll(talking, [{ ...commands.End, origin }]), afterAll(talking, [commands.End]))
  })

  it("ends with the last participant, and with one whose end_on_exit says so", () => {
    const hostLeft = afterAll(talking, [{ _tag: "Leave", call_id: host, step: 0, result: "left" }])
    assert.deepInclude(hostLeft, { status: "ended", ended_by: "host_left", participants: [] })
    assert.sameMembers(
      hostLeft.expelled.map(({ call_id }) => call_id),
      [guest, other]
    )
    const alone = afterAll(waiting, [commands.Leave])
    assert.deepInclude(alone, { status: "ended", ended_by: "everyone_left", expelled: [] })
  })

  it("drops a participant whose call no longer takes part", () => {
    const gone = afterAll(talking, [{ ...commands.SettingsKnown, present: false }])
    assert.isUndefined(participantOf(gone, guest))
  })

  it("refuses a coach of itself, or of somebody who is not in", () => {
    for (const coach of [guest, late])
      assert.strictEqual(
        outcome(talking, { ...commands.Change, change: { coach } }).refusal,
        "conferences.participant_not_found"
      )
  })
})

const settings = (state: Conference, call_id: typeof host) => {
  if (state.status === "absent") throw new Error("The conference is absent")
  return settingsOf(state, participantOf(state, call_id)!)
}

describe("the settings of participants", () => {
  it("let all wait until the conference starts", () => {
    assert.isTrue(settings(waiting, guest).waiting)
    assert.isFalse(settings(talking, guest).waiting)
  })

  it("let a coach be heard by one alone, and by nobody while that one is not in", () => {
    const coached = afterAll(talking, [{ ...commands.Change, call_id: other, change: { coach: guest } }])
    assert.deepInclude(settings(coached, other), {
      muted: false,
      coach_session_id: participantOf(coached, guest)!.session_id
    })
    const without = afterAll(coached, [commands.Leave])
    assert.deepInclude(settings(without, other), { muted: true, coach_session_id: null })
  })

  it("have a new version when they change, for those alone whose settings change", () => {
    const versions = (state: Conference) =>
      state.status === "absent"
        ? {}
        : Object.fromEntries(state.participants.map((each) => [each.call_id, each.version]))
    const muted = afterAll(talking, [commands.Change])
    assert.deepStrictEqual(versions(muted), { [guest]: 3, [other]: 2, [host]: 1 })
    assert.deepStrictEqual(versions(afterAll(muted, [commands.Change])), versions(muted))
    assert.deepStrictEqual(versions(afterAll(muted, [commands.Announce])), { [guest]: 4, [other]: 3, [host]: 2 })
  })
})

describe("the plan of a conference", () => {
  const keys = (state: Conference) => planConference(state).map(({ key }) => key)

  it("tells each participant its settings until it knows them", () => {
    assert.deepStrictEqual(keys(waiting), [`settings:${guest}:0:1`])
    assert.deepStrictEqual(keys(afterAll(waiting, [commands.SettingsKnown])), [])
  })

  it("ends a conference to which nobody comes", () => {
    assert.deepStrictEqual(planConference(begun), [
      { _tag: "Deadline", key: "nobody", at: t0 + 60_000, command: { _tag: "NobodyCame" } }
    ])
  })

  it("tells the calls of an ended conference, and frees its name, and is then empty", () => {
    assert.sameMembers(keys(ended), ["close", ...[host, guest, other].map((id) => `expelled:${id}:0`)])
    const told = [host, guest, other].map((call_id) => ({ ...commands.ExpulsionKnown, call_id }))
    assert.deepStrictEqual(keys(afterAll(ended, [...told, commands.RoomClosed])), [])
  })
})
