// The operator of the platform, as receipts and invoices name it.
import { Schema } from "effect"

export const Issuer = Schema.Struct({
  name: Schema.NullOr(Schema.String).annotate({
    description: "`INVOICE_NAME` of the deployment. Null if it has none."
  }),
  address: Schema.Array(Schema.String).annotate({ description: "The lines of the address." }),
  tax_number: Schema.NullOr(Schema.String).annotate({
    description: "`INVOICE_TAX_NUMBER` of the deployment. Null if it has none."
  })
}).annotate({ identifier: "Issuer", description: "Who issues the document: the operator of the platform." })
export type Issuer = typeof Issuer.Type

/** The lines of an address that is written in one line, separated by semicolons. */
export const addressLines = (address: string): ReadonlyArray<string> =>
  address
    .split(";")
    .map((line) => line.trim())
    .filter((line) => line !== "")
