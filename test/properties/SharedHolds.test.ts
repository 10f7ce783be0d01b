// Random histories of holds that one leg or several share, with writes that fail, answers that are lost, restarts, and
// upgrades from the version that kept the legs in the wallet's state. Held against a model that counts everything anew.
import { assert, it } from "@effect/vitest"
import { HashMap, Result } from "effect"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { changeOf } from "../../src/domain/Decision.ts"
import type { HoldRow } from "../../src/domain/journal/Rows.ts"
import { presentOf } from "../../src/domain/Presence.ts"
import { decideWallet } from "../../src/domain/wallet/DecideWallet.ts"
import { recordWallet } from "../../src/domain/wallet/RecordWallet.ts"
import { restoreWallet } from "../../src/domain/wallet/StoredWallet.ts"
import { evolveWallet, initialWallet, type PresentWallet, type Wallet } from "../../src/domain/wallet/Wallet.ts"
import type { WalletMessage } from "../../src/domain/wallet/WalletCommand.ts"
import { depth } from "../support/Depth.ts"
import { callId, workspaceId } from "../support/Ids.ts"
import { version2 } from "../support/WalletStates.ts"
import { bytesOf, Choices } from "./model/Choices.ts"

const workspace_id = workspaceId("workspace")
const max_legs = 9
const max_concurrent_high_risk_calls = 3

const limits = {
  calls_per_second: 1_000_000,
  max_calls_per_destination_per_hour: null,
  daily_spend_limit_minor: null,
  max_concurrent_high_risk_calls
}

/** The rows of a wallet and its holds. A captured hold stays captured, and an ended one does not end again. */
class Disk {
  state: string | undefined
  readonly holds = new Map<string, HoldRow>()
  captures = 0
  releases = 0

  write(recorded: ReturnType<typeof recordWallet>): boolean {
    const isBroken = recorded.holds.some(
      ({ id, status }) => status !== "captured" && this.holds.get(id)?.status === "captured"
    )
    if (isBroken) return false
    for (const { status, id } of recorded.holds)
      if (status !== "open") {
        assert.strictEqual(this.holds.get(id)?.status, "open", `${id} ends once`)
        if (status === "captured") this.captures++
        else this.releases++
      }
    this.state = recorded.state
    for (const row of recorded.holds) this.holds.set(row.id, row)
    return true
  }

  get open(): ReadonlyArray<HoldRow> {
    return [...this.holds.values()].filter(({ status }) => status === "open")
  }

  /** Writes what the version would have written that kept the legs of open holds in the wallet's state. */
  downgrade(): void {
    if (this.state === undefined) return
    this.state = version2(this.state, this.open)
    for (const row of this.open) this.holds.set(row.id, { ...row, legs: 1, high_risk_legs: 0 })
  }

  read(): Wallet {
    if (this.state === undefined) return initialWallet(workspace_id)
    return restoreWallet({ version: 1, workspace_id, state: this.state, alarm: null, holds: this.open }, workspace_id)
  }
}

interface ModelHold {
  amount: number
  legs: number
  high_risk: number
  placed_at: number
}

/** What a wallet ought to answer and to hold. It adds up all holds each time that it needs a sum. */
class Model {
  balance = 0
  readonly holds = new Map<string, ModelHold>()
  readonly captured = new Set<string>()

  sum(of: (hold: ModelHold) => number): number {
    return [...this.holds.values()].reduce((total, hold) => total + of(hold), 0)
  }

  get free(): number {
    return this.balance - this.sum(({ amount }) => amount)
  }

  /** What the command is refused with, as the wallet must say it; undefined if it is not refused. */
  apply(command: WalletMessage, at: number): string | undefined {
    switch (command._tag) {
      case "Credit":
        this.balance += command.amount_minor
        return undefined
      case "Debit":
        if (!command.may_overdraw && command.amount_minor > this.free) return "wallet.insufficient_funds"
        this.balance -= command.amount_minor
        return undefined
      case "PlaceHold":
        return this.place(command, at)
      case "ExtendHold": {
        const hold = this.holds.get(command.hold_id)
        if (hold === undefined || command.amount_minor <= hold.amount) return undefined
        if (command.amount_minor - hold.amount > this.free) return "wallet.insufficient_funds"
        hold.amount = command.amount_minor
        return undefined
      }
      case "HandOverHold": {
        const from = this.holds.get(command.from_hold_id)
        if (this.holds.has(command.hold_id) || from === undefined) return undefined
        const more = command.amount_minor - from.amount
        if (more > 0 && more > this.free) return "wallet.insufficient_funds"
        this.holds.delete(command.from_hold_id)
        const high_risk = from.high_risk > 0 ? 1 : 0
        this.holds.set(command.hold_id, { amount: command.amount_minor, legs: 1, high_risk, placed_at: at })
        return undefined
      }
      case "CaptureHold": {
        const hold = this.holds.get(command.hold_id)
        if (hold === undefined) return undefined
        this.balance -= Math.min(hold.amount, command.amount_minor)
        this.captured.add(command.hold_id)
        this.holds.delete(command.hold_id)
        return undefined
      }
      case "ReleaseHold":
        this.holds.delete(command.hold_id)
        return undefined
      case "Audited":
        for (const id of command.orphaned_hold_ids)
          if ((this.holds.get(id)?.placed_at ?? at) < command.placed_before) this.holds.delete(id)
        return undefined
      default:
        // No other command concerns holds.
        return undefined
    }
  }

  private place(command: WalletMessage<"PlaceHold">, at: number): string | undefined {
    const { amount_minor, dial, hold_id } = command
    const legs = dial?.to.length ?? 1
    const high_risk = dial?.high_risk ?? 0
    const before = this.holds.get(hold_id)
    if (before === undefined) {
      if (this.sum((hold) => hold.legs) + legs > max_legs) return "calls.concurrency_limit_reached"
      const isOver = this.sum((hold) => hold.high_risk) + high_risk > max_concurrent_high_risk_calls
      if (high_risk > 0 && isOver) return "calls.concurrency_limit_reached"
    }
    const amount = Math.max(amount_minor, before?.amount ?? 0)
    const more = amount - (before?.amount ?? 0)
    if (more > this.free) return "wallet.insufficient_funds"
    this.holds.set(hold_id, {
      amount,
      legs: legs > 1 ? legs : (before?.legs ?? 1),
      high_risk: before?.high_risk ?? high_risk,
      placed_at: at
    })
    return undefined
  }
}

const commandOf = (choices: Choices, fresh: () => string): WalletMessage => {
  const amount_minor = choices.of([100, 1, 0, 300, 900])
  const hold_id = `hold-${choices.below(7)}`
  const other = `leg-${choices.below(4)}-${fresh()}`
  const movement = { amount_minor: 400, reference_type: "x", reference_id: "x", description: "", origin: systemOrigin }
  switch (choices.below(12)) {
    case 0:
      return { _tag: "Credit", kind: "topup", entry_id: fresh(), ...movement }
    case 1:
      return { _tag: "Debit", kind: "number_rental", may_overdraw: choices.oneIn(4), entry_id: fresh(), ...movement }
    case 2:
      return { _tag: "ExtendHold", hold_id, amount_minor }
    case 3:
    case 4:
      return { _tag: "CaptureHold", hold_id, amount_minor, entry_id: fresh(), description: "" }
    case 5:
      return choices.oneIn(2) ? { _tag: "ReleaseHold", hold_id, failed: true } : { _tag: "ReleaseHold", hold_id }
    case 6:
    case 7:
      return { _tag: "HandOverHold", from_hold_id: hold_id, hold_id: other, call_id: callId(other), amount_minor }
    case 8:
      return {
        _tag: "Audited",
        orphaned_hold_ids: [hold_id, `hold-${choices.below(7)}`].filter((id, index, all) => all.indexOf(id) === index),
        unused_hold_ids: [],
        placed_before: choices.below(200)
      }
    default: {
      const to = Array.from({ length: 1 + choices.below(4) }, (_, leg) => `+25471100000${leg}`)
      const high_risk = choices.oneIn(3) ? 1 + choices.below(to.length) : 0
      const dial = choices.oneIn(5) ? {} : { dial: { to, high_risk, limits } }
      return { _tag: "PlaceHold", hold_id, call_id: callId(hold_id), amount_minor, max_legs, ...dial }
    }
  }
}

const mustAgree = (wallet: PresentWallet, model: Model, disk: Disk): void => {
  const seen = [...HashMap.values(wallet.holds)].map(
    ({ amount_minor, high_risk_legs = 0, id, legs = 1, placed_at }) => [
      id,
      { amount: amount_minor, legs, high_risk: high_risk_legs, placed_at }
    ]
  )
  assert.deepStrictEqual(Object.fromEntries(seen), Object.fromEntries(model.holds), "the holds are the model's")
  assert.strictEqual(wallet.balance_minor, model.balance)
  assert.strictEqual(
    wallet.held_minor,
    model.sum(({ amount }) => amount),
    "each hold is counted once"
  )
  assert.strictEqual(
    wallet.legs,
    model.sum(({ legs }) => legs),
    "each leg is counted once"
  )
  assert.strictEqual(
    wallet.high_risk_legs,
    model.sum(({ high_risk }) => high_risk),
    "each high-risk leg is counted once"
  )
  assert.sameMembers(
    disk.open.map(({ id }) => id),
    [...model.holds.keys()],
    "the open rows are the model's"
  )
  assert.strictEqual(disk.captures, model.captured.size, "each captured hold is captured once")
}

interface Played {
  readonly refusals: ReadonlySet<string>
  readonly upgrades: number
  readonly disk: Disk
}

/** A decision's write may fail as a whole (`fault` 0), or its answer may be lost with the engine (1). */
const play = (choices: Choices): Played => {
  const disk = new Disk()
  const model = new Model()
  const refusals = new Set<string>()
  let wallet: Wallet = initialWallet(workspace_id)
  let at = 0
  let ids = 0
  let upgrades = 0
  const fresh = () => `fresh-${++ids}`
  const ask = (command: WalletMessage): void => {
    const fault = choices.below(20)
    const decided = decideWallet(wallet, command, ++at)
    if (Result.isFailure(decided)) {
      refusals.add(decided.failure._tag)
      return assert.strictEqual(model.apply(command, at), decided.failure._tag)
    }
    const { events, volatile } = decided.success
    const change = changeOf(evolveWallet, wallet, events, { now: at, uuid: fresh })
    const isKept = events.length === 0 || volatile === true || (fault !== 18 && disk.write(recordWallet(change)))
    if (!isKept || fault === 19) wallet = disk.read()
    else wallet = change.after
    if (isKept) assert.isUndefined(model.apply(command, at), `${command._tag} is not refused`)
  }
  while (disk.state === undefined) ask({ _tag: "Open", currency: "KES" })
  for (let step = 0; step < 70; step++) {
    ask(commandOf(choices, fresh))
    if (choices.oneIn(16)) {
      upgrades++
      disk.downgrade()
      wallet = disk.read()
    } else if (choices.oneIn(12)) wallet = disk.read()
    mustAgree(presentOf(wallet), model, disk)
  }
  return { disk, refusals, upgrades }
}

it("histories of shared holds agree with a model that counts everything anew", () => {
  const refusals = new Set<string>()
  const seen = { captures: 0, releases: 0, upgrades: 0 }
  for (let seed = 0; seed < depth(600, 6_000); seed++) {
    try {
      const played = play(new Choices(bytesOf(seed, 700)))
      for (const refusal of played.refusals) refusals.add(refusal)
      seen.captures += played.disk.captures
      seen.releases += played.disk.releases
      seen.upgrades += played.upgrades
    } catch (error) {
      assert.fail(`Seed ${seed}: ${error instanceof Error ? error.stack : error}`)
    }
  }
  assert.sameMembers([...refusals], ["wallet.insufficient_funds", "calls.concurrency_limit_reached"])
  for (const [name, times] of Object.entries(seen)) assert.isAbove(times, 600, name)
}, 60_000)
