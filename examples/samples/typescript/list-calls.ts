// Prints all calls, newest first, page by page: list-calls.ts PAGE_SIZE
import { Trunkline } from "trunkline/client"

const client = new Trunkline({ baseUrl: process.env["TRUNKLINE_URL"], apiKey: process.env["TRUNKLINE_API_KEY"] })
const limit = Number(process.argv[2] ?? 50)

for await (const call of client.calls.list({ limit })) console.log(`${call.id} ${call.status} ${call.to}`)
