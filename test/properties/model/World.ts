// One workspace's money and calls, and all that reaches them: what a history plays on. Decisions are the engine's own;
// how its work reaches the wallet, the PBX and other calls, and what gets lost on the way, is modelled here.
import { Result } from "effect"
import { type AvailableFunds, availableFunds } from "../../../src/actors/wallet/AvailableFunds.ts"
import { CallActor } from "../../../src/actors/calls/CallActor.ts"
import { WalletActor } from "../../../src/actors/wallet/WalletActor.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { currentAction, type PlacedCall } from "../../../src/domain/calls/Call.ts"
import type { CallCommands, CallMessage, CallReply } from "../../../src/domain/calls/CallCommand.ts"
import type { CallFacts, LegRefusal } from "../../../src/domain/calls/CallFacts.ts"
import { callRecord } from "../../../src/domain/calls/CallView.ts"
import type { CallWork } from "../../../src/domain/calls/PlanCall.ts"
import type { Failure } from "../../../src/domain/errors/Failure.ts"
import { callOfSession, sessionOfCall } from "../../../src/domain/pbx/Session.ts"
import { audit_every_ms } from "../../../src/domain/wallet/Wallet.ts"
import type { Tag } from "../../../src/domain/Command.ts"
import type { WalletCommands, WalletMessage } from "../../../src/domain/wallet/WalletCommand.ts"
import { Agenda } from "./Agenda.ts"
import { Books } from "./Books.ts"
import { incoming, isIncoming } from "./Callers.ts"
import {
  type CallAsk,
  type CallCell,
  type CallThen,
  type Group,
  moneyLeft,
  type WalletAsk,
  type WalletCell,
  type WalletThen,
  type WorkOf
} from "./Cells.ts"
import type { Choices } from "./Choices.ts"
import { factsOf, numbers, rates_minor, refusal, scripts, steps_max } from "./Customer.ts"
import { ModelCell, type Run } from "./ModelCell.ts"
import { ModelPbx } from "./ModelPbx.ts"
import { workspaceId } from "../../support/Ids.ts"

export const workspace_id = workspaceId("workspace")

/** A leg is on disk so long after its hold, or is asked for anew: before the wallet takes the hold for forgotten. */
const place_ms = 10_000
const started_at = Date.UTC(2026, 10, 20)

export class World {
  readonly agenda: Agenda
  readonly books = new Books()
  readonly pbx: ModelPbx
  readonly wallet: WalletCell
  readonly calls = new Map<string, CallCell>()
  /** By the id of each leg. */
  readonly groups = new Map<string, Group>()
  /** Calls that something was decided for since they were last looked at. */
  readonly touched = new Set<CallCell>()
  private readonly choices: Choices
  /** Events of the PBX that are on disk. */
  private readonly taken = new Set<string>()
  private ids = 0
  private placed = 0

  constructor(choices: Choices) {
    this.choices = choices
    this.agenda = new Agenda(choices, started_at)
    this.pbx = new ModelPbx(this.agenda, choices, (session_id, at) => {
      this.agenda.soon("engine", () =>
        this.tellCall(callOfSession(session_id)!, { _tag: "ProofOfLife", at, tenant_pbx_id: "tenant" })
      )
    })
    this.wallet = new ModelCell(WalletActor, workspace_id, {
      agenda: this.agenda,
      books: this.books,
      uuid: this.uuid,
      tell: () => {},
      perform: (_work, run) => this.audit(run)
    })
    this.wallet.decide({ _tag: "Open", currency: "KES" })
    this.credit(choices.of([10_000, 300, 0, 599, 901]))
  }

  readonly uuid = (): string => `id-${++this.ids}`

  callOf(id: string): CallCell {
    const known = this.calls.get(id)
    if (known !== undefined) return known
    const cell: CallCell = new ModelCell(CallActor, id, {
      agenda: this.agenda,
      books: this.books,
      uuid: this.uuid,
      tell: (command) => this.tellCall(id, command),
      perform: (work, run) => this.perform(cell, work, run)
    })
    this.calls.set(id, cell)
    return cell
  }

  // ---- what people do

  credit(amount_minor: number): void {
    const entry_id = this.uuid()
    this.wallet.decide({
      _tag: "Credit",
      entry_id,
      kind: "topup",
      amount_minor,
      reference_type: "topup",
      reference_id: entry_id,
      description: "",
      origin: systemOrigin
    })
  }

  place(): void {
    const id = `00000000-0000-7000-8000-${(++this.placed).toString(16).padStart(12, "0")}`
    this.placeLeg(id, {
      parent: null,
      to: this.choices.of(numbers),
      timeout_seconds: 30,
      alive: () => true,
      done: () => {}
    })
  }

  dialIn(): void {
    this.pbx.dialIn(sessionOfCall(`00000000-0000-7000-8000-${(++this.placed).toString(16).padStart(12, "0")}`))
  }

  demand(cell: CallCell, command: CallMessage): void {
    this.decideCall(cell, command)
  }

  // ---- what goes wrong

  /** The engine dies: what was on its way within it is lost, what is on disk is taken up. */
  crash(down_ms: number): void {
    const { agenda, pbx } = this
    agenda.forgetEngine()
    pbx.inbox = []
    pbx.connected = false
    const until = agenda.now + down_ms
    while ((agenda.next ?? Infinity) <= until) {
      agenda.advance(0)
      while (!agenda.idle) agenda.take()
    }
    agenda.now = until
    pbx.connect()
    this.wallet.restart()
    for (const cell of this.calls.values()) {
      cell.restart()
      this.touched.add(cell)
    }
  }

  /** Neither commands nor events get through for so long. */
  disconnect(for_ms: number): void {
    if (!this.pbx.connected) return
    this.pbx.connected = false
    this.agenda.at(this.agenda.now + for_ms, "pbx", () => this.pbx.connect())
  }

  /** One actor is thrown out of memory. */
  fail(): void {
    const cells = [this.wallet, ...this.calls.values()]
    this.choices.of(cells).restart()
  }

  /** The oldest event that the PBX still keeps, or another one, arrives; its acknowledgement may be lost. */
  deliverEvent(): void {
    const chosen = this.choices.below(this.pbx.outbox.length)
    const first = this.pbx.outbox.findIndex(
      (event) => isIncoming(event) && event.session_id === this.pbx.outbox[chosen]?.session_id
    )
    // Before a session that came in is told nothing is said of it.
    const index = first === -1 ? chosen : first
    const event = this.pbx.outbox[index]
    if (event === undefined || !this.pbx.connected) return
    const cell = this.callOf(callOfSession(event.session_id!)!)
    const before = cell.state
    const command: CallMessage = isIncoming(event)
      ? incoming(this.choices, cell.id, event, { workspace_id, created_at: this.agenda.now })
      : { _tag: "PbxReported", event }
    const reported = this.commits(cell, () => this.decideCall(cell, command))
    if (reported === undefined) return
    if (this.taken.has(event.event_id) && cell.state !== before)
      throw new Error(`An event was taken twice: ${JSON.stringify(event)}`)
    this.taken.add(event.event_id)
    if (!this.choices.oneIn(6)) this.pbx.outbox.splice(index, 1)
  }

  deliverCommand(): void {
    const command = this.pbx.inbox[0]
    if (command === undefined || !this.pbx.connected) return
    this.pbx.carryOut(command)
    if (!this.choices.oneIn(6)) this.pbx.inbox.shift()
  }

  // ---- decisions

  private decideCall(
    cell: CallCell,
    command: CallMessage
  ): Result.Result<CallReply<Tag<CallCommands>>, Failure> | undefined {
    this.touched.add(cell)
    return cell.decide(command)
  }

  private tellCall(id: string, command: CallMessage): void {
    const cell = this.callOf(id)
    this.commits(cell, () => this.decideCall(cell, command))
  }

  /** Now and then the disk fails: before the write, or after it and before anybody is told. */
  private commits<A>(cell: { readonly restart: () => void }, decide: () => A | undefined): A | undefined {
    const fault = this.choices.below(32)
    const decided = fault === 31 ? undefined : decide()
    if (fault < 30) return decided
    cell.restart()
    return undefined
  }

  /** Asks until there is an answer. Work that the plan has dropped may still be asking, and nobody hears the answer. */
  private ask<A>(
    run: Run,
    cell: { readonly restart: () => void },
    decide: () => A | undefined,
    then: (answer: A) => void,
    /** What is done about a fault. Else it is asked again. */
    fault = (): void => this.ask(run, cell, decide, then)
  ): void {
    if (!run.alive && this.choices.oneIn(2)) return
    const answer = this.commits(cell, decide)
    if (!run.alive) return
    this.agenda.soon("engine", () => {
      if (answer === undefined) fault()
      else if (run.alive) then(answer)
    })
  }

  private askWallet<T extends Tag<WalletCommands>>(
    run: Run,
    command: WalletAsk<T>,
    then: WalletThen<T>,
    fault?: () => void
  ): void {
    this.ask(run, this.wallet, () => this.wallet.decide(command as never), then as never, fault)
  }

  private askCall<T extends Tag<CallCommands>>(run: Run, id: string, command: CallAsk<T>, then: CallThen<T>): void {
    const cell = this.callOf(id)
    this.ask(run, cell, () => this.decideCall(cell, command as never), then as never)
  }

  /** The last step of a work: told to the actor until it is on disk, or the plan has dropped it. */
  private tellSelf(run: Run, cell: CallCell, command: CallMessage): void {
    this.agenda.soon("engine", () =>
      this.ask(
        run,
        cell,
        () => this.decideCall(cell, command),
        () => {}
      )
    )
  }

  // ---- work

  private perform(cell: CallCell, work: CallWork, run: Run): void {
    const { id } = cell
    switch (work._tag) {
      case "SendToPbx":
        if (this.agenda.now <= (work.until ?? Infinity)) this.pbx.inbox.push(work.command)
        return
      case "AskCallback":
        return this.askCallback(cell, work, run)
      case "PrepayMinute":
        return this.extendCover(cell, work, run)
      case "Settle":
        return this.settle(cell, work, run)
      case "ReleaseHold":
        return this.askWallet(run, { _tag: "ReleaseHold", hold_id: id }, () =>
          this.tellSelf(run, cell, { _tag: "HoldReleased" })
        )
      case "Admit":
        return this.admit(cell, run)
      case "SurveyDial":
        return this.surveyDial(cell, work, run)
      case "StartChild":
        return this.startChild(cell, work, run)
      case "StopChild": {
        const { cause, child_call_id } = work
        return this.askCall(run, child_call_id, { _tag: "Terminate", source: "caller", cause }, ({ _tag }) =>
          this.tellSelf(run, cell, { _tag: "ChildStopped", child_call_id, found: _tag === "Success" })
        )
      }
      case "ReleaseSpareHold": {
        const { hold_id } = work
        return this.askWallet(run, { _tag: "ReleaseHold", hold_id }, () =>
          this.tellSelf(run, cell, { _tag: "SpareHoldReleased", hold_id })
        )
      }
      case "NotifyRecording": {
        const { id: recording_id, outcome } = work.recording
        return this.tellSelf(run, cell, {
          _tag: "RecordingNotified",
          recording_id,
          told: outcome === null ? "start" : "outcome"
        })
      }
      case "ClaimPickUp":
        return this.claimPickUp(cell, work, run)
      case "NotifyParent": {
        const { parent_call_id, status } = work
        const { duration_seconds = null, sip_code } = callRecord(cell.state as PlacedCall)
        return this.askCall(
          run,
          parent_call_id,
          { _tag: "ChildChanged", child_call_id: id, status, sip_code, duration_seconds },
          () => this.tellSelf(run, cell, { _tag: "ParentNotified", status })
        )
      }
    }
  }

  private admit(cell: CallCell, run: Run): void {
    const hold: WalletMessage = {
      _tag: "PlaceHold",
      hold_id: cell.id,
      call_id: cell.id,
      amount_minor: cell.state.facts!.rate_per_min_minor
    }
    this.askWallet(run, hold, (held) => {
      const cause = Result.isFailure(held) ? "insufficient_funds" : this.choices.oneIn(8) ? "call_rejected" : undefined
      this.tellSelf(
        run,
        cell,
        cause === undefined ? { _tag: "Admitted", ...moneyLeft(held) } : { _tag: "NotAdmitted", cause }
      )
    })
  }

  private askCallback(cell: CallCell, { step }: WorkOf<"AskCallback">, run: Run): void {
    const answer: CallMessage = this.choices.oneIn(8)
      ? { _tag: "CallbackFailed", step, cause: "callback_timeout", http_status: null, pointer: null, detail: "" }
      : { _tag: "CallbackSucceeded", step, actions: step > steps_max ? [] : this.choices.of(scripts) }
    this.agenda.at(this.agenda.now + this.choices.of([100, 0, 9_999]), "engine", () => this.tellSelf(run, cell, answer))
  }

  private extendCover(cell: CallCell, work: WorkOf<"PrepayMinute">, run: Run): void {
    const { amount_minor, minutes } = work
    this.askWallet(run, { _tag: "ExtendHold", hold_id: cell.id, amount_minor }, (answer) => {
      if (Result.isSuccess(answer)) {
        if (answer.success !== null)
          this.tellSelf(run, cell, { _tag: "MinutePrepaid", minutes, ...availableFunds(answer.success) })
        return
      }
      this.tellSelf(run, cell, { _tag: "MinuteRefused", minutes })
      this.agenda.at(this.agenda.now + 1_000, "engine", () => run.alive && this.extendCover(cell, work, run))
    })
  }

  private settle(cell: CallCell, work: WorkOf<"Settle">, run: Run): void {
    const { cost_minor: amount_minor, description } = work
    const settled = (charge: { readonly id: string; readonly amount_minor: number }) =>
      this.tellSelf(run, cell, { _tag: "Settled", cost_minor: 0 - charge.amount_minor, entry_id: charge.id })
    const again = () => {
      const booked = this.books.chargeOf(cell.id)
      if (booked === undefined) return this.settle(cell, work, run)
      this.askWallet(run, { _tag: "ReleaseHold", hold_id: cell.id }, () => settled(booked))
    }
    const capture = { _tag: "CaptureHold", hold_id: cell.id, amount_minor, entry_id: this.uuid(), description } as const
    this.askWallet(
      run,
      capture,
      () => {
        const booked = this.books.chargeOf(cell.id)
        if (booked === undefined) throw new Error(`${cell.id} has neither a hold nor a charge`)
        settled(booked)
      },
      again
    )
  }

  private surveyDial(cell: CallCell, { step }: WorkOf<"SurveyDial">, run: Run): void {
    const { dial } = cell.state
    if (dial === null || cell.state.script?.step !== step) return
    for (const { call_id } of dial.legs) this.groups.set(call_id, { dial, parent_id: cell.id })
    const allowed = dial.legs.filter(() => !this.choices.oneIn(8))
    const refusals = dial.legs.filter((leg) => !allowed.includes(leg)).map(({ call_id }) => refusal(call_id, false))
    const tell = (money: AvailableFunds = {}, ...more: ReadonlyArray<LegRefusal>) =>
      this.tellSelf(run, cell, { _tag: "DialSurveyed", step, refusals: [...refusals, ...more], ...money })
    const { hold_id } = dial
    if (hold_id === null || allowed.length === 0) return tell()
    const amount_minor = Math.max(...allowed.map(({ to }) => rates_minor.get(to)!))
    this.askWallet(run, { _tag: "PlaceHold", hold_id, call_id: cell.id, amount_minor }, (held) =>
      Result.isSuccess(held) ? tell(availableFunds(held.success)) : tell({}, refusal(hold_id, true))
    )
  }

  private startChild(cell: CallCell, { leg, step }: WorkOf<"StartChild">, run: Run): void {
    const action = currentAction(cell.state)
    if (cell.state.script?.step !== step || action === undefined || !("dial" in action)) return
    const { call_id, to } = leg
    const refused = (whole: boolean) =>
      this.tellSelf(run, cell, { _tag: "ChildRefused", refusal: refusal(call_id, whole) })
    if (this.choices.oneIn(8)) return refused(false)
    this.placeLeg(call_id, {
      parent: cell.id,
      to,
      timeout_seconds: action.dial.timeout ?? 30,
      alive: () => run.alive,
      done: (placed) =>
        placed ? this.tellSelf(run, cell, { _tag: "ChildStarted", child_call_id: call_id }) : refused(true)
    })
  }

  private claimPickUp(cell: CallCell, { parent_call_id }: WorkOf<"ClaimPickUp">, run: Run): void {
    const { facts, id } = cell.state as PlacedCall
    const { rate_per_min_minor: amount_minor, session_id, shared_hold_id: from_hold_id } = facts
    const tell = (won: boolean, money: AvailableFunds = {}) =>
      this.tellSelf(run, cell, { _tag: "PickUpClaimed", won, ...money })
    this.askCall(run, parent_call_id, { _tag: "ChildPickedUp", child_call_id: id, session_id }, (answer) => {
      const won = Result.isSuccess(answer) && answer.success
      if (!won || from_hold_id === undefined) return tell(won)
      this.askWallet(run, { _tag: "HandOverHold", from_hold_id, hold_id: id, call_id: id, amount_minor }, (held) =>
        tell(Result.isSuccess(held) && held.success !== null, moneyLeft(held))
      )
    })
  }

  /** First the hold, then the call: once begun it is not interrupted, except by a crash. */
  private placeLeg(
    id: string,
    options: {
      readonly parent: string | null
      readonly to: string
      readonly timeout_seconds: number
      readonly alive: () => boolean
      readonly done: (placed: boolean) => void
    }
  ): void {
    const { done, parent: parent_call_id, timeout_seconds, to } = options
    const run: Run = { alive: true }
    const facts = this.factsOf(id, { parent_call_id, timeout_seconds, to })
    const { now } = this.agenda
    const write = (money: AvailableFunds = {}) => {
      const cell = this.callOf(id)
      const late = this.agenda.now - now > place_ms
      const written = late
        ? undefined
        : this.commits(cell, () => this.decideCall(cell, { _tag: "Originate", facts, ...money }))
      if (written === undefined) this.agenda.soon("engine", () => this.placeLeg(id, options))
      else if (options.alive()) done(true)
    }
    if (facts.shared_hold_id !== undefined) return write()
    const hold: WalletMessage = { _tag: "PlaceHold", hold_id: id, call_id: id, amount_minor: facts.rate_per_min_minor }
    this.askWallet(run, hold, (held) => {
      if (Result.isFailure(held)) return options.alive() ? done(false) : undefined
      write(availableFunds(held.success))
    })
  }

  private factsOf(id: string, asked: Pick<CallFacts, "parent_call_id" | "timeout_seconds" | "to">): CallFacts {
    const shared_hold_id = this.groups.get(id)?.dial.hold_id
    return (
      this.calls.get(id)?.state.facts ?? {
        ...factsOf(id, asked.parent_call_id),
        ...asked,
        workspace_id,
        created_at: this.agenda.now,
        rate_per_min_minor: rates_minor.get(asked.to)!,
        max_duration_seconds: this.choices.of([600, 60, 61]),
        ...(typeof shared_hold_id === "string" && { shared_hold_id })
      }
    )
  }

  private audit(run: Run): void {
    const placed_before = this.agenda.now - audit_every_ms
    const orphaned_hold_ids = this.books.orphanedHolds(placed_before)
    const audited: WalletMessage = { _tag: "Audited", orphaned_hold_ids, placed_before }
    this.agenda.soon("engine", () => this.askWallet(run, audited, () => {}))
  }
}
