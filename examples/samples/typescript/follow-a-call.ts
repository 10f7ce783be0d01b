// Prints what happens to a call while it happens, until it is over: follow-a-call.ts CALL_ID
import { Trunkline } from "trunkline/client"

const client = new Trunkline({ baseUrl: process.env["TRUNKLINE_URL"], apiKey: process.env["TRUNKLINE_API_KEY"] })
const [id = ""] = process.argv.slice(2)

// The client reconnects where it was, so that nothing is missed.
for await (const event of client.calls.stream(id)) console.log(event.kind)
console.log("end")
