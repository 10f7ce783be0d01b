// The world that a history plays on: the state of one workspace's money and calls, what people do, what goes wrong, and
// how commands reach the wallet and the calls. Decisions are the engine's own. World.ts adds the work of calls.
import type { Result } from "effect"
import { CallActor } from "../../../src/actors/calls/CallActor.ts"
import { WalletActor } from "../../../src/actors/wallet/WalletActor.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import type { CallCommands, CallMessage, CallReply } from "../../../src/domain/calls/state/CallCommand.ts"
import type { CallWork } from "../../../src/domain/calls/decide/PlanCall.ts"
import type { Failure } from "../../../src/domain/errors/Failure.ts"
import { callOfSession, sessionOfCall } from "../../../src/domain/pbx/Session.ts"
import type { Tag } from "../../../src/domain/Command.ts"
import type { WalletCommands } from "../../../src/domain/wallet/WalletCommand.ts"
import { Agenda } from "./Agenda.ts"
import { Books } from "./Books.ts"
import { incoming, isIncoming } from "./Callers.ts"
import {
  type CallAsk,
  type CallCell,
  type CallThen,
  type Group,
  type WalletAsk,
  type WalletCell,
  type WalletThen
} from "./Cells.ts"
import type { Choices } from "./Choices.ts"
import { numbers } from "./Customer.ts"
import { ModelCell, type Run } from "./ModelCell.ts"
import { ModelPbx } from "./ModelPbx.ts"
import { callId, workspaceId } from "../../support/Ids.ts"
import { type CallId, toSessionId } from "../../../src/domain/BrandedIds.ts"

export const workspace_id = workspaceId("workspace")

const started_at = Date.UTC(2026, 10, 20)

export interface LegPlacement {
  readonly parent: CallId | null
  readonly to: string
  readonly timeout_seconds: number
  readonly alive: () => boolean
  readonly done: (placed: boolean) => void
}

export abstract class WorldCore {
  readonly agenda: Agenda
  readonly books = new Books()
  readonly pbx: ModelPbx
  readonly wallet: WalletCell
  readonly calls = new Map<string, CallCell>()
  /** By the id of each leg. */
  readonly groups = new Map<string, Group>()
  /** Calls that something was decided for since they were last looked at. */
  readonly touched = new Set<CallCell>()
  protected readonly choices: Choices
  /** Events of the PBX that are on disk. */
  protected readonly taken = new Set<string>()
  protected ids = 0
  protected placed = 0

  constructor(choices: Choices) {
    this.choices = choices
    this.agenda = new Agenda(choices, started_at)
    this.pbx = new ModelPbx(this.agenda, choices, (session_id, at) => {
      this.agenda.soon("engine", () =>
        this.tellCall(callOfSession(toSessionId(session_id))!, { _tag: "ProofOfLife", at, tenant_pbx_id: "tenant" })
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
    const cell: CallCell = new ModelCell(CallActor, callId(id), {
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
    this.pbx.dialIn(sessionOfCall(callId(`00000000-0000-7000-8000-${(++this.placed).toString(16).padStart(12, "0")}`)))
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

  protected decideCall(
    cell: CallCell,
    command: CallMessage
  ): Result.Result<CallReply<Tag<CallCommands>>, Failure> | undefined {
    this.touched.add(cell)
    return cell.decide(command)
  }

  protected tellCall(id: string, command: CallMessage): void {
    const cell = this.callOf(id)
    this.commits(cell, () => this.decideCall(cell, command))
  }

  /** Now and then the disk fails: before the write, or after it and before anybody is told. */
  protected commits<A>(cell: { readonly restart: () => void }, decide: () => A | undefined): A | undefined {
    const fault = this.choices.below(32)
    const decided = fault === 31 ? undefined : decide()
    if (fault < 30) return decided
    cell.restart()
    return undefined
  }

  /** Asks until there is an answer. Work that the plan has dropped may still be asking, and nobody hears the answer. */
  protected ask<A>(
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

  protected askWallet<T extends Tag<WalletCommands>>(
    run: Run,
    command: WalletAsk<T>,
    then: WalletThen<T>,
    fault?: () => void
  ): void {
    this.ask(run, this.wallet, () => this.wallet.decide(command as never), then as never, fault)
  }

  protected askCall<T extends Tag<CallCommands>>(run: Run, id: string, command: CallAsk<T>, then: CallThen<T>): void {
    const cell = this.callOf(id)
    this.ask(run, cell, () => this.decideCall(cell, command as never), then as never)
  }

  /** The last step of a work: told to the actor until it is on disk, or the plan has dropped it. */
  protected tellSelf(run: Run, cell: CallCell, command: CallMessage): void {
    this.agenda.soon("engine", () =>
      this.ask(
        run,
        cell,
        () => this.decideCall(cell, command),
        () => {}
      )
    )
  }

  protected abstract perform(cell: CallCell, work: CallWork, run: Run): void
  protected abstract audit(run: Run): void
  protected abstract placeLeg(id: string, options: LegPlacement): void
}
