// A voice menu: the server behind a `voice_callback_url`. See README.md for how to run it.
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { verifySignature } from "trunkline"
import { actionsFor, type Departments, type VoiceCallback } from "./Menu.ts"

const port = Number(process.env["PORT"] ?? 9090)
const publicUrl = process.env["PUBLIC_URL"] ?? `http://127.0.0.1:${port}/`
const secret = process.env["VOICE_SECRET"]
if (secret === undefined) throw new Error("Set VOICE_SECRET to the voice secret of the workspace. See README.md.")

const departments: Departments = {
  "1": { name: "sales", number: "+254711000001" },
  "2": { name: "support", number: "+254711000002" }
}

const server = createServer(async (request, response) => {
  const body = await buffer(request)
  const verification = verifySignature({
    body,
    signature: String(request.headers["x-service-signature"] ?? ""),
    secret,
    now_seconds: Date.now() / 1000,
    format: "timestamped"
  })
  if (!verification.ok) {
    console.error(`Refused a request: its signature is ${verification.reason}.`)
    response.writeHead(401).end()
    return
  }
  const callback = JSON.parse(body.toString()) as VoiceCallback
  if (callback.reason === "record_completed") {
    const { duration_seconds, recording_id } = callback.result ?? {}
    console.log(`voicemail of ${callback.from}: ${duration_seconds} s, recording ${recording_id}`)
  }
  const actions = actionsFor(callback, departments, publicUrl)
  console.log(`${callback.reason}: ${actions.map((action) => Object.keys(action)[0]).join(", ")}`)
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ actions }))
})

server.listen(port, "127.0.0.1", () => console.log(`The menu listens at ${publicUrl}`))
