// The vendors of card payments, under their names in CARD_PROVIDER.
export { simulator } from "./simulator/SimulatorVendor.ts"
export { stripe } from "./stripe/StripeVendor.ts"
