// The payment providers of sandboxes: the simulators, with receipts that no provider has.
import { Effect, Layer } from "effect"
import { SandboxPayments } from "../../domain/ports/money/SandboxPayments.ts"
import { sandboxReceipt } from "../../domain/topups/ReceiptIds.ts"
import { simulatedCard } from "../card/CardSimulator.ts"
import { makeMobileMoneySimulator } from "../mobilemoney/simulator/MobileMoneySimulator.ts"

export const layer = Layer.effect(
  SandboxPayments,
  Effect.map(makeMobileMoneySimulator(sandboxReceipt), ({ notices, provider }) => ({
    mobileMoney: provider,
    card: simulatedCard,
    notices
  }))
)
