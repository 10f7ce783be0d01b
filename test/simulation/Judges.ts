// What must be true of a cluster, whatever happened to it. Everything is computed from the tables and from what the
// outside saw; the engine is never asked.
import { toCallId, type WorkspaceId } from "../../src/domain/BrandedIds.ts"
import type { Call } from "../../src/domain/calls/state/Call.ts"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { callRecordFromState } from "../../src/domain/calls/views/CallView.ts"
import type { LedgerEntryRow } from "../../src/domain/journal/Rows.ts"
import type { SnapshotRow } from "../../src/layers/journal/MemoryTables.ts"
import type { Batch } from "../../src/layers/postgres/journal/JournalBatch.ts"
import type { SnapshotWrite } from "../../src/layers/postgres/journal/JournalTables.ts"
import { writesOf } from "./BatchTables.ts"
import { must } from "./Breach.ts"
import { rival_id, workspace_id } from "./Customer.ts"
import { judgeRents, unpaid } from "./RentJudges.ts"
import type { World } from "./World.ts"

const sum = (amounts: Iterable<number>): number => {
  let total = 0
  for (const amount of amounts) total += amount
  return total
}

const phases: ReadonlyArray<Call["phase"]> = ["absent", "ringing", "answered", "settling", "ended"]
const endKinds = new Set(["call.completed", "call.no_answer", "call.busy", "call.failed", "call.canceled"])
const endStatuses = new Set(["completed", "no_answer", "busy", "failed", "canceled"])

/** Clocks of processes differ by so much, and a hang-up takes so long to take effect. */
const slack_ms = 6_000
/** An answer may cross the end of a call; the line is then hung up. */
const freeTalk_ms = 200_000

/** What must hold after every write. */
class WriteRules {
  private readonly phaseOf = new Map<string, Call["phase"]>()
  private readonly endOf = new Map<string, string>()
  private readonly versions = new Map<string, number>()
  private readonly subscriptions = new Set<string>()
  /** The events that a subscription was to get. */
  readonly owed = new Set<string>()

  constructor(stored: Iterable<SnapshotRow>) {
    for (const { actor_id, actor_type, version } of stored) this.versions.set(`${actor_type}/${actor_id}`, version)
  }

  check(batch: Batch): void {
    for (const { lines } of batch.ledger)
      must(sum(lines.map(({ amount_minor }) => amount_minor)) === 0, "The lines of an entry sum to zero", lines)
    for (const { id, subject_id, workspace_id: owner } of batch.events.filter(({ fan_out }) => fan_out))
      if (owner === workspace_id && [...this.subscriptions].some((subscription) => subscription !== subject_id))
        this.owed.add(id)
    for (const write of writesOf(batch)) this.checkSnapshot(write)
  }

  private checkSnapshot({ actor_id, actor_type, columns, fence, state, version }: SnapshotWrite): void {
    const key = `${actor_type}/${actor_id}`
    const before = this.versions.get(key) ?? 0
    must(fence === before && version > before, "Every version is written once, in order", { key, version, before })
    this.versions.set(key, version)
    if (actor_type === "Wallet") {
      const { balance_minor, held_minor } = columns
      must(Number(held_minor) <= Number(balance_minor), "No more is held than there is", columns)
      must(Number(balance_minor) >= 0, "The balance is never negative", columns)
    }
    if (actor_type === "Call") this.checkCall(actor_id, state)
    if (actor_type !== "Subscription") return
    if (columns["status"] === "active") this.subscriptions.add(actor_id)
    else this.subscriptions.delete(actor_id)
  }

  private checkCall(id: string, state: string): void {
    const { phase } = JSON.parse(state) as Call
    const before = this.phaseOf.get(id) ?? "absent"
    must(phases.indexOf(phase) >= phases.indexOf(before), "A phase never goes back", { id, before, phase })
    this.phaseOf.set(id, phase)
    if (phase !== "ended") return
    const { child_call_ids: _, recording: __, ...record } = callRecordFromState(state)
    const text = JSON.stringify(record)
    const stood = this.endOf.get(id) ?? text
    must(stood === text, "What has ended stays as it was", { before: stood, after: text })
    this.endOf.set(id, text)
  }
}

/** Returns the events that a subscription is to get. */
export const watchWrites = ({ database }: World): ReadonlySet<string> => {
  const rules = new WriteRules(database.tables.snapshots.values())
  database.onWrite = (batch) => rules.check(batch)
  return rules.owed
}

const callsOf = ({ database }: World): ReadonlyArray<SnapshotRow> =>
  [...database.tables.snapshots.values()].filter(({ actor_type }) => actor_type === "Call")

const creditsOf = ({ database: { tables } }: World): ReadonlyArray<LedgerEntryRow> =>
  tables.ledger.filter(({ kind, workspace_id: owner }) => kind === "topup" && owner === workspace_id)

/** What has not come to its end yet; undefined if everything has. */
export const unsettled = (world: World): string | undefined => {
  const { database, pbx, provider } = world
  const { deliveries, holds } = database.tables
  const call = callsOf(world).find(({ columns }) => !endStatuses.has(String(columns["status"])))
  if (call !== undefined) return `a call: ${call.state}`
  const hold = [...holds.values()].find(({ status }) => status === "open")
  if (hold !== undefined) return `a hold: ${JSON.stringify(hold)}`
  const delivery = [...deliveries.values()].find(({ status }) => status !== "succeeded" && status !== "dead_letter")
  if (delivery !== undefined) return `a delivery: ${JSON.stringify(delivery)}`
  const topUp = [...database.tables.snapshots.values()].find(
    ({ actor_type, columns }) => actor_type === "TopUp" && columns["status"] === "pending"
  )
  if (topUp !== undefined) return `a top-up: ${topUp.state}`
  const rent = world.scenario.rents ? unpaid(database.tables) : undefined
  if (rent !== undefined) return rent
  const credited = creditsOf(world).length
  if (credited < provider.payments.size) return `${provider.payments.size} payments, of which ${credited} are credited`
  if (pbx.switchboard.live.length > 0) return `a session of the PBX: ${pbx.switchboard.live[0]}`
  return pbx.outbox.size > 0 ? `${pbx.outbox.size} events of the PBX` : undefined
}

const judgeBooks = ({ database: { tables } }: World, owner: WorkspaceId): ReadonlyArray<LedgerEntryRow> => {
  const wallet = tables.snapshot("Wallet", owner)
  const entries = tables.ledger.filter((entry) => entry.workspace_id === owner)
  const balance_minor = Number(wallet?.columns["balance_minor"] ?? 0)
  const booked_minor = sum(entries.map(({ amount_minor }) => amount_minor))
  must(booked_minor === balance_minor, "The ledger makes the balance", { booked_minor, balance_minor })
  must(Number(wallet?.columns["held_minor"] ?? 0) === 0, "No money is held when nobody talks", wallet?.columns)
  let balance_before_minor = 0
  for (const entry of entries) {
    balance_before_minor += entry.amount_minor
    must(balance_before_minor === entry.balance_after_minor, "The entries of a wallet form a chain", entry)
  }
  must(new Set(entries.map(({ id }) => id)).size === entries.length, "An entry is booked once", entries.length)
  return entries
}

const judgeCharge = (record: CallRecord, charges: ReadonlyArray<LedgerEntryRow>, { database }: World): void => {
  const isCompleted = record.status === "completed"
  const charged_minor = 0 - sum(charges.map(({ amount_minor }) => amount_minor))
  must(charges.length === (isCompleted ? 1 : 0), "A call is charged once if it was completed", { record, charges })
  must(record.cost_minor === charged_minor, "The cost is what was charged", { record, charges })
  const formula_minor = Math.ceil((record.billed_seconds ?? 0) / 60) * record.rate_per_min_minor
  must(!isCompleted || charged_minor === formula_minor, "The formula of the bill holds", record)
  const hold = database.tables.holds.get(record.id)
  must(hold === undefined || hold.captured_minor === charged_minor, "What is captured is what is charged", {
    hold,
    record
  })
}

/** The PBX knows how long a session really talked. */
const judgeTalk = (record: CallRecord, { pbx }: World): void => {
  const talk_ms = pbx.talks_ms.get(record.session_id)
  if (talk_ms === undefined) return
  if (record.status !== "completed")
    return must(talk_ms <= freeTalk_ms, "Nobody talks for nothing", { talk_ms, record })
  const seen_seconds = Math.max(1, Math.ceil((talk_ms + slack_ms) / 60_000)) * 60
  must((record.billed_seconds ?? 0) <= seen_seconds, "Nobody pays for minutes that the PBX has not seen", {
    talk_ms,
    record
  })
}

const judgeTopUps = (world: World): void => {
  const paid = [...world.provider.payments.values()].map(({ amount_minor }) => amount_minor)
  const credited = creditsOf(world).map(({ amount_minor }) => amount_minor)
  const sorted = (amounts: ReadonlyArray<number>) => amounts.toSorted((a, b) => a - b).join()
  must(sorted(credited) === sorted(paid), "Every payment is credited once, with its amount", { paid, credited })
  const prompts = [...world.provider.prompts]
  must(
    prompts.every(([, times]) => times === 1),
    "Nobody is prompted twice for a top-up",
    prompts
  )
}

const judgeEvents = (world: World): void => {
  const bySubject = Map.groupBy(world.database.tables.events, ({ subject_id }) => subject_id)
  for (const { actor_id } of callsOf(world)) {
    const events = bySubject.get(actor_id) ?? []
    const seen = events.map(({ kind, sequence }) => [kind, sequence])
    must(
      events.every(({ sequence }, index) => sequence === index + 1),
      "The events of a call are numbered without a gap",
      seen
    )
    must(events.filter(({ kind }) => endKinds.has(kind)).length === 1, "One event ends a call", seen)
  }
}

const judgeCalls = (world: World, entries: ReadonlyArray<LedgerEntryRow>): void => {
  const charges = Map.groupBy(
    entries.filter(({ kind }) => kind === "call_charge"),
    ({ reference_id }) => reference_id
  )
  for (const { actor_id, state } of callsOf(world)) {
    const record = { ...callRecordFromState(state), id: toCallId(actor_id) }
    judgeCharge(record, charges.get(actor_id) ?? [], world)
    judgeTalk(record, world)
    const { phase } = JSON.parse(state) as Call
    must(phase === "ended", "A call that is over has ended", { actor_id, phase })
  }
}

const judgeDeliveries = ({ database, receivers }: World, owed: ReadonlySet<string>): void => {
  const delivered = new Set([...database.tables.deliveries.values()].map(({ event_id }) => event_id))
  for (const id of owed) must(delivered.has(id), "Every event has a delivery", { id })
  const heard = new Map<string, Set<string>>()
  for (const { delivery_id, event_id } of receivers.heard)
    heard.set(event_id, (heard.get(event_id) ?? new Set()).add(delivery_id))
  for (const { event_id, id, status } of database.tables.deliveries.values())
    must(status !== "succeeded" || heard.get(event_id)?.has(id) === true, "What counts as delivered was heard", { id })
  for (const [event_id, ids] of heard)
    must(ids.size === 1, "An event is delivered under one id", { event_id, ids: [...ids] })
}

/** A refused request may succeed when it is made again with its key (docs/idempotency.md). */
const judgeAnswers = ({ clients, database }: World): void => {
  for (const [key, { answers, name }] of clients.answers) {
    const kept = answers.filter(({ status }) => status < 300)
    const different = new Set(kept.map(({ body, status }) => `${status} ${body}`))
    must(different.size <= 1, "A key has one answer", { key, answers })
    for (const { body, status } of kept) {
      if (status !== 201 || name !== "originate") continue
      const { id } = JSON.parse(body) as { readonly id: string }
      must(database.tables.snapshot("Call", id) !== undefined, "What was answered is stored", body)
    }
  }
}

/** What must hold once all is mended and time has gone on. */
export const judgeAtTheEnd = (world: World, owed: ReadonlySet<string>): void => {
  const { errors } = world.kernel
  must(errors.length === 0, "Nothing is logged as an error", errors.slice(0, 3))
  const left = unsettled(world)
  must(left === undefined, "Everything comes to its end", left)
  judgeCalls(world, judgeBooks(world, workspace_id))
  if (world.scenario.rents) {
    judgeBooks(world, rival_id)
    judgeRents(world.database.tables, world.due.storage_at)
  }
  judgeTopUps(world)
  judgeEvents(world)
  judgeDeliveries(world, owed)
  judgeAnswers(world)
}
