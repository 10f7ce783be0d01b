// A PBX behind the gate: a registrar over WebSocket that sends digest challenges and answers calls.
import { createHash, randomUUID } from "node:crypto"
import { Effect } from "effect"
import { type WebSocket, WebSocketServer } from "ws"
import {
  all,
  branchOf,
  first,
  isResponse,
  methodOf,
  parseSip,
  printSip,
  respond,
  type SipMessage,
  tagOf,
  userOf
} from "./SipText.ts"

const md5 = (text: string) => createHash("md5").update(text).digest("hex")
const parameter = (header: string, name: string) => new RegExp(`[ ,]${name}="?([^",]+)"?`).exec(` ${header}`)?.[1] ?? ""

const sdp =
  "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n"

export const makeSipPbx = (options: {
  readonly passwordOf: (username: string) => string | undefined
  readonly qop: boolean
}) =>
  Effect.gen(function* () {
    const realm = "pbx"
    const heard: Array<SipMessage> = []
    const bindings = new Map<
      string,
      { readonly socket: WebSocket; readonly contact: string; readonly expires: number }
    >()
    const nonces = new Set<string>()

    const proven = (request: SipMessage, header: string): boolean => {
      const password = options.passwordOf(userOf(first(request, "from"))!)
      const nonce = parameter(header, "nonce")
      if (password === undefined || !nonces.delete(nonce)) return false
      const secret = md5(`${parameter(header, "username")}:${realm}:${password}`)
      const asked = md5(`${methodOf(request)}:${parameter(header, "uri")}`)
      const qop = options.qop ? `:${parameter(header, "nc")}:${parameter(header, "cnonce")}:auth` : ""
      return parameter(header, "response") === md5(`${secret}:${nonce}${qop}:${asked}`)
    }

    const challenge = (request: SipMessage, invite: boolean): string => {
      const nonce = randomUUID()
      nonces.add(nonce)
      const value = `Digest realm="${realm}", nonce="${nonce}", algorithm=MD5${options.qop ? `, qop="auth"` : ""}`
      const text = respond(request, invite ? 407 : 401, "Who are you")
      return text.replace(
        "Content-Length",
        `${invite ? "Proxy-Authenticate" : "WWW-Authenticate"}: ${value}\r\nContent-Length`
      )
    }

    const withBody = (text: string, contact: string) => {
      const message = parseSip(text)!
      const headers = message.headers.filter(([name]) => name !== "Content-Length")
      return printSip({
        ...message,
        headers: [
          ...headers,
          ["Contact", contact],
          ["Content-Type", "application/sdp"],
          ["Content-Length", String(sdp.length)]
        ],
        body: sdp
      })
    }

    const take = (socket: WebSocket, request: SipMessage): void => {
      const method = methodOf(request)
      if (method === "ACK") return
      const invite = method === "INVITE"
      const header = first(request, invite ? "proxy-authorization" : "authorization")
      if ((method === "REGISTER" || invite) && tagOf(first(request, "to")) === undefined) {
        if (header === "" || !proven(request, header)) return socket.send(challenge(request, invite))
      }
      if (method === "REGISTER") {
        const expires = Number(first(request, "expires"))
        bindings.set(userOf(first(request, "to"))!, { socket, contact: first(request, "contact"), expires })
        const contact = first(request, "contact").replace(/;expires=\d+/, "")
        return socket.send(
          respond(request, 200, "OK").replace(
            "Content-Length",
            `Contact: ${contact};expires=${expires}\r\nContent-Length`
          )
        )
      }
      if (!invite) return socket.send(respond(request, 200, "OK"))
      if (userOf(request.start.split(" ")[1]!) === "busy") return socket.send(respond(request, 486, "Busy Here"))
      socket.send(respond(request, 180, "Ringing"))
      socket.send(withBody(respond(request, 200, "OK"), "<sip:pbx@192.0.2.1>"))
    }

    const server = yield* Effect.acquireRelease(
      Effect.callback<WebSocketServer>((resume) => {
        const opened: WebSocketServer = new WebSocketServer(
          { host: "127.0.0.1", port: 0, handleProtocols: () => "sip" },
          () => resume(Effect.succeed(opened))
        )
      }),
      (opened) =>
        Effect.callback<void>((resume) => {
          for (const client of opened.clients) client.terminate()
          opened.close(() => resume(Effect.void))
        })
    )
    server.on("connection", (socket) => {
      socket.on("message", (data) => {
        const message = parseSip(String(data))
        if (message === undefined) return
        heard.push(message)
        if (!isResponse(message)) take(socket, message)
      })
    })
    const { port } = server.address() as { readonly port: number }

    return {
      url: `ws://127.0.0.1:${port}/ws`,
      heard,
      bindings,
      connections: () => server.clients.size,
      /** Calls a registered device. */
      callIn: (username: string, from: string) => {
        const { contact, socket } = bindings.get(username)!
        const uri = /<([^>]+)>/.exec(contact)![1]!
        socket.send(
          printSip({
            start: `INVITE ${uri} SIP/2.0`,
            headers: [
              ["Via", `SIP/2.0/WS pbx;branch=z9hG4bK${randomUUID()}`],
              ["Max-Forwards", "70"],
              ["From", `<sip:${from}@pbx>;tag=p`],
              ["To", `<sip:${username}@pbx>`],
              ["Call-ID", randomUUID()],
              ["CSeq", "1 INVITE"],
              ["Contact", "<sip:pbx@192.0.2.1>"],
              ["Content-Type", "application/sdp"],
              ["Content-Length", String(sdp.length)]
            ],
            body: sdp
          })
        )
      },
      requests: (method: string) => heard.filter((message) => methodOf(message) === method),
      challengesAnswered: () =>
        heard
          .filter((message) => all(message, "authorization").length + all(message, "proxy-authorization").length > 0)
          .map(branchOf)
    }
  })
