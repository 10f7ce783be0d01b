// A load client in a process of its own, which offers requests at a rate whatever becomes of those before. Each request
// has a connection for itself while it waits, as from clients that do not know each other. Controlled over IPC:
// Offer -> Offered.
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { onAnswers } from "./Answers.ts"

export interface Offer {
  readonly port: number
  readonly path: string
  readonly body: string
  readonly token: string
  readonly per_second: number
  readonly duration_ms: number
}

export interface Offered {
  readonly sent: number
  /** Requests that were due while all connections were in use. */
  readonly unsent: number
  /** Number of responses by status, and of those that came while requests were sent. */
  readonly statuses: Readonly<Record<string, number>>
  readonly in_time: Readonly<Record<string, number>>
  /** The 99th percentile of the waits for the responses of a status, from when the request was sent. */
  readonly p99_ms_of: Readonly<Record<string, number>>
  /** The same of those that were sent once the load had lasted for a while. */
  readonly later_p99_ms_of: Readonly<Record<string, number>>
  /** Connections that the server closed. */
  readonly closed: number
  /** How late this client itself was: until a request that was due was sent, and how late its event loop was. */
  readonly late_p99_ms: number
  readonly loop_p99_ms: number
}

const connections_max = 2_000
/** Opened before the first request, as by clients that have been there for a while. */
const connections_first = 500
/** The first requests meet code that is not compiled yet, and connections that must be opened. */
const later_ms = 2_000
/** How long is waited for the last responses. */
const last_ms = 20_000

interface Lane {
  readonly socket: Socket
  sent_at: number
}

const p99 = (values: Array<number>): number =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * 0.99))] ?? 0

const mapValues = <A>(waits: Readonly<Record<string, Array<number>>>, of: (own: Array<number>) => A) =>
  Object.fromEntries(Object.entries(waits).map(([status, own]) => [status, of(own)]))

const run = async ({ body, duration_ms, path, per_second, port, token }: Offer): Promise<Offered> => {
  const request = Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
  const waits: Record<string, Array<number>> = {}
  const later: Record<string, Array<number>> = {}
  const in_time: Record<string, number> = {}
  const late: Array<number> = []
  const lanes = new Set<Lane>()
  const idle: Array<Lane> = []
  let [sent, unsent, closed, open] = [0, 0, 0, 0]
  const loop = monitorEventLoopDelay({ resolution: 1 })
  let start = performance.now()
  const isOver = () => performance.now() - start >= duration_ms

  const makeLane = (): Lane => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true })
    const lane = { socket, sent_at: 0 }
    lanes.add(lane)
    onAnswers(socket, (status) => {
      open--
      const own = (waits[status] ??= [])
      const wait_ms = performance.now() - lane.sent_at
      own.push(wait_ms)
      if (lane.sent_at - start >= later_ms) (later[status] ??= []).push(wait_ms)
      if (!isOver()) in_time[status] = (in_time[status] ?? 0) + 1
      idle.push(lane)
    })
    socket.on("error", () => {})
    socket.on("close", () => {
      if (lanes.delete(lane)) closed++
      const at = idle.indexOf(lane)
      if (at >= 0) idle.splice(at, 1)
      else open--
    })
    return lane
  }

  const ask = (due: number): void => {
    const lane = idle.pop() ?? (lanes.size < connections_max ? makeLane() : undefined)
    if (lane === undefined) return void unsent++
    lane.sent_at = performance.now()
    late.push(lane.sent_at - due)
    sent++
    open++
    lane.socket.write(request)
  }

  const first = Array.from({ length: connections_first }, makeLane)
  await Promise.all(first.map(({ socket }) => once(socket, "connect")))
  idle.push(...first)
  loop.enable()
  start = performance.now()
  await new Promise<void>((resolve) => {
    const tick = () => {
      for (let due; (due = start + ((sent + unsent) * 1_000) / per_second) <= performance.now();) ask(due)
      if (isOver()) resolve()
      else setTimeout(tick, 1)
    }
    tick()
  })
  loop.disable()
  for (const end = performance.now() + last_ms; open > 0 && performance.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 5))
  const left = [...lanes]
  lanes.clear()
  for (const { socket } of left) socket.destroy()
  return {
    sent,
    unsent,
    statuses: mapValues(waits, (own) => own.length),
    in_time,
    p99_ms_of: mapValues(waits, p99),
    later_p99_ms_of: mapValues(later, p99),
    closed,
    late_p99_ms: p99(late),
    loop_p99_ms: loop.percentile(99) / 1e6
  }
}

process.on("message", (offer: Offer) => {
  run(offer).then(
    (offered) => process.send!(offered),
    (error: unknown) => process.send!({ error: String(error) })
  )
})
