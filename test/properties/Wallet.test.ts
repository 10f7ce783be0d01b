// Random histories of one wallet, with writes that fail, answers that are lost and restarts, held against a model of
// ten lines.
import { assert, it } from "@effect/vitest"
import { changeOf } from "../../src/domain/Decision.ts"
import { HashMap, Result } from "effect"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import type { HoldRow, LedgerEntryRow, Stored } from "../../src/domain/journal/Rows.ts"
import { presentOf } from "../../src/domain/Presence.ts"
import { decideWallet } from "../../src/domain/wallet/DecideWallet.ts"
import { recordWallet } from "../../src/domain/wallet/RecordWallet.ts"
import { restoreWallet } from "../../src/domain/wallet/StoredWallet.ts"
import { evolveWallet, initialWallet, type PresentWallet, type Wallet } from "../../src/domain/wallet/Wallet.ts"
import type { WalletMessage } from "../../src/domain/wallet/WalletCommand.ts"
import { bytesOf, Choices } from "./model/Choices.ts"
import { callId, workspaceId } from "../support/Ids.ts"

const workspace_id = workspaceId("workspace")

/** The tables, with their unique keys. */
class Disk {
  state: string | undefined
  readonly holds = new Map<string, HoldRow>()
  readonly entries = new Map<string, LedgerEntryRow>()
  readonly told: Array<{ readonly kind: string; readonly sequence: number }> = []

  write(recorded: ReturnType<typeof recordWallet>): boolean {
    const charges = new Set(
      [...this.entries.values()].filter(({ kind }) => kind === "call_charge").map(({ reference_id }) => reference_id)
    )
    if (
      recorded.ledger.some(
        ({ id, kind, reference_id }) => this.entries.has(id) || (kind === "call_charge" && charges.has(reference_id))
      )
    )
      return false
    this.state = recorded.state
    for (const hold of recorded.holds) this.holds.set(hold.id, hold)
    for (const entry of recorded.ledger) this.entries.set(entry.id, entry)
    this.told.push(...recorded.events)
    return true
  }

  read(): Wallet {
    if (this.state === undefined) return initialWallet(workspace_id)
    const holds = [...this.holds.values()].filter(({ status }) => status === "open")
    return restoreWallet(
      { version: 1, workspace_id, state: this.state, alarm: null, holds } satisfies Stored,
      workspace_id
    )
  }
}

/** What a wallet ought to be, said anew: entries happen once, holds are money that nobody else can have. */
class Model {
  balance = 0
  readonly holds = new Map<string, number>()
  readonly entries = new Set<string>()
  free = (but = ""): number =>
    this.balance - [...this.holds].reduce((sum, [id, held]) => (id === but ? sum : sum + held), 0)

  apply(command: WalletMessage): void {
    switch (command._tag) {
      case "Credit":
      case "Debit": {
        if (this.entries.has(command.entry_id) || command.amount_minor === 0) return
        if (command._tag === "Debit" && !command.may_overdraw && command.amount_minor > this.free()) return
        this.entries.add(command.entry_id)
        this.balance += command._tag === "Credit" ? command.amount_minor : -command.amount_minor
        return
      }
      case "PlaceHold":
      case "ExtendHold": {
        const held = this.holds.get(command.hold_id)
        if (command._tag === "ExtendHold" && held === undefined) return
        const more = command.amount_minor - (held ?? 0)
        if ((more <= 0 && held !== undefined) || more <= this.free())
          this.holds.set(command.hold_id, Math.max(held ?? 0, command.amount_minor))
        return
      }
      case "CaptureHold": {
        const held = this.holds.get(command.hold_id)
        if (held === undefined) return
        this.balance -= Math.min(held, command.amount_minor)
        this.holds.delete(command.hold_id)
        return
      }
      case "ReleaseHold":
        this.holds.delete(command.hold_id)
        return
      default:
        // No other command moves money.
        return
    }
  }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0)

/**
 * Few ids, so that commands meet. Calls are charged under an id of their own each time: the call's is the unique one.
 */
const commandOf = (choices: Choices, fresh: () => string): WalletMessage => {
  const amount_minor = choices.of([100, 0, 1, 250, 700, 3_000])
  const entry_id = `entry-${choices.below(6)}`
  const hold_id = `call-${choices.below(12)}`
  const movement = {
    entry_id,
    amount_minor,
    reference_type: "x",
    reference_id: "x",
    description: "",
    origin: systemOrigin
  }
  switch (
    choices.of([
      "PlaceHold",
      "Credit",
      "CaptureHold",
      "ExtendHold",
      "Debit",
      "ReleaseHold",
      "Overdraw",
      "Adjust",
      "Threshold"
    ] as const)
  ) {
    case "Credit":
      return { _tag: "Credit", kind: "topup", ...movement, entry_id: choices.oneIn(2) ? fresh() : entry_id }
    case "Adjust":
      return {
        _tag: "Credit",
        kind: "fee_waiver",
        ...movement,
        entry_id: `adjust-${choices.below(6)}`,
        origin: { ...systemOrigin, actor: { type: "ops", id: null, label: null } }
      }
    case "Debit":
      return {
        _tag: "Debit",
        kind: "number_rental",
        may_overdraw: false,
        ...movement,
        entry_id: `debit-${choices.below(8)}`
      }
    case "Overdraw":
      return {
        _tag: "Debit",
        kind: choices.oneIn(2) ? "storage_charge" : "topup_reversal",
        may_overdraw: true,
        ...movement,
        entry_id: `renewal-${choices.below(3)}`
      }
    case "PlaceHold":
      return { _tag: "PlaceHold", hold_id, call_id: callId(hold_id), amount_minor }
    case "ExtendHold":
      return { _tag: "ExtendHold", hold_id, amount_minor }
    case "CaptureHold":
      return { _tag: "CaptureHold", hold_id, amount_minor, entry_id: fresh(), description: "" }
    case "ReleaseHold":
      return { _tag: "ReleaseHold", hold_id }
    case "Threshold":
      return { _tag: "SetThreshold", low_balance_threshold_minor: choices.of([0, 500]), origin: systemOrigin }
  }
}

const overdrawing = new Set(["storage_charge", "number_rental", "manual_debit", "topup_reversal"])

const mustHold = (disk: Disk, wallet: PresentWallet, model: Model): void => {
  const entries = [...disk.entries.values()]
  assert.strictEqual(wallet.balance_minor, model.balance, "the balance is the model's")
  assert.deepStrictEqual(
    new Map([...HashMap.entries(wallet.holds)].map(([id, { amount_minor }]) => [id, amount_minor])),
    model.holds,
    "the holds are the model's"
  )
  assert.strictEqual(wallet.held_minor, sum(model.holds.values()), "what is held is the sum of the holds")
  for (const { amount_minor, lines } of entries) {
    assert.strictEqual(sum(lines.map((line) => line.amount_minor)), 0, "lines sum to zero")
    assert.strictEqual(lines[0]!.amount_minor, amount_minor, "the cash line is the amount")
  }
  assert.strictEqual(
    sum(entries.map(({ amount_minor }) => amount_minor)),
    wallet.balance_minor,
    "the ledger makes the balance"
  )
  let before = 0
  for (const { amount_minor, balance_after_minor } of entries)
    assert.strictEqual((before += amount_minor), balance_after_minor, "entries make a chain")
  if (!entries.some(({ kind }) => overdrawing.has(kind))) assert.isAtLeast(model.free(), 0, "nothing is overdrawn")
  const charges = entries.filter(({ kind }) => kind === "call_charge").map(({ reference_id }) => reference_id)
  assert.strictEqual(new Set(charges).size, charges.length, "a call is charged once")
  assert.deepStrictEqual(
    disk.told.map(({ sequence }) => sequence),
    disk.told.map((_, index) => index + 1),
    "events are numbered without a gap"
  )
  for (const [id, { amount_minor, captured_minor, status }] of disk.holds) {
    assert.isTrue(captured_minor <= amount_minor && (status === "captured" || captured_minor === 0), `hold ${id}`)
  }
}

/** Asks as the door does: the books first, then the actor, whose write may fail, or whose answer may be lost. */
const play = (choices: Choices): { readonly disk: Disk; readonly faults: number } => {
  const disk = new Disk()
  const model = new Model()
  let wallet: Wallet = initialWallet(workspace_id)
  let ids = 0
  let faults = 0
  const fresh = () => `fresh-${++ids}`
  const ask = (command: WalletMessage): void => {
    const fault = choices.below(24)
    if (fault >= 22) faults++
    if ("entry_id" in command && disk.entries.has(command.entry_id)) return
    const decided = decideWallet(wallet, command, ids)
    if (Result.isFailure(decided)) return model.apply(command)
    const { events } = decided.success
    const change = changeOf(evolveWallet, wallet, events, { now: ids, uuid: fresh })
    const written = fault !== 22 && (events.length === 0 || disk.write(recordWallet(change)))
    wallet = written && fault !== 23 ? change.after : disk.read()
    if (written) return model.apply(command)
    // The charge of a call that was charged before is refused by the books, for good.
    if (fault === 22) ask(command)
  }
  ask({ _tag: "Open", currency: "KES" })
  for (let step = 0; step < 60; step++) {
    const command = commandOf(choices, fresh)
    const again = choices.oneIn(4)
    ask(command)
    if (again) ask(command)
    if (choices.oneIn(16)) wallet = disk.read()
    mustHold(disk, presentOf(wallet), model)
  }
  return { disk, faults }
}

it("400 histories of a wallet agree with the model after every step", () => {
  const kinds = new Set<string>()
  let faults = 0
  for (let seed = 0; seed < 400; seed++) {
    try {
      const played = play(new Choices(bytesOf(seed, 400)))
      faults += played.faults
      for (const { kind } of played.disk.entries.values()) kinds.add(kind)
      for (const { kind } of played.disk.told) kinds.add(kind)
    } catch (error) {
      assert.fail(`Seed ${seed}: ${error instanceof Error ? error.stack : error}`)
    }
  }
  assert.isAbove(faults, 400)
  assert.sameMembers(
    [...kinds],
    [
      "topup",
      "fee_waiver",
      "number_rental",
      "storage_charge",
      "topup_reversal",
      "call_charge",
      "wallet.adjusted",
      "wallet.low_balance",
      "wallet.negative"
    ]
  )
}, 60_000)
