// A cheap load client in a separate process: prepared bytes over keep-alive sockets, responses counted by their
// Content-Length. It is controlled over IPC: LoadOrder -> Load.
import { connect } from "node:net"
import { onAnswers } from "./Answers.ts"

export interface LoadOrder {
  readonly port: number
  readonly path: string
  readonly body: string
  readonly token: string
  readonly connections: number
  readonly duration_ms: number
  /** Ends after this many requests. */
  readonly requests?: number
  /**
   * Requests start at this rate, independent of responses. If absent, each connection sends its next request after a
   * response.
   */
  readonly per_second?: number
}

export interface Load {
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
}

const summary = (waits: Array<number>, statuses: Record<string, number>, elapsed_ms: number): Load => {
  waits.sort((a, b) => a - b)
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? Number.NaN
  return { per_second: waits.length / (elapsed_ms / 1000), p50_ms: at(0.5), p99_ms: at(0.99), statuses }
}

const run = async (order: LoadOrder): Promise<Load> => {
  const { body, connections, duration_ms, path, per_second, port, requests = Infinity, token } = order
  const request = Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
  const waits: Array<number> = []
  const statuses: Record<string, number> = {}
  const start = performance.now()
  let sent = 0
  const over = () => sent >= requests || performance.now() - start >= duration_ms
  const lane = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true })
      const asked: Array<number> = []
      // With a rate, the wait counts from when the request was due, so that a stall is not hidden by the requests it
      // delayed.
      const ask = (due = performance.now()) => {
        sent++
        asked.push(due)
        socket.write(request)
      }
      const interval_ms = per_second === undefined ? 0 : (connections / per_second) * 1000
      let due = start + Math.random() * interval_ms
      const tick = () => {
        if (over()) return asked.length === 0 ? socket.end() : undefined
        for (; due <= performance.now() && !over(); due += interval_ms) ask(due)
        setTimeout(tick, Math.max(1, due - performance.now()))
      }
      onAnswers(socket, (status) => {
        waits.push(performance.now() - asked.shift()!)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (over()) return asked.length === 0 ? socket.end() : undefined
        if (per_second === undefined) ask()
      })
      socket.on("connect", () => {
        if (per_second !== undefined) tick()
        else if (over()) socket.end()
        else ask()
      })
      socket.on("close", () => resolve())
      socket.on("error", reject)
    })
  await Promise.all(Array.from({ length: connections }, lane))
  return summary(waits, statuses, performance.now() - start)
}

process.on("message", (order: LoadOrder) => {
  run(order).then(
    (load) => process.send?.(load),
    (error: unknown) => process.send?.({ error: String(error) })
  )
})
