// A receiver of webhooks in a separate process. Below /hole it never answers; everything else gets 204. On the IPC
// message "report" it sends what it received since the last report.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { percentile } from "./Row.ts"

export interface Receipts {
  readonly count: number
  /** Deliveries that arrived more than once. */
  readonly doubled: number
  /** Time from the event to the first byte of its delivery. */
  readonly p50_ms: number
  readonly p99_ms: number
}

const occurred = /"occurred_at":"([^"]+)"/

let seen = new Map<string, number>()
let waits: Array<number> = []

const server = createServer((request, response) => {
  const at = Date.now()
  const hole = request.url?.startsWith("/hole") === true
  let body = ""
  request.setEncoding("utf8")
  request.on("data", (chunk: string) => {
    body += chunk
  })
  request.on("end", () => {
    if (hole) return
    const id = String(request.headers["x-service-idempotency-key"])
    seen.set(id, (seen.get(id) ?? 0) + 1)
    waits.push(at - Date.parse(occurred.exec(body)?.[1] ?? ""))
    response.writeHead(204).end()
  })
})
server.keepAliveTimeout = 30_000
server.listen(0, "127.0.0.1", 4_096, () => process.send?.({ port: (server.address() as AddressInfo).port }))

process.on("message", (asked) => {
  const receipts: Receipts = {
    count: seen.size,
    doubled: [...seen.values()].filter((times) => times > 1).length,
    p50_ms: percentile(waits, 0.5),
    p99_ms: percentile(waits, 0.99)
  }
  if (asked === "report") {
    seen = new Map()
    waits = []
  }
  process.send?.(receipts)
})
