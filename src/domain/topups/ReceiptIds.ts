// Derives ids from receipts: UUIDs of version 8 (RFC 9562, section 5.8), different for each receipt and purpose. The
// primary key of the ledger then prevents a receipt from being credited twice, in whatever order notices arrive.
import { type TopUpId, toTopUpId } from "../BrandedIds.ts"

const purposes = {
  mobilemoney_credit: 1n,
  card_credit: 2n,
  suspense: 3n,
  suspense_release: 4n,
  manual_topup: 5n
} as const
export type Purpose = keyof typeof purposes

const receipt_max = 20
const pattern = new RegExp(`^[0-9A-Z]{1,${receipt_max}}$`)

/** Whether the text has the form of a provider's receipt: 1 to 20 capital letters and digits. M-Pesa's have ten. */
export const isReceipt = (text: string): boolean => pattern.test(text)

/** How the receipts of simulated payments in sandboxes begin. Those of providers are shorter. */
const sandboxPrefix = "SANDBOX"

export const isSandboxReceipt = (receipt: string): boolean => receipt.startsWith(sandboxPrefix)

/** The receipt of a simulated payment: the same for the same UUID. */
export const sandboxReceipt = (uuid: string): string => {
  const digits = receipt_max - sandboxPrefix.length
  const number = BigInt(`0x${uuid.replaceAll("-", "")}`) % 36n ** BigInt(digits)
  return sandboxPrefix + number.toString(36).toUpperCase().padStart(digits, "0")
}

/** The receipt as a base-36 number, with a leading 1 that preserves leading zeros. Less than 2^109. */
const bitsOf = (receipt: string): bigint =>
  [...`1${receipt}`].reduce((bits, digit) => bits * 36n + BigInt(parseInt(digit, 36)), 0n)

/** The id for this purpose of a receipt. The purpose takes the 13 bits above the receipt. */
export const receiptId = (purpose: Purpose, receipt: string): string => {
  const bits = (purposes[purpose] << 109n) | bitsOf(receipt)
  const version = ((bits >> 74n) << 80n) | (8n << 76n) | (((bits >> 62n) & 0xfffn) << 64n)
  const variant = (2n << 62n) | (bits & 0x3fff_ffff_ffff_ffffn)
  return (version | variant)
    .toString(16)
    .padStart(32, "0")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** The id of the top-up for a payment that came in without a prompt. */
export const manualTopUpId = (receipt: string): TopUpId => toTopUpId(receiptId("manual_topup", receipt))
