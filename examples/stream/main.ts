// An application for media streams: it says back what the caller says, and writes the transcript. See README.md.
import { createServer } from "node:http"
import { verifySignature } from "trunkline"
import { type WebSocket, WebSocketServer } from "ws"

const port = Number(process.env["PORT"] ?? 9091)
const publicUrl = process.env["PUBLIC_URL"] ?? `ws://127.0.0.1:${port}/calls`
const secret = process.env["VOICE_SECRET"]
if (secret === undefined) throw new Error("Set VOICE_SECRET to the voice secret of the workspace. See README.md.")

/** Frames have 20 ms. */
const echoes_frames = 150

type Message =
  | { readonly event: "start"; readonly start: { readonly streamSid: string; readonly callSid: string } }
  | { readonly event: "media"; readonly media: { readonly payload: string } }
  | { readonly event: "mark" | "dtmf" | "stop" | "connected" }

const serve = (socket: WebSocket): void => {
  let streamSid = ""
  let frames = 0
  const send = (message: object) => socket.send(JSON.stringify({ ...message, streamSid }))
  const say = (text: string) => send({ event: "transcript", transcript: { role: "agent", text, final: true } })

  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as Message
    switch (message.event) {
      case "start":
        streamSid = message.start.streamSid
        console.log(`call ${message.start.callSid}`)
        return say("I say back what you say.")
      case "media":
        frames++
        if (frames > echoes_frames) return
        send({ event: "media", media: { payload: message.media.payload } })
        if (frames === echoes_frames) send({ event: "mark", mark: { name: "heard" } })
        return
      case "mark":
        say(`You have heard ${frames / 50} seconds. Goodbye.`)
        return send({ event: "hangup" })
      case "stop":
        return console.log("stop")
      default:
        return
    }
  })
}

const server = createServer((_request, response) => response.writeHead(404).end())
const sockets = new WebSocketServer({ noServer: true })
server.on("upgrade", (request, socket, head) => {
  // The signed body is the URL of the action.
  const verification = verifySignature({
    body: publicUrl,
    signature: String(request.headers["x-service-signature"] ?? ""),
    secret,
    now_seconds: Date.now() / 1000,
    format: "timestamped"
  })
  if (!verification.ok) {
    console.error(`Refused a stream: its signature is ${verification.reason}.`)
    return socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n")
  }
  sockets.handleUpgrade(request, socket, head, serve)
})
server.listen(port, "127.0.0.1", () => console.log(`The application listens at ${publicUrl}`))
