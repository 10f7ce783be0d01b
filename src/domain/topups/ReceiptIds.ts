// What happens once for a receipt is named after it: UUIDs of version 8 (RFC 9562, section 5.8) that no two receipts share.
// The books' primary key is then the wall against crediting a receipt twice, whatever arrives, in whatever order.

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

/** Whether it can be a provider's receipt: up to 20 capital letters and digits. M-Pesa's have ten. */
export const isReceipt = (text: string): boolean => pattern.test(text)

/** The receipt as a number of base 36, behind a 1 that keeps leading zeros: below 2^109. The purpose has the 13 bits above. */
const bitsOf = (receipt: string): bigint =>
  [...`1${receipt}`].reduce((bits, digit) => bits * 36n + BigInt(parseInt(digit, 36)), 0n)

export const receiptId = (purpose: Purpose, receipt: string): string => {
  const bits = (purposes[purpose] << 109n) | bitsOf(receipt)
  const version = ((bits >> 74n) << 80n) | (8n << 76n) | (((bits >> 62n) & 0xfffn) << 64n)
  const variant = (2n << 62n) | (bits & 0x3fff_ffff_ffff_ffffn)
  return (version | variant)
    .toString(16)
    .padStart(32, "0")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}
