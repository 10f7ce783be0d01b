// Receipts and invoices as pages that print. Their style is the only thing that the content security policy lets in.
import type { Invoice, InvoiceLine } from "../../domain/wallet/Invoice.ts"
import type { Issuer } from "../../domain/wallet/Issuer.ts"
import type { Receipt } from "../../domain/wallet/Receipt.ts"
import { escaped } from "./Page.ts"

export interface PrintedPage {
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
}

const style =
  "body{font:15px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color:#111;overflow-wrap:anywhere}" +
  "h1{margin:0}header{display:flex;justify-content:space-between;gap:2rem;margin-bottom:2rem}" +
  "table{border-collapse:collapse;width:100%;margin:1.5rem 0}th,td{padding:.3rem 0;border-bottom:1px solid #ccc;text-align:left}" +
  "td:last-child{text-align:right;white-space:nowrap;padding-left:1rem}tr.sum td{font-weight:bold}" +
  ".mode{border:2px solid #b00;padding:.3rem .8rem;color:#b00}" +
  "@page{margin:2cm}@media print{body{margin:0;max-width:none;padding:0}}"

/** SHA-256 of the style, in base64 (Content Security Policy Level 3, section 2.3.1). */
export const styleHash = "KotgKs6w25hgWGdg/iVCXZJbdmOScwYn0FZTLRiqn+I="

const headers = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox`,
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
}

/** Every currency is written with two decimals: 100 minor units are 1.00 (docs/wallet.md). */
export const amountText = (amount_minor: number, currency: string): string => {
  const digits = String(Math.abs(amount_minor)).padStart(3, "0")
  const whole = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")
  return `${amount_minor < 0 ? "\u2212" : ""}${whole}.${digits.slice(-2)} ${currency}`
}

const row = (label: string, value: string, kind = ""): string =>
  `<tr${kind}><td>${escaped(label)}</td><td>${escaped(value)}</td></tr>`

const table = (rows: ReadonlyArray<string>): string => `<table>${rows.join("")}</table>`

const issuerText = ({ address, name, tax_number }: Issuer): string =>
  [...(name === null ? [] : [name]), ...address, ...(tax_number === null ? [] : [`Tax number ${tax_number}`])]
    .map(escaped)
    .join("<br>")

const printed = (
  title: string,
  { customer, issuer, livemode, number }: Pick<Receipt, "customer" | "issuer" | "livemode" | "number">,
  body: string
): PrintedPage => ({
  headers,
  html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(`${title} ${number}`)}</title>
<style>${style}</style></head><body>${livemode ? "" : '<p class="mode">Test mode: no money was paid.</p>'}
<header><div><h1>${escaped(title)}</h1>${escaped(number)}</div><address>${issuerText(issuer)}</address></header>
<p>For ${escaped(customer.name)}<br>Workspace ${escaped(customer.workspace_id)}</p>
${body}</body></html>
`
})

const moment = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`

export const receiptPage = (receipt: Receipt): PrintedPage => {
  const { amount_minor, currency, description, paid_at, provider_reference, reversed_minor, topup_id } = receipt
  const rows = [
    row("Paid on", moment(paid_at)),
    row("Top-up", topup_id),
    ...(provider_reference === null ? [] : [row("Provider's receipt", provider_reference)]),
    row(description, amountText(amount_minor, currency), ' class="sum"'),
    ...(reversed_minor === 0 ? [] : [row("Taken back since", amountText(-reversed_minor, currency))])
  ]
  return printed("Receipt", receipt, table(rows))
}

const kindNames: Readonly<Record<InvoiceLine["kind"], string>> = {
  call_charge: "Calls",
  number_rental: "Rental of numbers",
  storage_charge: "Storage",
  manual_debit: "Debits by the operator",
  manual_credit: "Credits by the operator",
  refund: "Refunds",
  fee_waiver: "Waived fees",
  topup: "Top-ups",
  topup_reversal: "Reversed top-ups"
}

export const invoicePage = (invoice: Invoice): PrintedPage => {
  const { charges, closing_balance_minor, credits, currency, month, opening_balance_minor, payments, total_minor } =
    invoice
  const amount = (amount_minor: number) => amountText(amount_minor, currency)
  /** What costs is positive here, unlike in the statement. */
  const cost = ({ amount_minor, entries, kind }: InvoiceLine) =>
    row(`${kindNames[kind]} (${entries})`, amount(-amount_minor || 0))
  const paid = ({ amount_minor, entries, kind }: InvoiceLine) =>
    row(`${kindNames[kind]} (${entries})`, amount(amount_minor))
  const month_text = `Month ${month} (UTC)`
  return printed(
    "Invoice",
    invoice,
    `<p>${escaped(month_text)}</p>` +
      table([...charges.map(cost), ...credits.map(cost), row("Total", amount(total_minor), ' class="sum"')]) +
      "<p>Paid in advance from the wallet.</p>" +
      table([
        row("Opening balance", amount(opening_balance_minor)),
        ...payments.map(paid),
        row("Total of the invoice", amount(-total_minor || 0)),
        row("Closing balance", amount(closing_balance_minor), ' class="sum"')
      ])
  )
}
