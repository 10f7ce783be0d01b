// The filter of the statement, as the address has it.

export const statementKinds = [
  "topup",
  "topup_reversal",
  "call_charge",
  "number_rental",
  "storage_charge",
  "manual_credit",
  "refund",
  "fee_waiver",
  "manual_debit"
] as const

export interface WalletSearch {
  readonly kind?: (typeof statementKinds)[number]
}

/** Reads the filter of an address. What makes no sense is left out. */
export const readWalletSearch = (search: Readonly<Record<string, unknown>>): WalletSearch => {
  const kind = statementKinds.find((each) => each === search["kind"])
  return kind === undefined ? {} : { kind }
}
