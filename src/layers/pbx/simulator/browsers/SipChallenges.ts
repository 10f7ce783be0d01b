// Digest authentication of one line (RFC 7616): every registration and every new call is challenged, as by a real PBX.
import { type DigestHash, digestAnswer } from "../../../../domain/webrtc/DigestAnswer.ts"
import { type SipText, valuesOf } from "../../../../domain/webrtc/SipLexer.ts"

const realm = "simulator"
/** Challenges that wait for an answer. */
const pending_max = 16

const parameter = (header: string, name: string): string =>
  new RegExp(`(?:^|[\\s,])${name}="?([^",]*)`, "i").exec(header)?.[1] ?? ""

export interface Proof {
  readonly username: string
}

export class SipChallenges {
  private readonly nonces = new Set<string>()
  private readonly hash: DigestHash

  constructor(hash: DigestHash) {
    this.hash = hash
  }

  /** The value of the header that asks for a proof. */
  challenge(nonce: string): string {
    this.nonces.add(nonce)
    const [oldest] = this.nonces
    if (this.nonces.size > pending_max && oldest !== undefined) this.nonces.delete(oldest)
    return challengeOf(nonce)
  }

  /** The user who has proved to know one of the passwords. Each challenge counts once. */
  prove(text: SipText, passwordsOf: (username: string) => ReadonlyArray<string>): Proof | undefined {
    const [header = ""] = [...valuesOf(text, "authorization"), ...valuesOf(text, "proxy-authorization")]
    const [method = "", uri = ""] = text.start.split(" ")
    const [username, nonce] = [parameter(header, "username"), parameter(header, "nonce")]
    if (parameter(header, "uri") !== uri || !this.nonces.delete(nonce)) return undefined
    const isProved = passwordsOf(username).some((password) => {
      const secret = { username, password }
      const expected = digestAnswer(challengeOf(nonce), { method, uri }, secret, parameter(header, "cnonce"), this.hash)
      return expected !== undefined && parameter(expected, "response") === parameter(header, "response")
    })
    return isProved ? { username } : undefined
  }
}

const challengeOf = (nonce: string): string => `Digest realm="${realm}", nonce="${nonce}", algorithm=MD5, qop="auth"`
