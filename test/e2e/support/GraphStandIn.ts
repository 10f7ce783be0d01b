// The HTTP API of the chat app's provider, as far as a trunk needs it: the numbers of an account, and their settings.
import { Effect } from "effect"
import { receiver } from "../../support/Receiver.ts"
import type { BusinessNumber } from "./ChatAppProvider.ts"

const account_id = "77"
const number_id = "1065"

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
      GRAPH_SIP_HOST: sip_host
    },
    serves: (business: BusinessNumber) => Effect.sync(() => void (served = business))
  }
})
