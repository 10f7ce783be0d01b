// Ports for the programs that tests start. A port is reserved for as long as the process of the test lives, so that no
// other test on this machine is given it before its own program listens on it, or while that program is restarted.
import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeReservations } from "./Reservations.ts"

const reservations = makeReservations(join(tmpdir(), "trunkline-test-ports"))

/**
 * Below the range for outgoing connections, from which the system would give a port to anybody. Ranges for RTP have a
 * zone of their own, where no single port stands in their way. Above 10080, the highest port that `fetch` and browsers
 * refuse (the Fetch Standard, "bad port").
 */
const zones = { few: { lowest: 10_082, size: 9_918 }, many: { lowest: 20_000, size: 12_000 } }
const few_max = 16
const attempts_max = 5_000

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const tcp = createServer().once("error", () => resolve(false))
    tcp.listen(port, "127.0.0.1", () =>
      tcp.close(() => {
        const udp = createSocket("udp4").once("error", () => resolve(false))
        udp.bind(port, "127.0.0.1", () => udp.close(() => resolve(true)))
      })
    )
  })

/**
 * Reserves consecutive ports that are free for TCP and UDP on loopback, and returns the first, which is even if `count`
 * is. Of a range for RTP only the first is tried: Asterisk passes over a port that is taken.
 */
export const freePorts = (count: number): Effect.Effect<number> =>
  Effect.promise(async () => {
    const { lowest, size } = count > few_max ? zones.many : zones.few
    for (let attempt = 0; attempt < attempts_max; attempt++) {
      const first = lowest + count * Math.floor(Math.random() * Math.floor(size / count))
      const ports = Array.from({ length: count }, (_, place) => first + place)
      const taken = ports.findIndex((port) => !reservations.reserve(port))
      const tried = count > few_max ? [first] : ports
      if (taken === -1 && (await Promise.all(tried.map(isFree))).every(Boolean)) return first
      ports.slice(0, taken === -1 ? count : taken).forEach(reservations.release)
    }
    throw new Error(`No ${count} ports are free on loopback`)
  })

/** Reserves a port that is free for TCP and UDP on loopback. */
export const freePort: Effect.Effect<number> = freePorts(1)
