// The stored state of an incoming payment.
import { storedState } from "../state/StoredState.ts"
import { type PresentIncomingPayment, StoredIncomingPayment } from "./IncomingPayment.ts"

export const incomingPaymentState = storedState({
  schema: StoredIncomingPayment,
  upgrades: [
    // Payments used to be stored without a currency. M-Pesa was the only provider then.
    ({ arrival, ...stored }) => ({ ...stored, arrival: { currency: "KES", ...(arrival as object) } })
  ]
})

export const stateOfIncomingPayment = ({ _tag, ...stored }: PresentIncomingPayment): string =>
  incomingPaymentState.write(stored)

export const restoreIncomingPayment = incomingPaymentState.restore((stored): PresentIncomingPayment => ({
  _tag: "Present",
  ...stored
}))
