// What the servers of the examples share: settings, and a handler of the fetch API on Node's HTTP server.
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"

/** A variable of the environment. */
export const setting = (name: string, standard?: string): string => {
  const value = process.env[name] ?? standard
  if (value === undefined) throw new Error(`Set ${name}. See README.md.`)
  return value
}

const longest_bytes = 1_000_000

/** Listens on this machine only; in production put a proxy with a certificate before it. */
export const serve = (port: number, handle: (request: Request) => Promise<Response>, ready: () => void): void => {
  createServer(async (incoming, outgoing) => {
    try {
      if (Number(incoming.headers["content-length"] ?? 0) > longest_bytes) return outgoing.writeHead(413).end()
      const { headers, method = "GET", url } = incoming
      const given = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string])
      const body = method === "GET" ? null : await buffer(incoming)
      const answer = await handle(new Request(`http://${headers.host}${url}`, { method, headers: given, body }))
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    } catch (error) {
      // The engine repeats what is answered with 500, so that nothing is lost.
      console.error(error)
      outgoing.writeHead(500).end()
    }
  }).listen(port, "127.0.0.1", ready)
}
