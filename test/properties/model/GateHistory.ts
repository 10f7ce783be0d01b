// A random history of one connection through the WebRTC gate: a browser and a PBX that send messages, most of them
// wrong somewhere, while the token ends and is revoked. Each message that leaves the gate is checked.
import { authenticated, fromPbx } from "../../../src/domain/webrtc/GatePbx.ts"
import { gateLimits, type GateState, openGate } from "../../../src/domain/webrtc/GateState.ts"
import type { GateAction, GateStep } from "../../../src/domain/webrtc/GateStep.ts"
import { fromBrowser } from "../../../src/domain/webrtc/SipGate.ts"
import { headerOf, type ReadMessage, readSip } from "../../support/SipReader.ts"
import type { Choices } from "./Choices.ts"
import { checkToBrowser, checkToPbx, dialogKey, Known } from "./GateChecks.ts"
import { mutate, writeSip } from "./SipMutations.ts"

const sdp = "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=é\r\n"
const steps = 40

class GateWorld {
  readonly choices: Choices
  readonly known: Known
  state: GateState
  messages = 0
  passed = { toPbx: 0, toBrowser: 0, dialogs: 0 }
  /** Requests of the browser as the PBX has received them, and of the PBX as the browser has. */
  readonly atPbx: Array<ReadMessage> = []
  readonly atBrowser: Array<ReadMessage> = []
  private serial = 0

  constructor(choices: Choices) {
    this.choices = choices
    const token = {
      username: "1001-a",
      incoming: !choices.oneIn(3),
      outgoing: !choices.oneIn(3),
      expires_at: 30_000 + 30_000 * choices.below(10)
    }
    this.known = new Known(token)
    this.state = openGate({ ...token, domain: "pbx", connection: "c0" })
  }

  name = (prefix: string): string => `${prefix}${++this.serial}`

  fromBrowser(text: string): void {
    const { active, now } = this.known
    this.messages++
    this.follow(fromBrowser(this.state, text, now, active))
  }

  /** `text` is what the PBX sends: what it says of itself is known from then on. */
  fromPbx(text: string): void {
    const { active, now } = this.known
    this.messages++
    const message = readSip(text)
    for (const [uri] of text.matchAll(/sip:[^<>\s,]+/gi)) this.known.targets.add(uri.toLowerCase())
    if (message === undefined) this.noteUnread(text)
    else this.note(message)
    this.follow(fromPbx(this.state, text, now, active))
  }

  /** The second parser is stricter than the gate is with the PBX. */
  private noteUnread(text: string): void {
    const branch = /branch\s*=\s*([^;,\s]+)/i.exec(text)?.[1]
    const tag = /^(?:to|t)\s*:[^\r]*?(?:\r\n [^\r]*?)*;\s*tag\s*=\s*([^;,\s]+)/im.exec(text)?.[1]
    if (branch !== undefined) this.known.unread.add(branch)
    const invite = this.atPbx.find(({ method, via_branch }) => method === "INVITE" && via_branch === branch)
    if (invite !== undefined && tag !== undefined)
      this.known.dialogs.add(dialogKey(invite.call_id, invite.from_tag, tag))
  }

  private note(message: ReadMessage): void {
    const { asked, dialogs, tags } = this.known
    if (message.status_code === null || message.status_code === undefined) return void asked.push(message)
    const key = dialogKey(message.call_id, message.from_tag, message.to_tag)
    const invite = this.atPbx.some(({ method, via_branch }) => method === "INVITE" && via_branch === message.via_branch)
    if (!invite) return
    tags.add(key)
    if (message.method === "INVITE" && message.status_code > 100 && message.status_code < 300) dialogs.add(key)
  }

  private follow({ actions, state }: GateStep): void {
    this.state = state
    const bounds = [state.dialogs.length, state.from_browser.length, state.from_pbx.length]
    if (Math.max(...bounds) > gateLimits.requests + 1) throw new Error(`too many entries: ${bounds}`)
    this.passed.dialogs = Math.max(this.passed.dialogs, state.dialogs.length)
    for (const action of actions) this.act(action)
  }

  private act(action: GateAction): void {
    switch (action._tag) {
      // A rule must hold even if the connection were still open.
      case "Close":
        return
      case "Authenticate": {
        const secret = this.known.active ? { username: "1001-a-web", password: "p" } : undefined
        if (this.choices.oneIn(4)) this.fromBrowser(this.followUp("CANCEL"))
        return this.follow(authenticated(this.state, action, secret, "c", () => "0", this.known.now))
      }
      case "ToPbx": {
        this.passed.toPbx++
        if (/^(?:\r\n)+$/.test(action.text)) return
        const message = checkToPbx(action.text, this.known)
        if (message !== undefined && !action.text.startsWith("SIP/2.0 ")) this.atPbx.push(message)
        return
      }
      case "ToBrowser": {
        this.passed.toBrowser++
        if (/^(?:\r\n)+$/.test(action.text)) return
        const message = checkToBrowser(action.text, this.known)
        if (message !== undefined && !action.text.startsWith("SIP/2.0 ")) this.atBrowser.push(message)
      }
    }
  }

  /** A CANCEL or an ACK with the branch of a recent request of the browser. */
  followUp(method: string): string {
    const last = this.state.from_browser.at(-1)?.request
    return writeSip({
      start: `${method} sip:+254711000001@pbx SIP/2.0`,
      branch: last?.via.branch ?? "z9hG4bKnone",
      from: `<sip:1001-a@pbx>;tag=${last?.from.tag ?? "f"}`,
      to: "<sip:+254711000001@pbx>",
      call_id: last?.call_id ?? "c0",
      cseq: `${last?.cseq ?? 1} ${method}`
    })
  }
}

/** A request of the browser that begins something. */
const begin = (world: GateWorld): string => {
  const { choices } = world
  const method = choices.of(["INVITE", "INVITE", "REGISTER", "INVITE", "OPTIONS", "BYE", "REFER"])
  const isRegister = method === "REGISTER"
  return writeSip({
    start: `${method} ${isRegister ? "sip:pbx" : choices.of(["sip:+254711000001@pbx", "sip:1002@elsewhere;user=phone"])} SIP/2.0`,
    branch: world.name("z9hG4bK"),
    from: `${choices.of(["", '"Asha" '])}<sip:${choices.of(["1001-a", "1001-a", "1001-a", "1001-a", "1001-a", "carrier"])}@pbx>;tag=f`,
    to: isRegister ? "<sip:1001-a@pbx>" : `<sip:+254711000001@pbx>${choices.of(["", "", "", ";tag=t"])}`,
    call_id: world.name("call"),
    cseq: `1 ${method}`,
    more: [
      `Contact: <sip:x@b.invalid;transport=ws>${choices.of(["", ";expires=600", ";expires=0"])}`,
      ...choices.of([[], ["Expires: 300"], ["Expires: 0"], ["Supported: timer, replaces"]])
    ],
    body: method === "INVITE" ? sdp : ""
  })
}

/** A request within a call of the gate, by the browser or by the PBX. */
const within = (world: GateWorld, isBrowser: boolean): string => {
  const { choices } = world
  const { dialogs } = world.state
  const dialog = dialogs[choices.below(Math.max(1, dialogs.length))]
  const method = choices.of(["INFO", "INVITE", "BYE", "ACK", "UPDATE", "PRACK", "REFER"])
  const browser = `<sip:1001-a@pbx>;tag=${dialog?.local_tag ?? "f"}`
  const pbx = `<sip:+254711000001@pbx>;tag=${dialog?.remote_tag ?? "t"}`
  return writeSip({
    start: `${method} sip:x@c0.invalid SIP/2.0`,
    branch: world.name("z9hG4bK"),
    from: isBrowser ? browser : pbx,
    to: isBrowser ? pbx : browser,
    call_id: dialog?.call_id ?? "c9",
    cseq: `2 ${method}`,
    more: [
      `Contact: <sip:${isBrowser ? "x@b.invalid" : world.name("pbx")}@192.0.2.1>`.replace(
        "@b.invalid@192.0.2.1",
        "@b.invalid"
      )
    ]
  })
}

const ring = (world: GateWorld): string => {
  const method = world.choices.of(["INVITE", "OPTIONS", "NOTIFY"])
  return writeSip({
    start: `${method} sip:x@c0.invalid SIP/2.0`,
    branch: world.name("z9hG4bKpbx"),
    from: '"Wanjiru" <sip:+254722000002@192.0.2.1>;tag=p',
    to: "<sip:x@c0.invalid>",
    call_id: world.name("in"),
    cseq: `1 ${method}`,
    more: [
      "Contact: <sip:pbx@192.0.2.1:5060>",
      ...world.choices.of([[], ["Record-Route: <sip:proxy.example;lr>"]]),
      "Alert-Info: <http://10.0.0.5/>"
    ],
    body: sdp
  })
}

const answer = (world: GateWorld, to: ReadonlyArray<ReadMessage>, isPbx: boolean): string => {
  const { choices } = world
  const request = to.at(-1 - choices.below(3))
  const status = choices.of([200, 100, 180, 183, 200, 200, 302, 401, 407, 200, 404])
  const raw = (name: string) => (request === undefined ? "x" : (headerOf(request, name)[0] ?? "x"))
  const has_tag = request?.to_tag !== undefined && request.to_tag !== null
  return writeSip({
    start: `SIP/2.0 ${status} Reason`,
    branch: request?.via_branch ?? "z9hG4bKnone",
    from: raw("From"),
    to: has_tag ? raw("To") : `${raw("To")};tag=${choices.of(["t", "u"])}`,
    call_id: raw("Call-ID"),
    cseq: raw("CSeq"),
    more: [
      `Contact: <sip:x@${isPbx ? "192.0.2.1" : "b.invalid"}>;expires=60`,
      ...(isPbx
        ? ['WWW-Authenticate: Digest realm="r", nonce="n"', 'Proxy-Authenticate: Digest realm="r", nonce="n"']
        : [])
    ]
  })
}

const moves: ReadonlyArray<(world: GateWorld) => void> = [
  (world) => world.fromBrowser(mutate(begin(world), world.choices)),
  (world) => world.fromBrowser(begin(world)),
  (world) => world.fromBrowser(within(world, true)),
  (world) => world.fromBrowser(mutate(within(world, true), world.choices)),
  (world) => world.fromBrowser(mutate(answer(world, world.atBrowser, false), world.choices)),
  (world) => world.fromBrowser(answer(world, world.atBrowser, false)),
  (world) => world.fromBrowser(mutate(world.followUp(world.choices.of(["CANCEL", "ACK"])), world.choices)),
  (world) => world.fromBrowser("\r\n\r\n"),
  (world) => world.fromPbx(answer(world, world.atPbx, true)),
  (world) => world.fromPbx(mutate(answer(world, world.atPbx, true), world.choices)),
  (world) => world.fromPbx(ring(world)),
  (world) => world.fromPbx(mutate(ring(world), world.choices)),
  (world) => world.fromPbx(mutate(within(world, false), world.choices)),
  (world) => void (world.known.now += 1_000 * world.choices.below(100)),
  (world) => void (world.known.active = !world.choices.oneIn(8))
]

/** Plays a history to its end, and says how much of it passed the gate. Throws if a check fails. */
export const playGate = (choices: Choices): { readonly messages: number } & GateWorld["passed"] => {
  const world = new GateWorld(choices)
  for (let left = steps; left > 0 && !choices.spent; left--) choices.of(moves)(world)
  return { messages: world.messages, ...world.passed }
}
