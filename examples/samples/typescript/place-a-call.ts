// Places a call that speaks and hangs up: place-a-call.ts FROM TO
import { ApiError, ConnectionError, Trunkline } from "trunkline/client"

const client = new Trunkline({ baseUrl: process.env["TRUNKLINE_URL"], apiKey: process.env["TRUNKLINE_API_KEY"] })
const [from = "", to = ""] = process.argv.slice(2)

try {
  const call = await client.calls.originate({
    from,
    to,
    actions: [{ say: { text: "Your order is ready." } }, { hangup: {} }]
  })
  console.log(`${call.id} ${call.status}`)
} catch (error) {
  process.exitCode = 1
  if (error instanceof ApiError) console.error(`${error.code}: ${error.message}`)
  // No answer came, so the call may have been placed. The same key again never places a second one.
  else if (error instanceof ConnectionError) console.error(`No answer. Repeat it with the key ${error.idempotencyKey}.`)
  else throw error
}
