// Call tracking: keeps the state and the cost of every call by the webhooks of the engine. See README.md.
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { verifySignature } from "trunkline"
import { type CallEvent, CallStore } from "./CallStore.ts"

const setting = (name: string, standard?: string): string => {
  const value = process.env[name] ?? standard
  if (value === undefined) throw new Error(`Set ${name}. See README.md.`)
  return value
}

const port = Number(setting("PORT", "9091"))
const engineUrl = setting("ENGINE_URL", "http://127.0.0.1:8080")
const apiKey = setting("API_KEY")
const publicUrl = setting("PUBLIC_URL", `http://127.0.0.1:${port}`)
const store = new CallStore(setting("DATABASE_FILE", "calls.sqlite"))

/** Subscribes at the first start. The engine shows the secret in this one answer only, so it is stored at once. */
const webhookSecret = async (): Promise<string> => {
  const known = store.setting("webhook_secret")
  if (known !== undefined) return known
  const response = await fetch(`${engineUrl}/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ url: `${publicUrl}/events`, events: ["call_lifecycle"], description: "Call tracking" })
  })
  if (!response.ok) throw new Error(`The engine refused the subscription: ${await response.text()}`)
  const { secret } = (await response.json()) as { readonly secret: string }
  store.setSetting("webhook_secret", secret)
  return secret
}

/**
 * The HTTP status that answers a delivery. Any 2xx means: stored, do not send it again. With any other status the
 * engine sends it again, after 5 seconds at first and for more than a day.
 */
const take = (body: Buffer, signature: string, secret: string): number => {
  const verification = verifySignature({
    body,
    signature,
    secret,
    now_seconds: Date.now() / 1000,
    format: "timestamped"
  })
  if (!verification.ok) {
    console.error(`Refused a delivery: its signature is ${verification.reason}.`)
    return 401
  }
  try {
    const event = JSON.parse(body.toString()) as CallEvent
    console.log(`${event.event_kind} of call ${event.payload.id}: ${store.take(event)}`)
    return 204
  } catch (error) {
    console.error("Storing a delivery failed; the engine will send it again.", error)
    return 503
  }
}

// Listen first: events may come as soon as the subscription exists.
let secret: string | undefined
const server = createServer(async (request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(store.calls()))
    return
  }
  const body = await buffer(request)
  const signature = String(request.headers["x-service-signature"] ?? "")
  response.writeHead(secret === undefined ? 503 : take(body, signature, secret)).end()
})
server.listen(port, "127.0.0.1", async () => {
  secret = await webhookSecret()
  console.log(`Tracking calls. The list is at ${publicUrl}/`)
})
