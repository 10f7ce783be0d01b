// Counting the legs under way by the holds of the wallet.
import { assert, describe, it } from "@effect/vitest"
import { HashMap, Result } from "effect"
import { changeOf } from "../../../src/domain/Decision.ts"
import { presentOf } from "../../../src/domain/Presence.ts"
import { decideWallet } from "../../../src/domain/wallet/DecideWallet.ts"
import { recordWallet } from "../../../src/domain/wallet/RecordWallet.ts"
import { restoreWallet } from "../../../src/domain/wallet/StoredWallet.ts"
import { evolveWallet, type Wallet } from "../../../src/domain/wallet/Wallet.ts"
import type { WalletMessage } from "../../../src/domain/wallet/WalletCommand.ts"
import type { WalletEvent } from "../../../src/domain/wallet/WalletEvent.ts"
import { became, commands, decision, funded, group, id, now } from "../../support/WalletStates.ts"
import { callId } from "../../support/Ids.ts"

describe("Legs that share a hold", () => {
  const ringing = became(funded, ...decision(funded, commands["PlaceHold 2 more of 2"]!).events)
  const another: WalletMessage = {
    _tag: "PlaceHold",
    hold_id: "third",
    call_id: callId("third"),
    amount_minor: 1,
    max_legs: 2
  }
  const refused = (wallet: Wallet) => Result.isFailure(decideWallet(wallet, another, now))

  it("count separately until one of them takes over the hold, or it is released", () => {
    const taken: WalletMessage = {
      _tag: "HandOverHold",
      from_hold_id: "other",
      hold_id: "leg",
      call_id: callId("leg"),
      amount_minor: 300
    }
    const after = (command: WalletMessage) => became(ringing, ...decision(ringing, command).events)
    assert.deepStrictEqual(
      [funded, ringing, after(taken), after({ _tag: "ReleaseHold", hold_id: "other" })].map(({ legs }) => legs),
      [0, 2, 1, 0]
    )
    assert.isTrue(refused(ringing))
    assert.isFalse(refused(after(taken)))
  })

  it("are counted after the wallet was restored", () => {
    const events = decision(funded, commands["PlaceHold 2 more of 2"]!).events
    const { holds, state } = recordWallet(changeOf(evolveWallet, funded, events, { now }))
    const again = presentOf(
      restoreWallet({ version: 1, workspace_id: funded.workspace_id, state, alarm: null, holds }, funded.workspace_id)
    )
    assert.strictEqual(again.legs, 2)
  })
})

describe("Legs over the workspace's own trunk", () => {
  const limits = { max_channels: 2, max_cps: null }
  const place = (hold_id: string, legs: number, max_cps: number | null = null): WalletMessage => ({
    _tag: "PlaceHold",
    hold_id,
    call_id: callId(hold_id),
    amount_minor: 1,
    dial: { ...group, to: Array.from({ length: Math.max(1, legs) }, (_, n) => `+25471100000${n}`) },
    ...(legs > 0 && { trunk: { legs, limits: { ...limits, max_cps } } })
  })
  const incoming = (hold_id: string): WalletMessage => ({
    _tag: "PlaceHold",
    hold_id,
    call_id: callId(hold_id),
    amount_minor: 1,
    trunk: { legs: 1, limits }
  })
  const all = (...commands: ReadonlyArray<WalletMessage>) =>
    commands.reduce((wallet, command) => became(wallet, ...decision(wallet, command).events), funded)
  const reason = (wallet: Wallet, command: WalletMessage) => {
    const decided = decideWallet(wallet, command, now)
    return Result.isFailure(decided) ? decided.failure.reason : "ok"
  }
  const released = (hold_id: string): WalletMessage => ({ _tag: "ReleaseHold", hold_id })
  const handOver = (over_trunk: boolean): WalletMessage => ({
    _tag: "HandOverHold",
    from_hold_id: "both",
    hold_id: "leg",
    call_id: callId("leg"),
    amount_minor: 1,
    over_trunk
  })
  const captured: WalletMessage = {
    _tag: "CaptureHold",
    hold_id: "in",
    amount_minor: 1,
    entry_id: "charge",
    description: ""
  }

  it.each<[string, ReadonlyArray<WalletMessage>, number]>([
    ["each leg of a dial", [place("both", 2)], 2],
    ["only the leg that took over the hold", [place("both", 2), handOver(true)], 1],
    ["no leg if another one took over the hold", [place("both", 2), handOver(false)], 0],
    ["inbound legs", [incoming("in"), place("out", 1)], 2],
    ["no leg over another trunk", [place("out", 0)], 0],
    ["no leg whose hold was captured or released", [incoming("in"), place("out", 1), captured, released("out")], 0],
    ["a repeated hold once", [place("out", 1), place("out", 1)], 1],
    ["the legs of the latest request for a hold", [place("both", 1), place("both", 2)], 2]
  ])("count %s", (_, commands, legs) => {
    const wallet = all(...commands)
    assert.strictEqual(wallet.trunk.legs, legs)
    assert.strictEqual(
      wallet.trunk.legs,
      [...HashMap.values(wallet.holds)].reduce((sum, { trunk_legs = 0 }) => sum + trunk_legs, 0)
    )
  })

  it("are refused if the trunk is full, without taking money", () => {
    const full = all(place("both", 2))
    assert.deepStrictEqual(
      [place("more", 1), incoming("more"), place("both", 2), place("elsewhere", 0)].map((command) =>
        reason(full, command)
      ),
      ["max_channels", "max_channels", "ok", "ok"]
    )
    assert.strictEqual(reason(all(place("out", 1)), place("more", 1, 1)), "max_cps")
    assert.strictEqual(reason(all(incoming("in")), place("more", 1, 1)), "ok")
    assert.strictEqual(reason(all(place("both", 1)), place("both", 3)), "max_channels")
  })

  it("are counted after the wallet was restored", () => {
    const before = all(place("out", 1))
    const { events } = decision(before, incoming("in"))
    const record = (wallet: Wallet, of: ReadonlyArray<WalletEvent>) =>
      recordWallet(changeOf(evolveWallet, wallet, of, { now }))
    const { holds, state } = record(before, events)
    const earlier = record(funded, decision(funded, place("out", 1)).events).holds
    const again = presentOf(
      restoreWallet({ version: 1, workspace_id: id, state, alarm: null, holds: [...earlier, ...holds] }, id)
    )
    assert.strictEqual(again.trunk.legs, 2)
    assert.strictEqual(became(again, ...decision(again, released("out")).events).trunk.legs, 1)
  })
})
