// Places that nothing may reach: each keeps what arrives there, over UDP and over TCP.
import { Effect } from "effect"
import { createServer } from "node:net"
import { until } from "../../support/Until.ts"
import type { Place } from "./AttackCases.ts"
import { rawSip } from "./RawSip.ts"

/** Listens at the place, once nothing else does. `counts` says which messages must not arrive; default: all. */
export const makeTrap = Effect.fnUntraced(function* (
  { host, port }: Place,
  sip_port: number,
  counts: (start: string) => boolean = () => true
) {
  const arrived: Array<string> = []
  const server = createServer((socket) => {
    arrived.push("a TCP connection")
    socket.on("error", () => socket.destroy())
    socket.destroy()
  })
  const listens = Effect.callback<boolean>((resume) => {
    const failed = () => resume(Effect.succeed(false))
    server.once("error", failed)
    server.listen(port, host, () => {
      server.off("error", failed)
      resume(Effect.succeed(true))
    })
  })
  yield* Effect.acquireRelease(
    until("free port of a trap", listens, (bound) => bound, { every_ms: 50 }),
    () => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
  )
  const socket = yield* rawSip({ host, port }, sip_port)
  return {
    host,
    port,
    /** What has arrived although it must not, each by its first line. */
    arrived: Effect.sync(() => [
      ...arrived,
      ...socket.received.map(({ start }) => start).filter((start) => counts(start))
    ])
  }
})
