// The invoice of a month, made of the ledger alone. Every calendar month (UTC) since the wallet's first entry has one,
// once it has ended, so its number is its place among these months.
import { Schema } from "effect"
import { isoInstant } from "../kit/Instants.ts"
import { isLive } from "../kit/Sandbox.ts"
import { beginOf, endOf, monthAfter, monthOf, monthsBetween } from "./CalendarMonth.ts"
import type { Currency } from "./Currency.ts"
import { documentFields, documentNumber, type Parties } from "./Receipt.ts"
import { StatementKind } from "./StatementEntry.ts"

export const InvoiceMonth = Schema.String.check(Schema.isPattern(/^[0-9]{4}-(?:0[1-9]|1[0-2])$/)).annotate({
  description: "A calendar month in UTC, such as `2026-11`."
})

const period = {
  month: InvoiceMonth,
  from: Schema.String.annotate({ description: "When the month begins." }),
  to: Schema.String.annotate({ description: "When it ends: the first instant of the next month." })
}

const Line = Schema.Struct({
  kind: StatementKind,
  entries: Schema.Int.annotate({ description: "How many entries of the statement the line sums up." }),
  amount_minor: Schema.Int.annotate({ description: "As in the statement: negative out of the wallet." })
}).annotate({ identifier: "InvoiceLine" })

export const Invoice = Schema.Struct({
  ...documentFields,
  ...period,
  charges: Schema.Array(Line).annotate({ description: "Calls, numbers and storage, and debits by an operator." }),
  credits: Schema.Array(Line).annotate({ description: "Refunds and other credits by an operator." }),
  total_minor: Schema.Int.annotate({
    description: "What the month cost: the charges less the credits. It was paid from the wallet in advance."
  }),
  payments: Schema.Array(Line).annotate({ description: "Top-ups, and what providers took back of them." }),
  opening_balance_minor: Schema.Int.annotate({ description: "The balance when the month began." }),
  closing_balance_minor: Schema.Int.annotate({
    description: "The opening balance less `total_minor`, plus the payments."
  })
}).annotate({ identifier: "Invoice", description: "Amounts are minor units: 100 make 1.00 of the currency." })
export type Invoice = typeof Invoice.Type
export type InvoiceLine = typeof Line.Type

/** An invoice in the list of them. */
export const InvoiceSummary = Schema.Struct({
  number: documentFields.number,
  ...period
}).annotate({ identifier: "InvoiceSummary" })
export type InvoiceSummary = typeof InvoiceSummary.Type

/** What the ledger says of a month. */
export interface MonthOfLedger {
  readonly lines: ReadonlyArray<InvoiceLine>
  readonly opening_balance_minor: number
  readonly closing_balance_minor: number
}

const sections: Readonly<Record<StatementKind, "charges" | "credits" | "payments">> = {
  call_charge: "charges",
  number_rental: "charges",
  storage_charge: "charges",
  manual_debit: "charges",
  manual_credit: "credits",
  refund: "credits",
  fee_waiver: "credits",
  topup: "payments",
  topup_reversal: "payments"
}

const instants = (month: string) => ({
  from: isoInstant(beginOf(month)),
  to: isoInstant(endOf(month))
})

/** Avoids negative zero. */
const costOf = (lines: ReadonlyArray<InvoiceLine>): number =>
  lines.reduce((sum, { amount_minor }) => sum - amount_minor, 0) || 0

export const invoiceOf = (
  month: string,
  { first_month, ledger }: { readonly first_month: string; readonly ledger: MonthOfLedger },
  { customer, issuer, reference }: Parties,
  currency: Currency
): Invoice => {
  const { lines, ...balances } = ledger
  const of = (section: "charges" | "credits" | "payments") =>
    StatementKind.literals.flatMap((kind) =>
      sections[kind] === section ? lines.filter((line) => line.kind === kind) : []
    )
  const charges = of("charges")
  const credits = of("credits")
  return {
    number: documentNumber("I", reference, monthsBetween(first_month, month) + 1),
    livemode: isLive(customer.workspace_id),
    issuer,
    customer,
    currency,
    month,
    ...instants(month),
    charges,
    credits,
    total_minor: costOf([...charges, ...credits]),
    payments: of("payments"),
    ...balances
  }
}

/** Whether the month has an invoice: it has ended, and the wallet had its first entry before that. */
export const isInvoiced = (month: string, first_month: string | undefined, now: number): boolean =>
  first_month !== undefined && monthsBetween(first_month, month) >= 0 && endOf(month) <= now

/** The invoices of a wallet, newest first: those before `before`, at most `limit`. */
export const invoicesOf = (
  first_month: string | undefined,
  reference: string,
  now: number,
  { before, limit }: { readonly before: string | undefined; readonly limit: number }
): ReadonlyArray<InvoiceSummary> => {
  if (first_month === undefined) return []
  const listed: Array<InvoiceSummary> = []
  // The current month has no invoice yet.
  let month = monthAfter(before ?? monthOf(now), -1)
  for (; isInvoiced(month, first_month, now) && listed.length < limit; month = monthAfter(month, -1)) {
    const number = documentNumber("I", reference, monthsBetween(first_month, month) + 1)
    listed.push({ number, month, ...instants(month) })
  }
  return listed
}
