// Ports for the programs that tests start. A port is reserved for as long as the process of the test lives, so that no
// other test on this machine is given it before its own program listens on it, or while that program is restarted.
import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** One file for each reserved port, with the id of the process that holds it. */
const folder = join(tmpdir(), "trunkline-test-ports")

/**
 * Below the range for outgoing connections, from which the system would give a port to anybody. Ranges for RTP have a zone
 * of their own, where no single port stands in their way.
 */
const zones = { few: { lowest: 10_000, size: 10_000 }, many: { lowest: 20_000, size: 12_000 } }
const few_max = 16
const attempts_max = 5_000

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Empty while another process is about to write its id. */
const ownerOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

const held = new Set<string>()
process.once("exit", () => held.forEach((file) => rmSync(file, { force: true })))

/** Whether the port is reserved for this process now. A reservation of a process that has ended is void. */
const reserve = (port: number): boolean => {
  const file = join(folder, String(port))
  try {
    const opened = openSync(file, "wx")
    writeSync(opened, String(process.pid))
    closeSync(opened)
    held.add(file)
    return true
  } catch {
    const pid = held.has(file) ? process.pid : Number(ownerOf(file))
    if (pid === 0 || isAlive(pid)) return false
    rmSync(file, { force: true })
    return reserve(port)
  }
}

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

const release = (port: number): void => {
  const file = join(folder, String(port))
  held.delete(file)
  rmSync(file, { force: true })
}

/**
 * Reserves consecutive ports that are free for TCP and UDP on loopback, and returns the first, which is even if `count` is.
 * Of a range for RTP only the first is tried: Asterisk passes over a port that is taken.
 */
export const freePorts = (count: number): Effect.Effect<number> =>
  Effect.promise(async () => {
    mkdirSync(folder, { recursive: true })
    const { lowest, size } = count > few_max ? zones.many : zones.few
    for (let attempt = 0; attempt < attempts_max; attempt++) {
      const first = lowest + count * Math.floor(Math.random() * Math.floor(size / count))
      const ports = Array.from({ length: count }, (_, place) => first + place)
      const taken = ports.findIndex((port) => !reserve(port))
      const tried = count > few_max ? [first] : ports
      if (taken === -1 && (await Promise.all(tried.map(isFree))).every(Boolean)) return first
      ports.slice(0, taken === -1 ? count : taken).forEach(release)
    }
    throw new Error(`No ${count} ports are free on loopback`)
  })

/** Reserves a port that is free for TCP and UDP on loopback. */
export const freePort: Effect.Effect<number> = freePorts(1)
