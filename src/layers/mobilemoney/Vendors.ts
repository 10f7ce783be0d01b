// The vendors of mobile money, under their names in MOBILEMONEY_PROVIDER.
export { daraja } from "./daraja/DarajaVendor.ts"
export { simulator } from "./simulator/SimulatorVendor.ts"
