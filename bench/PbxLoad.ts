// Calls at a fixed rate through an engine and its Asterisk, and the times of their steps on the wire, by one
// clock. Each call rings for 300 ms, is answered, asks its callback, waits for a second and is hung up.
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Agent } from "undici"
import { makeAriTap } from "../test/e2e/support/AriTap.ts"
import type { Line } from "../test/support/AriReplay.ts"

interface Steps {
  readonly requested: number
  invited?: number
  answered?: number
  questioned?: number
}

const body = JSON.stringify({ actions: [{ pause: { seconds: 1 } }, { hangup: {} }] })

/** A customer that gives every call the same actions, and records when it was asked. */
const customer = (asked: (session_id: string) => void) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        const at = performance.now()
        request.toArray().then(
          (chunks) => {
            const { session_id } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly session_id: string }
            asked(`${session_id} ${at}`)
            response.writeHead(200, { "content-type": "application/json" }).end(body)
          },
          () => response.destroy()
        )
      })
      server.keepAliveTimeout = 30_000
      server.listen(0, "127.0.0.1", 4_096, () =>
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/voice`,
            close: () => {
              server.close()
              server.closeAllConnections()
            }
          })
        )
      )
    }),
    ({ close }) => Effect.sync(close)
  )

/** The phone has answered when its channel is up; StasisStart comes before it rings. */
const isAnswer = (event: Readonly<Record<string, unknown>>): boolean =>
  event["type"] === "ChannelStateChange" && (event["channel"] as { readonly state: string }).state === "Up"

export interface Caller {
  readonly port: number
  readonly api_key: string
  readonly from: string
}

/** What comes between an engine and its Asterisk; `ari_url` is what the engine is to be told. */
export const makePbxLoad = Effect.fnUntraced(function* (asterisk_url: string) {
  const calls = new Map<string, Steps>()
  /** Steps of calls whose originate has not been answered yet. */
  const early = new Map<string, Omit<Steps, "requested">>()
  const note = (session_id: string, step: keyof Omit<Steps, "requested">, at = performance.now()) => {
    const of = calls.get(session_id) ?? early.get(session_id) ?? early.set(session_id, {}).get(session_id)!
    of[step] ??= at
  }
  const heard = (line: Line) => {
    if ("event" in line && isAnswer(line.event)) note((line.event["channel"] as { readonly id: string }).id, "answered")
  }
  const tap = yield* makeAriTap(asterisk_url, heard, (what, bytes) => {
    if (what.startsWith("POST /channels") && bytes.length > 0) {
      const { channelId } = JSON.parse(bytes.toString()) as { readonly channelId?: string }
      if (channelId !== undefined) note(channelId, "invited")
    }
  })
  const { url: voice_callback_url } = yield* customer((asked) => {
    const [session_id, at] = asked.split(" ") as [string, string]
    note(session_id, "questioned", Number(at))
  })
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ connections: 64, pipelining: 1 })),
    (agent) => Effect.promise(() => agent.destroy())
  )
  const place = async ({ api_key, from, port }: Caller): Promise<void> => {
    const requested = performance.now()
    const { body, statusCode } = await agent.request({
      origin: `http://127.0.0.1:${port}`,
      path: "/v1/calls/originate",
      method: "POST",
      headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
      body: JSON.stringify({ to: "+254711000200", from, voice_callback_url })
    })
    const text = await body.text()
    if (statusCode !== 201) throw new Error(`A call was not taken on: ${statusCode} ${text}`)
    const { session_id } = JSON.parse(text) as { readonly session_id: string }
    calls.set(session_id, { requested, ...early.get(session_id) })
    early.delete(session_id)
  }
  return {
    ari_url: tap.url,
    /**
     * Begins a call at each turn of the rate, whatever became of those before; returns the steps of all when they are
     * placed.
     */
    run: (caller: Caller, per_second: number, seconds: number) =>
      Effect.promise(async () => {
        calls.clear()
        const begun = performance.now()
        const placed: Array<Promise<void>> = []
        while (placed.length < per_second * seconds) {
          const due = Math.min(per_second * seconds, Math.floor(((performance.now() - begun) / 1_000) * per_second) + 1)
          while (placed.length < due) placed.push(place(caller))
          await new Promise((resolve) => setTimeout(resolve, 2))
        }
        await Promise.all(placed)
        return [...calls.values()]
      }),
    steps: () => [...calls.values()]
  }
})
