// The response to a digest challenge (RFC 7616, RFC 2617). The WebRTC gate authenticates for browsers, which have no
// password.

export interface DigestSecret {
  readonly username: string
  readonly password: string
}

/** Returns the digest of the text in hex. */
export type DigestHash = (algorithm: "MD5" | "SHA-256", text: string) => string

const parameter = (challenge: string, name: string): string | undefined => {
  const match = new RegExp(`[\\s,]${name}\\s*=\\s*(?:"([^"]*)"|([^\\s,"]+))`, "i").exec(` ${challenge}`)
  return match?.[1] ?? match?.[2]
}

const algorithms: Readonly<Record<string, "MD5" | "SHA-256">> = { md5: "MD5", "sha-256": "SHA-256" }

/** The value of the Authorization header; undefined if the kind of challenge is not supported. */
export const digestAnswer = (
  challenge: string,
  request: { readonly method: string; readonly uri: string },
  { password, username }: DigestSecret,
  cnonce: string,
  hash: DigestHash
): string | undefined => {
  const scheme = /^\s*Digest\s+/i.exec(challenge)
  const given = challenge.slice(scheme?.[0].length ?? 0)
  const realm = parameter(given, "realm")
  const nonce = parameter(given, "nonce")
  const named = parameter(given, "algorithm")
  const algorithm = algorithms[(named ?? "MD5").toLowerCase()]
  const qop = parameter(given, "qop")
    ?.split(",")
    .map((each) => each.trim().toLowerCase())
  if (
    scheme === null ||
    realm === undefined ||
    nonce === undefined ||
    algorithm === undefined ||
    qop?.includes("auth") === false
  )
    return undefined
  const { method, uri } = request
  const secret = hash(algorithm, `${username}:${realm}:${password}`)
  const target = hash(algorithm, `${method}:${uri}`)
  const response =
    qop === undefined
      ? hash(algorithm, `${secret}:${nonce}:${target}`)
      : hash(algorithm, `${secret}:${nonce}:00000001:${cnonce}:auth:${target}`)
  const opaque = parameter(given, "opaque")
  return [
    `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}"`,
    ...(named === undefined ? [] : [`algorithm=${named}`]),
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
    ...(qop === undefined ? [] : [`qop=auth, nc=00000001, cnonce="${cnonce}"`])
  ].join(", ")
}
