// Receives webhooks and verifies who sent them.
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { verifyWebhook, WebhookVerificationError } from "trunkline/webhooks"

const secret = process.env["WEBHOOK_SECRET"] ?? ""
const port = Number(process.env["PORT"] ?? 9091)

createServer(async (request, response) => {
  try {
    // The signature covers the bytes as they came: verify before you parse.
    const event = await verifyWebhook({ headers: request.headers, body: await buffer(request) }, secret)
    // Store `event.id` together with what you do for the event: the same event may come again.
    console.log(`${event.event_kind} ${event.id}`)
    response.writeHead(204).end()
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    console.error(`Refused: ${error.check}`)
    response.writeHead(400).end(error.check)
  }
}).listen(port, "127.0.0.1", () => console.log(`Listening at http://127.0.0.1:${port}/`))
