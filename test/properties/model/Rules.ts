// What holds after every step of every history, and what holds once time has run on. Each breach is an Error.
import { HashMap, Option } from "effect"
import { presentOf } from "../../../src/domain/Presence.ts"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import { callRecord } from "../../../src/domain/calls/views/CallView.ts"
import { type Call, isPlaced, type PlacedCall } from "../../../src/domain/calls/state/Call.ts"
import { talkLimitOf, margin_seconds } from "../../../src/domain/calls/state/MaxTalkTime.ts"
import type { EventRow } from "../../../src/domain/journal/Rows.ts"
import type { CallCell } from "./Cells.ts"
import { commandRules } from "./CommandRules.ts"
import type { World } from "./World.ts"
import { workspace_id } from "./WorldCore.ts"

const terminal = new Set(["call.completed", "call.no_answer", "call.busy", "call.failed", "call.canceled"])

const must = (holds: boolean, rule: string, evidence: unknown = ""): void => {
  if (!holds) throw new Error(`${rule}: ${JSON.stringify(evidence)}`)
}

const sum = (amounts: Iterable<number>): number => {
  let total = 0
  for (const amount of amounts) total += amount
  return total
}

/** What a call costs, said anew from what is published of it and from the minutes that were held for it. */
const chargeOf = (record: CallRecord, covered_minutes: number): number => {
  if (record.status !== "completed") return 0
  const talk_seconds = (Date.parse(record.ended_at!) - Date.parse(record.answered_at!)) / 1000
  let minutes = 0
  do minutes += 1
  while (minutes * 60 < talk_seconds && minutes < covered_minutes)
  return minutes * record.rate_per_min_minor
}

const moneyRules = ({ books, wallet }: World): void => {
  const { balance_minor, held_minor, holds } = presentOf(wallet.state)
  const open = [...HashMap.values(holds)]
  must(balance_minor >= 0, "The balance is never negative", balance_minor)
  must(held_minor <= balance_minor, "No more is held than there is", { balance_minor, held_minor })
  must(
    held_minor === sum(open.map(({ amount_minor }) => amount_minor)),
    "The held amount equals the sum of the open holds",
    open
  )
  const rows = [...books.holds.values()].filter(({ status }) => status === "open")
  must(
    held_minor === sum(rows.map(({ amount_minor }) => amount_minor)),
    "The rows of the open holds have the same sum",
    rows
  )
}

const ledgerRules = ({ books, wallet }: World, from: number): void => {
  for (const entry of books.ledger.slice(from)) {
    must(sum(entry.lines.map(({ amount_minor }) => amount_minor)) === 0, "The lines of an entry sum to zero", entry)
  }
  const cash = books.ledger.flatMap(({ lines }) =>
    lines.filter(({ account }) => account === `workspace:${workspace_id}:cash`)
  )
  must(
    sum(cash.map(({ amount_minor }) => amount_minor)) === presentOf(wallet.state).balance_minor,
    "The ledger entries add up to the balance",
    cash
  )
  const last = books.ledger.at(-1)
  must(
    last === undefined || last.balance_after_minor === presentOf(wallet.state).balance_minor,
    "The last entry has the balance",
    last
  )
}

const holdRules = ({ wallet }: World, { id, state }: CallCell): void => {
  const { covered_minutes, facts } = state
  if (facts!.shared_hold_id !== undefined && state.phase === "ringing") return
  if (state.reception?.step === "admitting") return
  const hold = Option.getOrUndefined(HashMap.get(presentOf(wallet.state).holds, id))
  const held = hold !== undefined && hold.amount_minor >= covered_minutes * facts!.rate_per_min_minor
  must(held, "The minutes of talk are held", { hold, state })
}

/** However the money comes and goes, the PBX is wanted to let go on what is paid for, and time to hear of more. */
const limitRules = (call: PlacedCall): void => {
  const { covered_minutes, facts } = call
  const paid_seconds = Math.min(covered_minutes * 60, facts.max_duration_seconds) + margin_seconds
  must(talkLimitOf(call) >= paid_seconds, "The PBX cuts off no talk that is paid for", call)
  must(
    talkLimitOf(call) <= facts.max_duration_seconds + margin_seconds,
    "No talk at the PBX exceeds the longest allowed",
    call
  )
}

const recordRules = (world: World, call: PlacedCall): void => {
  const record = callRecord(call)
  const entry = world.books.chargeOf(call.id)
  const over = call.phase === "ended"
  if (over) {
    must(
      (record.status === "completed") === (record.answered_at !== null),
      "A call is completed if and only if it was answered",
      record
    )
    must((entry !== undefined) === (record.status === "completed"), "A charge, if and only if completed", record)
    must(
      record.cost_minor === chargeOf(record, call.covered_minutes),
      "The cost follows from the published fields",
      record
    )
    must(record.cost_minor === -(entry?.amount_minor ?? 0), "The cost is what was charged", { record, entry })
    must(record.ended_at! >= (record.answered_at ?? record.created_at), "Nothing ends before it began", record)
    must(Date.parse(record.ended_at!) <= world.agenda.now, "Nothing ends in the future", record)
    const exhausted = record.hangup_cause === "balance_exhausted"
    const talk_ms = (call.ended_at ?? 0) - (call.answered_at ?? 0)
    const paid_ms = call.covered_minutes * 60_000
    const by_pbx = talk_ms > paid_ms && talk_ms === (talkLimitOf(call) - margin_seconds) * 1000
    must(
      !exhausted || talk_ms === paid_ms || by_pbx,
      "A call is cut off only at the end of its prepaid minutes or of the PBX's limit",
      record
    )
  } else {
    must(record.cost_minor === undefined && record.hangup_cause === null, "What is not over has no end", record)
    must(entry === undefined || call.phase === "settling", "Nothing is charged before the end", record)
  }
  if (over && record.status === "completed") {
    const { billed_seconds, cost_minor, duration_seconds, rate_per_min_minor } = record
    must(cost_minor === Math.ceil(billed_seconds! / 60) * rate_per_min_minor, "The formula of the bill holds", record)
    must(
      billed_seconds! <= duration_seconds! && duration_seconds! >= 1,
      "No more is billed than the call lasted",
      record
    )
    must(
      rate_per_min_minor === 0 || billed_seconds! <= call.covered_minutes * 60,
      "No more is billed than was prepaid",
      record
    )
  }
}

const eventRules = (events: ReadonlyArray<EventRow>, call: Call): void => {
  must(events.length === call.sequence, "The call has counted its events", {
    sequence: call.sequence,
    events: events.length
  })
  const ends = events.filter(({ kind }) => terminal.has(kind))
  must(
    events.every(({ sequence }, index) => sequence === index + 1),
    "The sequence has no gap",
    events
  )
  must(ends.length === (call.phase === "ended" ? 1 : 0), "One event ends a call", events)
  const [end] = ends
  must(
    events.every(({ late, sequence }) => end === undefined || sequence <= end.sequence || late),
    "Only late events come after the end",
    events
  )
  must(
    events.every(({ kind, late }) => !late || !terminal.has(kind)),
    "The end is never late",
    events
  )
}

/** What a step must not undo. */
interface Seen {
  readonly phase: Call["phase"]
  readonly record: string
}
const order = ["absent", "ringing", "answered", "settling", "ended"]

const over = ({ phase }: Call): boolean => phase === "settling" || phase === "ended"
/** Time may go on so far beyond what is due. */
const actionTimeout_ms = 10_000

export class Rules {
  private readonly world: World
  private readonly seen = new Map<string, Seen>()
  private entries = 0

  constructor(world: World) {
    this.world = world
  }

  /** After every step. */
  check(): void {
    const { world } = this
    moneyRules(world)
    if (this.entries < world.books.ledger.length) {
      ledgerRules(world, this.entries)
      this.entries = world.books.ledger.length
    }
    for (const cell of world.touched) this.checkCall(cell)
    world.touched.clear()
  }

  private checkCall(cell: CallCell): void {
    const { id, state } = cell
    if (!isPlaced(state)) return
    recordRules(this.world, state)
    limitRules(state)
    commandRules(cell, this.world.agenda.now)
    this.checkGroup(state)
    eventRules(this.world.books.eventsOf(id), state)
    if (state.phase === "ringing" || state.phase === "answered") holdRules(this.world, cell)
    const { child_call_ids: _, recording: _recording, ...ending } = callRecord(state)
    const record = state.phase === "ended" ? JSON.stringify(ending) : ""
    const before = this.seen.get(id)
    if (before !== undefined) {
      must(order.indexOf(state.phase) >= order.indexOf(before.phase), "A state never goes back", {
        id,
        before,
        after: state.phase
      })
      must(before.record === "" || before.record === record, "What has ended stays as it was", { before, record })
    }
    this.seen.set(id, { phase: state.phase, record })
  }

  /** Where the first answer decides, one leg of a group is connected at most, and the others cost nothing. */
  private checkGroup(call: PlacedCall): void {
    const group = this.world.groups.get(call.id)
    if (call.answered_at === null || group?.dial.mode.answers !== "first" || group.dial.mode.order === "in_order")
      return
    const answered = group.dial.legs.filter(
      ({ call_id }) => typeof this.world.calls.get(call_id)?.state.answered_at === "number"
    )
    must(answered.length === 1, "One leg of several is answered", answered)
  }

  /** When all that could happen now has happened. */
  checkAtRest(): void {
    for (const { state } of this.world.calls.values()) {
      if (!isPlaced(state)) continue
      this.checkLine(state)
      must(!state.hold_open || state.phase !== "ended", "What has ended holds no money", state)
      const parent_id = state.facts?.parent_call_id
      const parent = typeof parent_id === "string" ? this.world.calls.get(parent_id)?.state : undefined
      const leg = parent?.dial?.legs.find(({ call_id }) => call_id === state.id)
      const wanted = parent === undefined || (!over(parent) && leg !== undefined && leg.phase !== "over")
      must(wanted || over(state), "No leg outlives the call that dialled it, or its wish", { state, parent })
      must(parent === undefined || parent.child_call_ids.includes(state.id), "A call knows the legs that it dialled", {
        state,
        parent
      })
    }
  }

  /** What the call and the PBX make of each other. */
  private checkLine(call: PlacedCall): void {
    const { agenda, pbx } = this.world
    const {
      answered_at,
      ended_at,
      ending,
      facts,
      phase,
      pbx: { closed, proof_at },
      resumed_at
    } = call
    if (phase === "answered") {
      const lost_at = Math.max(answered_at! + 180_000, proof_at + 180_000, (resumed_at ?? 0) + 90_000)
      must(agenda.now <= lost_at + actionTimeout_ms, "A line without a sign of life is given up", call)
    }
    const session = pbx.sessions.get(facts.session_id)
    if (!over(call) || session === undefined) return
    const refused = ending!.status !== "canceled" && ending!.sip_code !== null && !session.was_asked
    must(answered_at !== null || !refused || !session.was_answered, "Whoever was connected has not refused", {
      call,
      session
    })
    if (!pbx.connected || session.state === "ended") return
    must(closed, "A line that is to be closed is told so", { call, session })
    const since = Math.max(ended_at!, pbx.connected_at, session.began_at, resumed_at ?? 0)
    must(agenda.now <= since + 90_000 + actionTimeout_ms, "A line that lives on is closed again", { call, session })
  }

  /** When time has run on for as long as anything waited. */
  checkAtTheEnd(): void {
    const { calls, pbx, wallet } = this.world
    for (const { id, plan, state } of calls.values()) {
      if (!isPlaced(state)) continue
      must(state.phase === "ended", "Every call ends", state)
      must(plan.length === 0, "What has ended asks for nothing more", { id, plan })
    }
    must(HashMap.isEmpty(presentOf(wallet.state).holds), "Every hold is closed", wallet.state)
    must(pbx.live.length === 0, "No line is left open", pbx.live)
  }
}
