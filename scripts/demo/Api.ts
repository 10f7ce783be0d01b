// The routes of the public API that the demo uses, with nothing but `fetch`.
import { Data, Effect } from "effect"
import type { CallEventRecord } from "../../src/domain/calls/views/CallEventRecord.ts"
import type { StreamedEvent } from "../../src/domain/calls/views/CallNotice.ts"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import type { StatementEntry } from "../../src/domain/wallet/StatementEntry.ts"
import type { WalletBalance } from "../../src/domain/wallet/WalletBalance.ts"
import type { SubscriptionRecord } from "../../src/domain/webhooks/SubscriptionRecord.ts"
import type { CallId } from "../../src/domain/BrandedIds.ts"

export class ApiRefused extends Data.TaggedError("ApiRefused")<{ readonly message: string }> {}

interface Request {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: string
  readonly body?: unknown
}

export interface CallRequest {
  readonly to: string
  readonly from: string
  readonly voice_callback_url: string
  readonly metadata: Readonly<Record<string, string>>
}

const answer_within_ms = 15_000

/** Server-sent events (the WHATWG HTML standard, section 9.2): blocks of `name: value` with a blank line between. */
async function* eventsOf(
  body: AsyncIterable<Uint8Array>
): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split("\n\n")
    text = blocks.pop() ?? ""
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split("\n")
          .filter((line) => line.startsWith(`${name}: `))
          .map((line) => line.slice(name.length + 2))
          .join("\n")
      if (field("event") !== "") yield { event: field("event"), data: field("data") }
    }
  }
}

export const makeApi = (base_url: string, api_key: string) => {
  const authorization = `Bearer ${api_key}`

  const ask = <A>({ body, method, path }: Request): Effect.Effect<A, ApiRefused> =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(base_url + path, {
          method,
          headers: { authorization, ...(body !== undefined && { "content-type": "application/json" }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.any([signal, AbortSignal.timeout(answer_within_ms)])
        })
        const text = await response.text()
        if (!response.ok) throw new Error(`${response.status} ${text}`)
        return (text === "" ? undefined : JSON.parse(text)) as A
      },
      catch: (cause) =>
        new ApiRefused({ message: `${method} ${path}: ${cause instanceof Error ? cause.message : String(cause)}` })
    })

  /** Calls `onNotice` with each event of the call until it has ended. */
  const follow = (call_id: CallId, onNotice: (notice: StreamedEvent) => void): Effect.Effect<void, ApiRefused> =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(`${base_url}/v1/calls/${call_id}/stream`, { headers: { authorization }, signal })
        if (!response.ok || response.body === null) throw new Error(String(response.status))
        for await (const { data, event } of eventsOf(response.body)) {
          if (event === "end") return
          onNotice(JSON.parse(data) as StreamedEvent)
        }
      },
      catch: (cause) => new ApiRefused({ message: `The stream of the call: ${String(cause)}` })
    })

  return {
    follow,
    balance: ask<WalletBalance>({ method: "GET", path: "/v1/wallet/balance" }),
    charges: ask<ReadonlyArray<StatementEntry>>({
      method: "GET",
      path: "/v1/wallet/statements?kind=call_charge&limit=10"
    }),
    subscribe: (url: string) =>
      ask<SubscriptionRecord & { readonly secret: string }>({
        method: "POST",
        path: "/v1/webhooks",
        body: { url, events: ["call.*"], description: "npm run demo" }
      }),
    unsubscribe: (id: string) => ask<void>({ method: "DELETE", path: `/v1/webhooks/${id}` }),
    originate: (body: CallRequest) => ask<CallRecord>({ method: "POST", path: "/v1/calls/originate", body }),
    call: (id: string) =>
      ask<CallRecord & { readonly events: ReadonlyArray<CallEventRecord> }>({ method: "GET", path: `/v1/calls/${id}` }),
    terminate: (id: string) => ask<CallRecord>({ method: "POST", path: `/v1/calls/${id}/terminate`, body: {} })
  }
}

export type Api = ReturnType<typeof makeApi>
