// A constant wallet of 1,000 minor units of KES for every workspace.
import { Effect, Layer } from "effect"
import { SandboxFunds } from "../../src/actors/topups/SandboxFunds.ts"
import { TopUps } from "../../src/actors/topups/TopUps.ts"
import { AutoTopUps } from "../../src/actors/wallet/AutoTopUps.ts"
import { Billing } from "../../src/actors/wallet/Billing.ts"
import { Wallets } from "../../src/actors/wallet/Wallets.ts"
import { ReceiptNotFound, TopUpNotFound } from "../../src/domain/errors/TopUpErrors.ts"
import { InvoiceNotFound, WalletNotFound } from "../../src/domain/errors/WalletErrors.ts"
import { TopUpReads } from "../../src/domain/ports/money/TopUpReads.ts"
import { WalletReads } from "../../src/domain/ports/money/WalletReads.ts"

export const FakeMoney = Layer.mergeAll(
  Layer.succeed(WalletReads)({
    balance: (workspace_id) =>
      Effect.succeed({
        workspace_id,
        balance_minor: 1000,
        held_minor: 400,
        available_minor: 600,
        currency: "KES" as const,
        low_balance_threshold_minor: 0,
        updated_at: "2026-11-20T00:00:00.000Z"
      }),
    statements: () => Effect.succeed([]),
    holds: () => Effect.succeed([]),
    entry: () => Effect.succeed(undefined)
  }),
  Layer.mock(TopUpReads)({ list: () => Effect.succeed([]), suspended: () => Effect.succeed([]) }),
  Layer.mock(TopUps)({
    start: () => Effect.fail(new WalletNotFound()),
    reference: () => Effect.succeed("0123456789"),
    get: () => Effect.fail(new TopUpNotFound()),
    reverse: () => Effect.fail(new TopUpNotFound()),
    release: () => Effect.fail(new TopUpNotFound())
  }),
  Layer.mock(Billing)({
    receipt: () => Effect.fail(new ReceiptNotFound()),
    invoice: () => Effect.fail(new InvoiceNotFound()),
    invoices: () => Effect.succeed([])
  }),
  Layer.mock(AutoTopUps)({
    show: () => Effect.fail(new WalletNotFound()),
    set: () => Effect.fail(new WalletNotFound()),
    removeCard: () => Effect.fail(new WalletNotFound())
  }),
  Layer.mock(SandboxFunds)({
    credit: () => Effect.succeed({ balance_minor: 1000 }),
    payIn: () => Effect.fail(new WalletNotFound())
  }),
  Layer.mock(Wallets)({
    setThreshold: () => Effect.fail(new WalletNotFound()),
    adjust: () => Effect.fail(new WalletNotFound())
  })
)
