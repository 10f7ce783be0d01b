// What a wallet's decisions cost while many dials ring, each of three legs that share a hold.
import { changeOf } from "../src/domain/Decision.ts"
import { toCallId, type WorkspaceId } from "../src/domain/BrandedIds.ts"
import { presentOf } from "../src/domain/Presence.ts"
import { planWallet } from "../src/domain/wallet/PlanWallet.ts"
import { recordWallet } from "../src/domain/wallet/RecordWallet.ts"
import { evolveWallet, initialWallet, type PresentWallet, type Wallet } from "../src/domain/wallet/Wallet.ts"
import type { WalletMessage } from "../src/domain/wallet/WalletCommand.ts"
import { decision } from "../test/support/WalletStates.ts"
import { systemOrigin } from "../src/domain/access/Origin.ts"
import { type BenchRow, median } from "./Row.ts"

const limits = { calls_per_second: 1_000_000, max_calls_per_destination_per_hour: null, daily_spend_limit_minor: null }

/** A dial of three legs that share one hold. */
export const dial = (id: string) => ({
  hold_id: id,
  call_id: toCallId(id),
  amount_minor: 300,
  max_legs: 1_000_000,
  dial: { to: ["+254711000001", "+254711000002", "+254711000003"], high_risk: 1, limits }
})

/** One decision as the actor's cell makes it, without the journal. */
const decided = (wallet: Wallet, command: WalletMessage): PresentWallet => {
  const now = Date.now()
  const { events } = decision(wallet, command, now)
  const { workspace_id: id } = wallet
  const change = changeOf(evolveWallet, wallet, events, { id, now, uuid: () => id })
  planWallet(change.after)
  recordWallet(change)
  return presentOf(change.after)
}

const cpu_us = (): number => {
  const { system, user } = process.cpuUsage()
  return user + system
}

/** The median of short windows: CPU of a hold and its release in microseconds. */
const holdAndRelease = (wallet: PresentWallet, uuid: () => string, duration_ms: number): number => {
  const windows = Array.from({ length: 5 }, () => {
    const [start, began_us] = [performance.now(), cpu_us()]
    let count = 0
    let state = wallet
    while (performance.now() - start < duration_ms / 15) {
      const id = uuid()
      state = decided(state, { _tag: "PlaceHold", ...dial(id) })
      state = decided(state, { _tag: "ReleaseHold", hold_id: id })
      count++
    }
    return (cpu_us() - began_us) / count
  })
  return median(windows)
}

const credit = (entry_id: string, amount_minor: number): WalletMessage => ({
  _tag: "Credit",
  kind: "topup",
  entry_id,
  amount_minor,
  reference_type: "topup",
  reference_id: entry_id,
  description: "Bench",
  origin: systemOrigin
})

interface DialsBenchOptions {
  readonly uuid: () => string
  readonly duration_ms: number
}

export const openDialsBench = ({ duration_ms, uuid }: DialsBenchOptions, id: WorkspaceId): ReadonlyArray<BenchRow> => {
  let wallet: Wallet = initialWallet(id)
  for (const command of [{ _tag: "Open", currency: "KES" } as const, credit(uuid(), 1_000_000_000_000)])
    wallet = decided(wallet, command)
  return [100, 1_000, 5_000].map((dials): BenchRow => {
    let state = presentOf(wallet)
    for (let n = 0; n < dials; n++) state = decided(state, { _tag: "PlaceHold", ...dial(uuid()) })
    const value = holdAndRelease(state, uuid, duration_ms)
    return { name: `hold and release while ${dials} dials ring`, value, unit: "us of CPU", goal: { most: 50 } }
  })
}
