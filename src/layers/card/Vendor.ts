// A vendor of card payments. It is one folder beside this file and one line in Vendors.ts.
import type { CardNotices } from "../../domain/ports/money/CardNotices.ts"
import type { CardPayments } from "../../domain/ports/money/PaymentProvider.ts"
import { vendorOf } from "../settings/Vendor.ts"

/** What the engine gives to every vendor. */
export interface VendorContext {
  /** Where payers go after the payment page, unless the deployment has a page of its own. */
  readonly return_url: string
  /** Whether payments of the vendor's test mode count for nothing, as in production. */
  readonly live_only: boolean
}

export const vendor = vendorOf<CardPayments | CardNotices, VendorContext>()
