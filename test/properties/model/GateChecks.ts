// What must be true of every message that leaves the gate, read by a parser that is not the gate's.
import { assert } from "@effect/vitest"
import type { GateToken } from "../../../src/domain/webrtc/GateState.ts"
import { contactExpiry, headerOf, type ReadMessage, readSip } from "../../support/SipReader.ts"

/** What both ends know of each other, gathered from what they themselves have sent. */
export class Known {
  readonly subject: GateToken
  now = 0
  active = true
  /** The calls that the PBX has accepted or placed: Call-ID, the browser's tag, the PBX's tag. */
  readonly dialogs = new Set<string>()
  /** Every tag of the PBX, for the ACK of a refusal. */
  readonly tags = new Set<string>()
  /** URIs that the PBX has named, in lower case. */
  readonly targets = new Set<string>()
  /** Requests of the PBX by method and by what identifies them. */
  readonly asked: Array<ReadMessage> = []
  /** Branches of requests of the PBX that the second parser does not read. */
  readonly unread = new Set<string>()
  /** Branches under which the PBX has received an INVITE. */
  readonly invites = new Set<string>()
  constructor(subject: GateToken) {
    this.subject = subject
  }
}

export const dialogKey = (call_id: string, browser: string | undefined, pbx: string | undefined): string =>
  JSON.stringify([call_id, browser, pbx])

const listed = new Set([
  "Via",
  "Route",
  "Record-Route",
  "Max-Forwards",
  "From",
  "To",
  "Call-ID",
  "CSeq",
  "Contact",
  "Expires",
  "Allow",
  "Supported",
  "Require",
  "Unsupported",
  "Reason",
  "Session-Expires",
  "Min-SE",
  "Min-Expires",
  "Retry-After",
  "RSeq",
  "RAck",
  "User-Agent",
  "Server",
  "Authorization",
  "Proxy-Authorization",
  "Content-Type",
  "Content-Length"
])
const repeatable = new Set(["Via", "Route", "Record-Route", "Contact"])

/** One message, of listed headers, whose body is as long as it says. Returns the names of its headers. */
export const checkFrame = (text: string): ReadonlyArray<string> => {
  const end = text.indexOf("\r\n\r\n")
  assert.isAbove(end, 0)
  const [, ...head] = text.slice(0, end).split("\r\n")
  const names = head.map((line) => {
    assert.match(line, /^[A-Za-z-]+: [^\p{Cc}]+$/u)
    return line.slice(0, line.indexOf(":"))
  })
  for (const name of names) assert.isTrue(listed.has(name), name)
  const single = names.filter((name) => !repeatable.has(name))
  assert.lengthOf(new Set(single), single.length)
  const body = text.slice(end + 4)
  const [length] = head.filter((line) => line.startsWith("Content-Length: "))
  assert.strictEqual(length, `Content-Length: ${Buffer.byteLength(body)}`)
  assert.notMatch(body, /\0/)
  return names
}

const read = (text: string): ReadMessage => {
  checkFrame(text)
  const message = readSip(text)
  assert.isDefined(message, `not understood by the second parser: ${JSON.stringify(text)}`)
  return message!
}

const dialled = /^[A-Za-z0-9+*#._~!()-]+$/

const checkBeginning = (message: ReadMessage, { active, invites, now, subject }: Known): void => {
  const { method, ruri } = message
  assert.include(["REGISTER", "INVITE", "OPTIONS", "CANCEL", "ACK"], method)
  assert.strictEqual(ruri!.host, "pbx")
  if (method === "CANCEL" || method === "ACK") return assert.isTrue(invites.has(message.via_branch))
  if (ruri!.user !== undefined && ruri!.user !== null) assert.match(decodeURIComponent(ruri!.user), dialled)
  if (method === "INVITE") assert.isTrue(subject.outgoing && active && now < subject.expires_at, "an INVITE")
  if (method !== "REGISTER") return
  assert.strictEqual(message.to.uri.user, subject.username)
  const lifetimes = [contactExpiry(message), ...headerOf(message, "Expires").map(Number)]
  const longest = Math.max(0, ...lifetimes.map((each) => each ?? 0))
  assert.isAtMost(longest, Math.max(0, (subject.expires_at - now) / 1000))
  if (longest > 0) assert.isTrue(subject.incoming && active, "a registration")
}

const uriOf = (address: string): string => (/<([^>]*)>/.exec(address)?.[1] ?? address).toLowerCase()

const checkRequestToPbx = (message: ReadMessage, start: string, known: Known): void => {
  const { call_id, from, from_tag, method, to_tag } = message
  const { subject } = known
  assert.deepStrictEqual([from.uri.user, from.uri.host, from.display_name ?? ""], [subject.username, "pbx", ""])
  assert.lengthOf(headerOf(message, "From"), 1)
  assert.lengthOf(headerOf(message, "Via"), 1)
  assert.isDefined(from_tag)
  if (to_tag === undefined || to_tag === null) checkBeginning(message, known)
  else {
    const key = dialogKey(call_id, from_tag, to_tag)
    assert.isTrue(known.dialogs.has(key) || (method === "ACK" && known.tags.has(key)), `a dialog: ${key}`)
    const uri = start.split(" ")[1]!
    assert.isTrue(known.targets.has(uri.toLowerCase()) || uri.endsWith("@pbx"), `a target: ${uri}`)
  }
  for (const route of headerOf(message, "Route")) assert.isTrue(known.targets.has(uriOf(route)), `a route: ${route}`)
  for (const contact of headerOf(message, "Contact"))
    assert.match(contact, /^<sip:[A-Za-z0-9._~-]+@c0\.invalid;transport=ws>/)
  if (method === "INVITE") known.invites.add(message.via_branch)
}

const checkResponseToPbx = (message: ReadMessage, { asked, dialogs, subject, unread }: Known): void => {
  const status = message.status_code!
  assert.isFalse((status >= 300 && status < 400) || status === 401 || status === 407)
  const creates = message.method === "INVITE" && status > 100 && status < 300
  if (creates) dialogs.add(dialogKey(message.call_id, message.to_tag, message.from_tag))
  if (unread.has(message.via_branch)) return
  const request = asked.findLast(
    (each) =>
      each.via_branch === message.via_branch && each.method === message.method && each.call_id === message.call_id
  )
  assert.isDefined(request, `a response to nothing: ${JSON.stringify(message.data)}`)
  assert.strictEqual(message.from_tag, request!.from_tag)
  assert.strictEqual(message.from.uri.user, request!.from.uri.user)
  if (creates && (request!.to_tag === undefined || request!.to_tag === null)) assert.isTrue(subject.incoming)
  for (const contact of headerOf(message, "Contact")) assert.match(contact, /@c0\.invalid;|<sip:c0\.invalid;/)
}

/** The gate refuses what it cannot read. It repeats what the sender wrote, so the second parser may not read it. */
const isUnread = (text: string): boolean => /^SIP\/2\.0 4(?:00|15|16|20) /.test(text)

/** Checks a message to the PBX, and returns it as the PBX reads it. */
export const checkToPbx = (text: string, known: Known): ReadMessage | undefined => {
  if (isUnread(text)) return void checkFrame(text)
  const message = read(text)
  if (text.startsWith("SIP/2.0 ")) checkResponseToPbx(message, known)
  else checkRequestToPbx(message, text.split("\r\n", 1)[0]!, known)
  return message
}

/** Checks a message to the browser, and returns it as the browser reads it. */
export const checkToBrowser = (text: string, known: Known): ReadMessage | undefined => {
  if (text.startsWith("SIP/2.0 ")) {
    const names = checkFrame(text)
    assert.notInclude(names, "Record-Route")
    assert.notMatch(text, /^SIP\/2\.0 (?:401|407) /)
    return isUnread(text) ? undefined : read(text)
  }
  const message = read(text)
  const { call_id, from_tag, method, to_tag } = message
  assert.include(["INVITE", "ACK", "BYE", "CANCEL", "PRACK", "UPDATE", "INFO", "OPTIONS"], method)
  assert.deepStrictEqual([headerOf(message, "Route"), headerOf(message, "Record-Route")], [[], []])
  const { active, dialogs, now, subject } = known
  if (to_tag !== undefined && to_tag !== null) {
    if (method !== "ACK") assert.isTrue(dialogs.has(dialogKey(call_id, to_tag, from_tag)), "a dialog of the browser")
  } else if (method === "INVITE") assert.isTrue(subject.incoming && active && now < subject.expires_at, "a call")
  return message
}
