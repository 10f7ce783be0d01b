// The header `X-Service-Signature` (docs/webhooks.md). The signed message is `<raw body>.<t>`.

/**
 * `timestamped`: `t=<Unix seconds>,v1=<hex>`, with one `v1` for each secret in force.
 * `body_hex`: the hex HMAC of the raw body. It never expires, so it can be replayed.
 */
export const signatureFormats = ["timestamped", "body_hex"] as const
export type SignatureFormat = (typeof signatureFormats)[number]

export type ParsedSignature =
  | { readonly format: "timestamped"; readonly t: number; readonly v1: ReadonlyArray<string> }
  | { readonly format: "body_hex"; readonly hex: string }

/** How much `t` may differ from the receiver's clock, in seconds. */
export const tolerance_seconds = 300

/** What follows the raw body in the signed message. */
export const timestampSuffix = (t: number): string => `.${t}`

export const timestampedHeader = (t: number, hexes: ReadonlyArray<string>): string =>
  [`t=${t}`, ...hexes.map((hex) => `v1=${hex}`)].join(",")

const hex = /^[0-9a-f]{64}$/

/**
 * Reads either format. Unknown members are ignored, so that new ones can be added. Undefined: the header is malformed.
 */
export const parseSignatureHeader = (value: string): ParsedSignature | undefined => {
  const text = value.trim()
  if (hex.test(text)) return { format: "body_hex", hex: text }
  const members = text.split(",").map((member) => member.trim().split("=", 2))
  const times = members.filter(([name]) => name === "t").map(([, time]) => time ?? "")
  const v1 = members.flatMap(([name, signature]) =>
    name === "v1" && signature !== undefined && hex.test(signature) ? [signature] : []
  )
  const [time = "", ...more] = times
  if (more.length > 0 || !/^\d{1,12}$/.test(time) || v1.length === 0) return undefined
  return { format: "timestamped", t: Number(time), v1 }
}
