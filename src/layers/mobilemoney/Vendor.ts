// A vendor of mobile money. It is one folder beside this file and one line in Vendors.ts.
import type { Redacted } from "effect"
import type { MobileMoneyNotices } from "../../domain/ports/money/MobileMoneyNotices.ts"
import type { MobileMoney } from "../../domain/ports/money/PaymentProvider.ts"
import { vendorOf } from "../settings/Vendor.ts"

/** What the engine gives to every vendor. */
export interface VendorContext {
  /** Where the vendor reaches the engine: `https://host` and `mobileMoneyIngestPath`. */
  readonly callbacks: string
  /** For the `:secret` of the vendor's routes. The first one goes into new URLs; the others are still accepted. */
  readonly callback_secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
}

export const vendor = vendorOf<MobileMoney | MobileMoneyNotices, VendorContext>()
