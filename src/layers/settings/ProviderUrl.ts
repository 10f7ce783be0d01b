// Which addresses of a provider take real money.
import type { Refusal } from "./Vendor.ts"

/** A part of a host name that providers give to their test systems: `sandbox.safaricom.co.ke`. */
const sandboxName = /(?:^|[.-])sandbox(?:[.-]|$)/

/** Why a production start refuses this address of a payment provider; empty if it does not. */
export const refusedProviderUrl = (variable: string, value: string): ReadonlyArray<Refusal> => {
  const { hostname, protocol } = new URL(value)
  if (protocol !== "https:")
    return [
      {
        setting: `${variable} without https`,
        why: "The provider's keys would travel unencrypted, and anybody on the way could report a payment. Use https."
      }
    ]
  return sandboxName.test(hostname)
    ? [
        {
          setting: `${variable} of a sandbox`,
          why: "Customers would top up with the provider's test money. Use the provider's live address."
        }
      ]
    : []
}
