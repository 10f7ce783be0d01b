// The work of calls in a history: how it reaches the wallet, the PBX and other calls, and what gets lost on the way.
import { Result } from "effect"
import { type AvailableFunds, availableFunds } from "../../../src/actors/wallet/AvailableFunds.ts"
import { currentAction, type PlacedCall } from "../../../src/domain/calls/state/Call.ts"
import type { CallMessage } from "../../../src/domain/calls/state/CallCommand.ts"
import type { CallFacts, LegRefusal } from "../../../src/domain/calls/state/CallFacts.ts"
import { callRecord } from "../../../src/domain/calls/views/CallView.ts"
import type { CallWork } from "../../../src/domain/calls/decide/PlanCall.ts"
import { audit_every_ms } from "../../../src/domain/wallet/Wallet.ts"
import type { WalletMessage } from "../../../src/domain/wallet/WalletCommand.ts"
import { type CallCell, moneyLeft, type WorkOf } from "./Cells.ts"
import { factsOf, rates_minor, refusal, scripts, steps_max } from "./Customer.ts"
import { type Run } from "./ModelCell.ts"
import { type LegPlacement, workspace_id, WorldCore } from "./WorldCore.ts"
import type { CallId } from "../../../src/domain/BrandedIds.ts"

export class World extends WorldCore {
  // ---- work

  protected perform(cell: CallCell, work: CallWork, run: Run): void {
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
      case "JoinConference":
      case "LeaveConference":
        // No script of the model has a conference.
        return
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
      Result.isSuccess(held) ? tell(availableFunds(held.success)) : tell({}, refusal(allowed[0]!.call_id, true))
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
  protected placeLeg(id: CallId, options: LegPlacement): void {
    const { done, parent: parent_call_id, timeout_seconds, to } = options
    const run: Run = { alive: true }
    const facts = this.factsOf(id, { parent_call_id, timeout_seconds, to })
    const write = (money: AvailableFunds = {}) => {
      const cell = this.callOf(id)
      const written = this.commits(cell, () => this.decideCall(cell, { _tag: "Originate", facts, ...money }))
      if (written === undefined || Result.isFailure(written))
        this.agenda.soon("engine", () => this.placeLeg(id, options))
      else if (options.alive()) done(true)
    }
    if (facts.shared_hold_id !== undefined) return write()
    const hold: WalletMessage = { _tag: "PlaceHold", hold_id: id, call_id: id, amount_minor: facts.rate_per_min_minor }
    this.askWallet(run, hold, (held) => {
      if (Result.isFailure(held)) return options.alive() ? done(false) : undefined
      write(availableFunds(held.success))
    })
  }

  private factsOf(id: CallId, asked: Pick<CallFacts, "parent_call_id" | "timeout_seconds" | "to">): CallFacts {
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

  protected audit(run: Run): void {
    const placed_before = this.agenda.now - audit_every_ms
    const audited: WalletMessage = { _tag: "Audited", ...this.books.orphanedHolds(placed_before), placed_before }
    this.agenda.soon("engine", () => this.askWallet(run, audited, () => {}))
  }
}
