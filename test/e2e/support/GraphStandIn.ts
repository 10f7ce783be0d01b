// The HTTP API of the chat app's provider, as far as a trunk needs it: the numbers of an account, and their settings.
import { Effect } from "effect"
import { createHmac } from "node:crypto"
import { receiver } from "../../support/Receiver.ts"
import type { BusinessNumber } from "./ChatAppProvider.ts"

const account_id = "77"
const number_id = "1065"
const app_secret = "app-secret"

/** The notice of a user's permission. */
const permission = (user: string) => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: account_id,
      changes: [
        {
          field: "messages",
          value: {
            metadata: { phone_number_id: number_id, display_phone_number: number_id },
            messages: [
              {
                id: `wamid.${user}`,
                from: user.slice(1),
                timestamp: String(Math.floor(Date.now() / 1_000)),
                type: "interactive",
                interactive: { type: "call_permission_reply", call_permission_reply: { response: "accept" } }
              }
            ]
          }
        }
      ]
    }
  ]
})

/** `sip_host`: to which it would send calls. It has the number that is served last. */
export const graphStandIn = Effect.fnUntraced(function* (sip_host: string) {
  let served: BusinessNumber | undefined
  const answer = (path: string, method: string): object => {
    if (path.includes("/phone_numbers"))
      return { data: served === undefined ? [] : [{ id: number_id, display_phone_number: served.number }] }
    if (method === "POST") return { success: true }
    return { calling: { sip: { servers: [{ hostname: sip_host, sip_user_password: served?.password }] } } }
  }
  const api = yield* receiver(({ method, path }, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer(path, method)))
  )
  return {
    env: {
      CHATAPP_PROVIDER: "graph",
      GRAPH_URL: `http://127.0.0.1:${api.port}/v23.0`,
      GRAPH_TOKEN: "token",
      GRAPH_ACCOUNT_ID: account_id,
      GRAPH_SIP_HOST: sip_host,
      GRAPH_APP_SECRET: app_secret,
      GRAPH_VERIFY_TOKEN: "verify-me"
    },
    /** Has a user (E.164) permit calls, and tells the engine at this URL. Returns the status of its answer. */
    permits: (base_url: string, user: string) =>
      Effect.promise(async () => {
        const body = JSON.stringify(permission(user))
        const signature = createHmac("sha256", app_secret).update(body).digest("hex")
        const headers = { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` }
        return (await fetch(`${base_url}/v1/ingest/chatapp`, { method: "POST", headers, body })).status
      }),
    serves: (business: BusinessNumber) => Effect.sync(() => void (served = business))
  }
})
