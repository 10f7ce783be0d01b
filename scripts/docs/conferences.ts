// Writes the table of states in docs/conferences.md from the rules that decide: `node scripts/docs/conferences.ts`.
import { readFile, writeFile } from "node:fs/promises"
import { Result } from "effect"
import { toCallId, toConferenceId, toGatewayId, toSessionId, toWorkspaceId } from "../../src/domain/BrandedIds.ts"
import { absentConference, type Conference } from "../../src/domain/conferences/Conference.ts"
import type { ConferenceAction } from "../../src/domain/conferences/ConferenceAction.ts"
import type { ConferenceMessage } from "../../src/domain/conferences/ConferenceCommand.ts"
import { type ConferenceEvent, evolveConference } from "../../src/domain/conferences/ConferenceEvent.ts"
import { decideConference } from "../../src/domain/conferences/DecideConference.ts"

const page = new URL("../../docs/conferences.md", import.meta.url)
const begin = "| | no conference | `waiting` | `in_progress` | `ended` |\n|---|---|---|---|---|\n"

const workspace_id = toWorkspaceId("w")
const [host, guest, newcomer] = ["host", "guest", "newcomer"].map((name) => toCallId(name))

const join = (call_id = toCallId("newcomer"), action: Partial<ConferenceAction> = {}): ConferenceMessage => ({
  _tag: "Join",
  workspace_id,
  call_id,
  session_id: toSessionId(`HD_${call_id}`),
  gateway_id: toGatewayId("g"),
  step: 0,
  action: { name: "team", ...action }
})

const eventsOf = (state: Conference, command: ConferenceMessage): ReadonlyArray<ConferenceEvent> | string =>
  Result.match(decideConference(state, command, 0), {
    onFailure: ({ _tag: code }): ReadonlyArray<ConferenceEvent> | string => `refused: \`${code}\``,
    onSuccess: ({ events }) => events
  })

const after = (state: Conference, ...commands: ReadonlyArray<ConferenceMessage>): Conference =>
  commands.reduce((each, command) => {
    const events = eventsOf(each, command)
    return typeof events === "string" ? each : events.reduce(evolveConference, each)
  }, state)

const absent = absentConference(toConferenceId("c"))
const waiting = after(
  absent,
  join(guest, { start_on_enter: false }),
  join(host, { start_on_enter: false, end_on_exit: true })
)
const talking = after(absent, join(guest), join(host, { end_on_exit: true }))
const alone = (state: Conference) => after(state, { _tag: "Remove", workspace_id, call_id: toCallId("guest") })
const states: ReadonlyArray<Conference> = [absent, waiting, talking, after(talking, { _tag: "End", workspace_id })]

const rows: ReadonlyArray<readonly [string, (state: Conference) => ReadonlyArray<ConferenceEvent> | string]> = [
  ["a call joins", (state) => eventsOf(state, join())],
  ["a call joins with `start_on_enter: false`", (state) => eventsOf(state, join(newcomer, { start_on_enter: false }))],
  ["a call leaves", (state) => eventsOf(state, { _tag: "Leave", call_id: toCallId("guest"), step: 0, result: "left" })],
  [
    "the last call leaves",
    (state) => eventsOf(alone(state), { _tag: "Leave", call_id: toCallId("host"), step: 0, result: "left" })
  ],
  [
    "a call with `end_on_exit` leaves",
    (state) => eventsOf(state, { _tag: "Leave", call_id: toCallId("host"), step: 0, result: "left" })
  ],
  [
    "`PATCH …/participants/{call_id}`",
    (state) => eventsOf(state, { _tag: "Change", workspace_id, call_id: toCallId("guest"), change: { muted: true } })
  ],
  [
    "`DELETE …/participants/{call_id}`",
    (state) => eventsOf(state, { _tag: "Remove", workspace_id, call_id: toCallId("guest") })
  ],
  [
    "`POST …/announce`",
    (state) => eventsOf(state, { _tag: "Announce", workspace_id, media: { kind: "say", text: "Hello.", loop: 1 } })
  ],
  ["`POST …/end`", (state) => eventsOf(state, { _tag: "End", workspace_id })]
]

const words: { readonly [Tag in ConferenceEvent["_tag"]]: string } = {
  Created: "is made",
  Joined: "the call joins",
  Started: "starts",
  Left: "the call leaves",
  Changed: "the participant changes",
  Announced: "all hear it",
  RemovalRequested: "",
  EndRequested: "",
  Ended: "ends",
  SettingsKnown: "",
  ExpulsionKnown: "",
  RoomClosed: ""
}

/** Several calls that leave are told as one. */
const cell = (events: ReadonlyArray<ConferenceEvent> | string): string => {
  if (typeof events === "string") return events
  const left = events.filter(({ _tag }) => _tag === "Left").length
  const told = events.map(({ _tag }) => (_tag === "Left" && left > 1 ? "all calls leave" : words[_tag]))
  return [...new Set(told)].join(", ")
}

export const render = (): string =>
  begin + rows.map(([what, of]) => `| ${what} | ${states.map((state) => cell(of(state))).join(" | ")} |\n`).join("")

if (import.meta.main) {
  const text = await readFile(page, "utf8")
  const [before = "", rest = ""] = text.split(begin)
  await writeFile(page, before + render() + rest.replace(/^(\|.*\n)*/, ""))
}
