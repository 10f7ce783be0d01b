// A second reader of SIP, independent of the gate's: JsSIP's parser, which is generated from the grammar of RFC 3261.
import { createRequire } from "node:module"

interface Uri {
  readonly scheme: string
  readonly user: string | null
  readonly host: string
}
interface NameAddress {
  readonly uri: Uri
  readonly display_name: string | null
  readonly getParam: (name: string) => string | number | null | undefined
}

export interface ReadMessage {
  readonly method: string
  readonly ruri?: Uri
  readonly status_code: number | null
  readonly from: NameAddress
  readonly to: NameAddress
  readonly from_tag?: string
  readonly to_tag?: string
  readonly call_id: string
  readonly cseq: number
  readonly via_branch: string
  readonly body: string
  readonly data: string
  readonly headers: Readonly<Record<string, ReadonlyArray<{ readonly raw: string; readonly parsed?: unknown }>>>
}

const { parseMessage } = createRequire(import.meta.url)("jssip/lib/Parser.js") as {
  readonly parseMessage: (text: string, ua: object) => ReadMessage | undefined
}

/** Undefined if JsSIP does not understand the text. Its parser throws at some that is malformed. */
export const readSip = (text: string): ReadMessage | undefined => {
  try {
    return parseMessage(text, {})
  } catch {
    return undefined
  }
}

export const headerOf = ({ headers }: ReadMessage, name: string): ReadonlyArray<string> =>
  (headers[name] ?? []).map(({ raw }) => raw)

/** The expiry of the first Contact; undefined if there is none. */
export const contactExpiry = ({ headers }: ReadMessage): number | undefined => {
  const [contact] = headers["Contact"] ?? []
  const parsed = contact?.parsed as NameAddress | undefined
  const given = parsed?.getParam("expires")
  return given === undefined || given === null ? undefined : Number(given)
}
