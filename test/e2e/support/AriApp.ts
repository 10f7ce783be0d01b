// An application of an Asterisk's ARI, for tests that need no engine.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { WebSocket } from "ws"
import { until } from "../../support/Until.ts"
import type { Asterisk } from "./Peers.ts"

export const ariApp = Effect.fnUntraced(function* ({ settings }: Asterisk, app: string) {
  const { ARI_PASSWORD, ARI_URL, ARI_USERNAME } = settings
  const headers = {
    authorization: `Basic ${Buffer.from(`${ARI_USERNAME}:${ARI_PASSWORD}`).toString("base64")}`,
    "content-type": "application/json"
  }
  const events = new WebSocket(`${ARI_URL!.replace("http", "ws")}/events?app=${app}`, { headers })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void events.once("open", () => resume(Effect.void))),
    () => Effect.sync(() => events.on("error", () => {}).terminate())
  )
  const send = (method: string, path: string, body?: object) =>
    Effect.promise(async () => {
      const response = await fetch(ARI_URL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return { status: response.status, text: await response.text() }
    })
  const ask = (method: string, path: string, body?: object) =>
    Effect.map(send(method, path, body), ({ status, text }) =>
      assert.isBelow(status, 300, `${method} ${path}: ${text}`)
    )
  return {
    ask,
    /** Answers a channel as soon as it has entered the application. */
    answers: (channel: string) =>
      until(
        `channel ${channel} in the application`,
        Effect.map(send("POST", `/channels/${channel}/answer`), ({ status }) => status),
        (status) => status < 300
      ),
    /** Calls over an endpoint. The channel enters the application when it is answered. */
    calls: (endpoint: string, channelId: string) => ask("POST", "/channels", { endpoint, app, channelId }),
    /** Makes an object of the SIP stack. */
    put: (type: string, id: string, fields: Readonly<Record<string, string>>) =>
      ask("PUT", `/asterisk/config/dynamic/res_pjsip/${type}/${id}`, {
        fields: Object.entries(fields).map(([attribute, value]) => ({ attribute, value }))
      })
  }
})
