// A load client in a process of its own. It sends requests at a fixed rate, whether or not those before were answered.
// Each request has a connection for itself while it waits, as separate clients have. Controlled over IPC:
// Offer -> Offered.
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
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
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** The same of those that came while requests were still being sent. */
  readonly in_time: Readonly<Record<string, number>>
  /** The 99th percentile of the waits for the responses of a status, from when the request was sent. */
  readonly p99_ms_of: Readonly<Record<string, number>>
  /** The same, without the requests of the first two seconds. */
  readonly later_p99_ms_of: Readonly<Record<string, number>>
  /** Connections that the server closed. */
  readonly closed: number
  /** How late this client itself was: until a request that was due was sent, and how late its event loop was. */
  readonly late_p99_ms: number
  readonly loop_p99_ms: number
}

const connections_max = 2_000
/** Connections that are opened before the first request. */
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

/** The answers, by status. */
class Tally {
  private readonly waits: Record<string, Array<number>> = {}
  private readonly later: Record<string, Array<number>> = {}
  private readonly in_time: Record<string, number> = {}

  /** An answer that came at `at_ms` to a request that had waited for so long; both since the load began. */
  count(status: string, at_ms: number, wait_ms: number, duration_ms: number): void {
    ;(this.waits[status] ??= []).push(wait_ms)
    if (at_ms - wait_ms >= later_ms) (this.later[status] ??= []).push(wait_ms)
    if (at_ms < duration_ms) this.in_time[status] = (this.in_time[status] ?? 0) + 1
  }

  result(): Pick<Offered, "statuses" | "in_time" | "p99_ms_of" | "later_p99_ms_of"> {
    return {
      statuses: mapValues(this.waits, (own) => own.length),
      in_time: this.in_time,
      p99_ms_of: mapValues(this.waits, p99),
      later_p99_ms_of: mapValues(this.later, p99)
    }
  }
}

/** The connections of a load. */
class Lanes {
  readonly tally = new Tally()
  start = performance.now()
  /** Requests that wait for their answer. */
  open = 0
  closed = 0
  private readonly all = new Set<Lane>()
  private readonly idle: Array<Lane> = []
  private readonly offer: Offer

  constructor(offer: Offer) {
    this.offer = offer
  }

  async openFirst(): Promise<void> {
    const first = Array.from({ length: connections_first }, () => this.make())
    await Promise.all(first.map(({ socket }) => once(socket, "connect")))
    this.idle.push(...first)
    this.start = performance.now()
  }

  /** One that waits for nothing, if there is one or may be one more. */
  take(): Lane | undefined {
    return this.idle.pop() ?? (this.all.size < connections_max ? this.make() : undefined)
  }

  close(): void {
    const left = [...this.all]
    this.all.clear()
    for (const { socket } of left) socket.destroy()
  }

  private make(): Lane {
    const { duration_ms, port } = this.offer
    const socket = connect({ port, host: "127.0.0.1", noDelay: true })
    const lane = { socket, sent_at: 0 }
    this.all.add(lane)
    onAnswers(socket, (status) => {
      this.open--
      const now = performance.now()
      this.tally.count(status, now - this.start, now - lane.sent_at, duration_ms)
      this.idle.push(lane)
    })
    socket.on("error", () => {})
    socket.on("close", () => {
      if (this.all.delete(lane)) this.closed++
      const at = this.idle.indexOf(lane)
      if (at >= 0) this.idle.splice(at, 1)
      else this.open--
    })
    return lane
  }
}

const run = async (offer: Offer): Promise<Offered> => {
  const { body, duration_ms, path, per_second, port, token } = offer
  const request = Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
  const lanes = new Lanes(offer)
  const late: Array<number> = []
  let unsent = 0
  const ask = (due: number): void => {
    const lane = lanes.take()
    if (lane === undefined) return void unsent++
    lane.sent_at = performance.now()
    late.push(lane.sent_at - due)
    lanes.open++
    lane.socket.write(request)
  }

  await lanes.openFirst()
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const dueAt = () => lanes.start + ((late.length + unsent) * 1_000) / per_second
  while (performance.now() - lanes.start < duration_ms) {
    for (let due = dueAt(); due <= performance.now(); due = dueAt()) ask(due)
    await setTimeout(1)
  }
  loop.disable()
  for (const end = performance.now() + last_ms; lanes.open > 0 && performance.now() < end;) await setTimeout(5)
  lanes.close()
  return {
    sent: late.length,
    unsent,
    ...lanes.tally.result(),
    closed: lanes.closed,
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
