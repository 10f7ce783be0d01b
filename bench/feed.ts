// Events that a PBX reports over the feed until they are acknowledged: through the socket, the call's actor and the
// journal. Each event is also an entry in the log of its call.
import { Effect, type Redacted } from "effect"
import type { WebSocket } from "ws"
import type { PbxEvent } from "../src/domain/pbx/PbxEvent.ts"
import { connectGateway, frameOf, send } from "./GatewaySocket.ts"
import { enrich, folder, program } from "./Program.ts"
import type { BenchRow } from "./Row.ts"
import type { SessionId } from "../src/domain/BrandedIds.ts"

const port = 18_082
const secret = "a-secret-of-the-benchmark"
const calls = 256
/** Unacknowledged events of a busy PBX. */
const window = 4_000
const frame_events = 100

interface Session {
  readonly session_id: SessionId
  readonly tenant_pbx_id: string
  seq: number
}

const eventOf = (session: Session): PbxEvent => ({
  event_id: crypto.randomUUID(),
  tenant_pbx_id: session.tenant_pbx_id,
  type: "leg.early_media",
  session_id: session.session_id,
  seq: ++session.seq,
  occurred_at: new Date().toISOString(),
  data: { sip_code: 183 }
})

/** Calls that ring during the whole benchmark. */
const ring = (api_key: string, from: string, tenant_pbx_id: string) =>
  Effect.forEach(
    Array.from({ length: calls }, (_, n) => n),
    () =>
      Effect.promise(async (): Promise<Session> => {
        const answer = await fetch(`http://127.0.0.1:${port}/v1/calls/originate`, {
          method: "POST",
          headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
          body: JSON.stringify({
            from,
            to: "+99900000003",
            voice_callback_url: "https://app.example/voice",
            timeout_seconds: 600
          })
        })
        const text = await answer.text()
        if (answer.status !== 201) throw new Error(`A call was not placed: ${answer.status} ${text}`)
        const { session_id } = JSON.parse(text) as { readonly session_id: SessionId }
        return { session_id, tenant_pbx_id, seq: 0 }
      }),
    { concurrency: 32 }
  )

/** Keeps the window full, and counts acknowledgements. */
const report = (socket: WebSocket, sessions: ReadonlyArray<Session>, duration_ms: number) =>
  Effect.callback<number>((resume) => {
    let next = 0
    let under_way = 0
    let acknowledged = 0
    const begun = performance.now()
    const fill = () => {
      while (under_way + frame_events <= window) {
        const events = Array.from({ length: frame_events }, () => eventOf(sessions[next++ % sessions.length]!))
        under_way += events.length
        send(socket, { type: "events", events })
      }
    }
    socket.on("message", (data) => {
      const frame = frameOf(data)
      if (frame.type === "refused") resume(Effect.die(new Error(`An event was refused: ${frame.code}`)))
      if (frame.type !== "ack") return
      under_way -= frame.event_ids.length
      acknowledged += frame.event_ids.length
      const taken_ms = performance.now() - begun
      if (taken_ms >= duration_ms) resume(Effect.succeed(acknowledged / (taken_ms / 1_000)))
      else fill()
    })
    fill()
  })

export const feedBench = (options: { readonly url: Redacted.Redacted; readonly duration_ms: number }) =>
  Effect.scoped(
    Effect.gen(function* () {
      const data_dir = yield* folder
      const gateway_outside = { settings: { PBX_GATEWAY: "none", PBX_INGEST_SECRET: secret } }
      yield* Effect.scoped(program(options.url, data_dir, port, gateway_outside))
      yield* enrich(options.url)
      const { demo } = yield* program(options.url, data_dir, port, gateway_outside)
      const socket = yield* connectGateway({ port, secret })
      const sessions = yield* ring(demo.api_key, demo.number.number, demo.tenant_pbx_id)
      const per_second = yield* report(socket, sessions, options.duration_ms)
      const rows: ReadonlyArray<BenchRow> = [
        { name: `PBX events through feed and actor, of ${calls} calls`, value: per_second, unit: "/s" }
      ]
      return rows
    })
  )
