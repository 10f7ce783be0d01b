// How each event changes a call. No rule is decided here.
import type { Call } from "./Call.ts"
import type { CallFacts } from "./CallFacts.ts"
import { consultedAbout } from "./CallbackLog.ts"
import { type CallEvent, publicKind } from "./CallEvent.ts"
import { evolveScript, startScript, withoutDial } from "./EvolveScript.ts"
import { forwardAction } from "./InboundSetup.ts"
import { evolveLimit } from "./MaxTalkTime.ts"
import { asking, carryingOut, type Question } from "./Script.ts"
import { callback_budget_ms } from "./ScriptSteps.ts"
import { withSentCommands } from "./SentCommands.ts"
import { evolveStreamViewers } from "./StreamViewer.ts"
import { replayed_max, type TranscriptNotice } from "./Transcript.ts"

const originated = (call: Call, facts: CallFacts): Call => ({
  ...call,
  phase: "ringing",
  facts,
  covered_minutes: 1,
  hold_open: true,
  pbx: { ...call.pbx, proof_at: facts.created_at }
})

const admitted = (call: Call, at: number): Call => {
  const { forward } = call.reception!
  const { voice_callback_url: url } = call.facts!
  if (url !== null) {
    const question: Question = { reason: "incoming", url, result: null, answer_by: at + callback_budget_ms }
    const consulted = consultedAbout(call.consulted, question, at)
    return { ...call, reception: { ...call.reception!, step: "asking" }, script: asking(question, at), consulted }
  }
  return startScript(
    { ...call, reception: { ...call.reception!, step: "forwarding" } },
    carryingOut([forwardAction(forward!)], at)
  )
}

const hungUp = (call: Call, { at, confirmed, ending }: Extract<CallEvent, { readonly _tag: "HungUp" }>): Call => ({
  ...withoutDial(call),
  phase: ending.status === "completed" ? "settling" : "ended",
  ended_at: at,
  ending,
  cost_minor: ending.status === "completed" ? null : 0,
  pbx: { ...call.pbx, closed: call.pbx.closed || confirmed }
})

type Heard = Extract<CallEvent, { readonly _tag: "PbxApplied" | "PbxBuffered" | "PbxClosed" | "Proved" | "Doubted" }>

/** The PBX has spoken of the session. */
const spoken = ({ recalled: _, ...pbx }: Call["pbx"], at: number): Call["pbx"] => ({
  ...pbx,
  proof_at: Math.max(pbx.proof_at, at)
})

/** What is known of the session. */
const heard = (pbx: Call["pbx"], event: Heard): Call["pbx"] => {
  switch (event._tag) {
    case "PbxApplied": {
      const ahead = pbx.ahead.filter(({ seq }) => seq > event.seq)
      const gap_since = ahead.length === 0 ? null : event.at
      return { ...spoken(pbx, event.at), seq: event.seq, ahead, gap_since }
    }
    case "PbxBuffered": {
      const ahead = [...pbx.ahead, event.event].sort((a, b) => a.seq - b.seq)
      return { ...pbx, ahead, gap_since: pbx.gap_since ?? event.at }
    }
    case "PbxClosed":
      return { ...pbx, closed: true }
    case "Proved":
      return spoken(pbx, event.at)
    case "Doubted":
      return { ...pbx, doubted_at: event.at }
  }
}

const answered = (
  call: Call,
  { at, detect_until, question }: Extract<CallEvent, { readonly _tag: "Answered" }>
): Call => ({
  ...call,
  phase: "answered",
  answered_at: at,
  picked_up: null,
  detect_until,
  script: question === null ? call.script : asking(question, at),
  ...(question !== null && { consulted: consultedAbout(call.consulted, question, at) }),
  reception: null,
  pbx: { ...call.pbx, proof_at: Math.max(call.pbx.proof_at, at) }
})

const detected = (
  call: Call,
  { answer_by, answered_by }: Extract<CallEvent, { readonly _tag: "MachineDetected" }>
): Call => {
  const { script } = call
  const asked =
    script?.question?.answer_by === null ? { ...script, question: { ...script.question, answer_by } } : script
  return { ...call, answered_by, detect_until: null, script: asked }
}

/** The last of what was said; the turn that is being told will be the next in the log. */
const heardSaid = (call: Call, notice: TranscriptNotice): Call => ({
  ...call,
  said: [...(call.said ?? []), notice].slice(-replayed_max)
})

const evolved = (call: Call, event: CallEvent): Call => {
  switch (event._tag) {
    case "Originated":
      return originated(call, event.facts)
    case "Received":
      return { ...originated(call, event.facts), reception: event.reception }
    case "Admitted":
      return admitted(call, event.at)
    case "Answering":
      return { ...call, reception: { ...call.reception!, step: "answering" } }
    case "PbxApplied":
    case "PbxBuffered":
    case "PbxClosed":
    case "Proved":
    case "Doubted":
      return { ...call, pbx: heard(call.pbx, event) }
    case "NetworkRang":
      return { ...call, ringing_at: call.ringing_at ?? event.at }
    case "PickedUp":
      return { ...call, picked_up: { at: event.at, claim_by: event.claim_by } }
    case "Answered":
      return answered(call, event)
    case "MachineDetected":
      return detected(call, event)
    case "TurnSaid":
      return {
        ...heardSaid(call, { said: event.said, order: event.order, sequence: call.sequence + 1 }),
        turns: (call.turns ?? 0) + 1
      }
    case "DeltaSaid":
      return heardSaid(call, event.notice)
    case "AnswerIgnored":
      return { ...call, pbx: { ...call.pbx, closed: false, revived_at: event.at } }
    case "Switched":
      return { ...call, [event.what]: { on: event.on, count: (call[event.what]?.count ?? 0) + 1 } }
    case "Resumed": {
      const { recalled: _, ...pbx } = call.pbx
      return { ...call, resumed_at: event.at, pbx }
    }
    case "CoverExtended":
      return { ...call, covered_minutes: event.minutes, refused_minute: null }
    case "TalkLimited":
      return { ...call, talk_limit: evolveLimit(call, event.seconds) }
    case "BalanceWentLow":
      return { ...call, refused_minute: event.minutes }
    case "HungUp":
      return hungUp(call, event)
    case "Settled":
      return { ...call, phase: "ended", cost_minor: event.cost_minor, hold_open: false }
    case "HoldReleased":
      return { ...call, hold_open: false }
    case "ParentTold":
      return { ...call, told_parent: event.status }
    case "CameLate":
    case "CallbackFailed":
    case "DigitPressed":
    case "TagRefused":
    case "Transcribed":
    case "TerminationAsked":
    case "Bridged":
      return call
    case "Watched":
    case "Unwatched":
      return { ...call, watches: evolveStreamViewers(call.watches, event) }
    default:
      return evolveScript(call, event)
  }
}

export const evolveCall = (call: Call, event: CallEvent): Call => {
  const next = withSentCommands(call, evolved(call, event), event)
  return publicKind(event) === undefined ? next : { ...next, sequence: call.sequence + 1 }
}
