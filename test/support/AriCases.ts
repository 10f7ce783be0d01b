// Conversations of a gateway with an Asterisk, and the events that the engine receives. A real Asterisk runs them
// (test/e2e/Conversations.e2e.ts), and their recordings are replayed (test/layers/pbx/asterisk/Recorded.test.ts).
import type { PbxAction } from "../../src/domain/pbx/PbxCommand.ts"
import type { PbxEvent } from "../../src/domain/pbx/PbxEvent.ts"
import { toSessionId } from "../../src/domain/BrandedIds.ts"

/**
 * A step that follows a reported event (`HD_1 leg.answered`) after a delay: a command, or keys that the far end
 * presses.
 */
export interface Step {
  readonly after?: string
  readonly wait_ms?: number
  readonly session: string
  readonly action?: PbxAction
  readonly press?: string
}

/** A caller of the number, who waits for an answer or a refusal, up to a time limit. */
export interface CallsIn {
  readonly talks_ms?: number
  readonly gives_up_ms?: number
  readonly refused_with?: number
}

export interface AriCase {
  readonly name: string
  readonly steps: ReadonlyArray<Step>
  readonly caller?: CallsIn
  /** By session; an inbound session is `inbound`. */
  readonly told: Readonly<Record<string, ReadonlyArray<string>>>
}

export const own_number = "+254700000001"
export const inbound = "inbound"
const created = "session.created"
const rang = [created, "leg.ringing 180"]
const answered = [...rang, "leg.answered 200"]

const call = (digits: string, session = "HD_1", timeout_seconds = 30): Step => ({
  session,
  action: { kind: "originate", to: `+254711000${digits}`, from: own_number, caller_id: own_number, timeout_seconds }
})
const hangup = (after: string, wait_ms = 0, cause = "normal_clearing"): Step => ({
  after,
  wait_ms,
  session: after.split(" ")[0]!,
  action: { kind: "hangup", cause }
})
const gather: PbxAction = {
  kind: "gather",
  min_digits: 0,
  max_digits: 9,
  finish_on_key: "#",
  timeout_ms: 9_000,
  inter_digit_timeout_ms: 9_000
}
const keys = [..."1234#"].map((key) => `dtmf ${key}`)

const refused = (digits: string, how: string): AriCase => ({
  name: `refused-${digits}`,
  steps: [call(digits)],
  told: { HD_1: [created, `leg.hangup ${how}`] }
})

const outbound: ReadonlyArray<AriCase> = [
  { name: "the-far-end-hangs-up", steps: [call("201")], told: { HD_1: [...answered, "leg.hangup 200 16 callee"] } },
  {
    name: "we-hang-up",
    steps: [call("200"), hangup("HD_1 leg.answered", 500)],
    told: { HD_1: [...answered, "leg.hangup 200 16 platform"] }
  },
  refused("486", "486 17 callee"),
  refused("600", "600 17 callee"),
  refused("603", "603 21 callee"),
  refused("403", "403 21 carrier"),
  refused("404", "404 1 carrier"),
  refused("500", "500 38 carrier"),
  refused("503", "503 34 carrier"),
  { name: "nobody-answers", steps: [call("180", "HD_1", 2)], told: { HD_1: [...rang, "leg.hangup 408 19 platform"] } },
  {
    name: "the-carrier-is-silent",
    steps: [call("100", "HD_1", 2)],
    told: { HD_1: [created, "leg.hangup 504 18 carrier"] }
  },
  {
    name: "cancelled",
    steps: [call("180"), hangup("HD_1 leg.ringing", 200)],
    told: { HD_1: [...rang, "leg.hangup 487 16 platform"] }
  },
  {
    name: "answered-while-it-is-cancelled",
    steps: [call("487"), hangup("HD_1 leg.ringing", 200)],
    told: { HD_1: [...rang, "leg.hangup 487 16 platform"] }
  },
  {
    name: "early-media",
    steps: [call("183"), hangup("HD_1 leg.answered", 200)],
    told: { HD_1: [created, "leg.early_media 183", "leg.answered 200", "leg.hangup 200 16 platform"] }
  },
  {
    name: "keys-by-sip-info",
    steps: [
      call("210"),
      { after: "HD_1 leg.answered", session: "HD_1", action: gather },
      hangup("HD_1 gather.finished")
    ],
    told: { HD_1: [created, "leg.answered 200", ...keys, "gather.finished 1234", "leg.hangup 200 16 platform"] }
  },
  {
    name: "keys-within-the-sound",
    steps: [
      call("200"),
      { after: "HD_1 leg.answered", session: "HD_1", action: { kind: "send_digits", digits: "9" } },
      { after: "HD_1 playback.finished", session: "HD_1", action: gather },
      { after: "HD_1 playback.finished", wait_ms: 300, session: "HD_1", press: "1234#" },
      hangup("HD_1 gather.finished")
    ],
    told: {
      HD_1: [...answered, "playback.finished completed", ...keys, "gather.finished 1234", "leg.hangup 200 16 platform"]
    }
  }
]

const several: ReadonlyArray<AriCase> = [
  {
    name: "two-of-three-answer-at-once",
    steps: [
      call("1201", "HD_1"),
      call("2201", "HD_2"),
      call("180", "HD_3"),
      hangup("HD_2 leg.answered", 0, "answered_elsewhere"),
      { ...hangup("HD_2 leg.answered", 0, "answered_elsewhere"), session: "HD_3" }
    ],
    told: {
      HD_1: [...answered, "leg.hangup 200 16 callee"],
      HD_2: [...answered, "leg.hangup 200 16 platform"],
      HD_3: [...rang, "leg.hangup 487 26 platform"]
    }
  },
  {
    name: "two-are-connected-until-one-hangs-up",
    steps: [
      call("200", "HD_1"),
      { ...call("201", "HD_2"), after: "HD_1 leg.answered" },
      { after: "HD_2 leg.answered", session: "HD_1", action: { kind: "bridge", peer_session_id: toSessionId("HD_2") } },
      hangup("HD_1 leg.unbridged", 100)
    ],
    told: {
      HD_1: [...answered, "leg.bridged", "leg.unbridged", "leg.hangup 200 16 platform"],
      HD_2: [...answered, "leg.bridged", "leg.hangup 200 16 callee"]
    }
  }
]

const cameIn = `${inbound} ${created}`
const comingIn: ReadonlyArray<AriCase> = [
  {
    name: "the-caller-hangs-up",
    caller: { talks_ms: 800 },
    steps: [{ after: cameIn, wait_ms: 200, session: inbound, action: { kind: "answer" } }],
    told: { [inbound]: [created, "leg.answered 200", "leg.hangup 200 16 caller"] }
  },
  {
    name: "the-caller-is-hung-up-on",
    caller: {},
    steps: [
      { after: cameIn, wait_ms: 200, session: inbound, action: { kind: "answer" } },
      hangup(`${inbound} leg.answered`, 500)
    ],
    told: { [inbound]: [created, "leg.answered 200", "leg.hangup 200 16 platform"] }
  },
  {
    name: "the-caller-gives-up",
    caller: { gives_up_ms: 500 },
    steps: [],
    told: { [inbound]: [created, "leg.hangup 487 16 caller"] }
  },
  {
    name: "the-caller-is-refused",
    caller: { refused_with: 486 },
    steps: [{ after: cameIn, session: inbound, action: { kind: "reject", sip_code: 486 } }],
    told: { [inbound]: [created, "leg.hangup 486 17 platform"] }
  }
]

export const ariCases: ReadonlyArray<AriCase> = [...outbound, ...several, ...comingIn]

export const nameOf = (session_id: string): string => (/^HD_\d$/.test(session_id) ? session_id : inbound)

const summary = ({ data, type }: PbxEvent): string =>
  [
    type,
    data.sip_code,
    data.q850,
    data.source,
    data.digit,
    data.digits,
    type === "playback.finished" ? data.result : undefined
  ]
    .filter((part) => part !== undefined)
    .join(" ")

/** The reported events by session. */
export const toldOf = (events: ReadonlyArray<PbxEvent>): AriCase["told"] => {
  const ofSessions = events.filter(({ session_id }) => session_id !== undefined).sort((a, b) => a.seq - b.seq)
  const bySession = Map.groupBy(ofSessions, ({ session_id }) => nameOf(session_id!))
  return Object.fromEntries([...bySession].map(([session, told]) => [session, told.map(summary)]))
}
