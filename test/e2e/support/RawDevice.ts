// Registers a device that writes exactly what a test wants it to write.
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { headerOf, type RawAgent, type RawRequest } from "./RawSip.ts"

export interface RawUser {
  readonly username: string
  readonly password: string
}

const md5 = (text: string): string => createHash("md5").update(text).digest("hex")

/** The answer to a challenge (RFC 7616, section 3.4). */
export const digest = (challenge: string, user: RawUser, uri: string) => {
  const nonce = /nonce="([^"]+)"/.exec(challenge)?.[1] ?? ""
  const realm = /realm="([^"]+)"/.exec(challenge)?.[1] ?? ""
  const ha1 = md5(`${user.username}:${realm}:${user.password}`)
  const response = md5(`${ha1}:${nonce}:00000001:c:auth:${md5(`REGISTER:${uri}`)}`)
  return `Authorization: Digest username="${user.username}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}", algorithm=MD5, qop=auth, cnonce="c", nc=00000001`
}

export const registerOf = (username: string, uri: string, ...headers: ReadonlyArray<string>): RawRequest => ({
  method: "REGISTER",
  uri,
  from: `<sip:${username}@127.0.0.1>`,
  to: `<sip:${username}@127.0.0.1>`,
  headers
})

/**
 * Asks for a challenge, and answers it. `contacts`: the value of each Contact header; by default one with the address
 * of the socket. Returns the status and the header that answered.
 */
export const registers = (
  socket: Pick<RawAgent, "ask" | "received">,
  uri: string,
  user: RawUser,
  contacts: ReadonlyArray<string> = [],
  headers: ReadonlyArray<string> = []
) =>
  Effect.gen(function* () {
    const [contact, ...more] = contacts
    const request = (...answers: ReadonlyArray<string>) => ({
      ...registerOf(user.username, uri, ...more.map((each) => `Contact: ${each}`), ...headers, ...answers),
      ...(contact !== undefined && { contact })
    })
    const asked = yield* socket.ask(request())
    if (asked !== 401) return { status: asked, answer: "" }
    const challenge = headerOf(socket.received.at(-1)!.text, "WWW-Authenticate") ?? ""
    const answer = digest(challenge, user, uri)
    return { status: yield* socket.ask(request(answer)), answer }
  })
