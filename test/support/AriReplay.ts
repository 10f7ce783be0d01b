// An Asterisk that replays a recorded conversation of a real one, line by line.
import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"
import { untilHolds } from "./Until.ts"

/**
 * A step of a conversation: a command for the gateway, a request of the gateway to Asterisk (status 0: no answer), or
 * an event of Asterisk.
 */
export type Line =
  | { readonly command: number }
  | { readonly request: string; readonly status: number }
  | { readonly event: Readonly<Record<string, unknown>> }

/** Requests that every gateway makes, independent of the call: they are not part of a conversation. */
const always: Readonly<Record<string, unknown>> = {
  "GET /channels": [],
  "GET /asterisk/info": { status: { startup_time: "2026-11-20T11:00:00.000+0000" } },
  "GET /asterisk/modules/res_pjsip_acl.so": { status: "Running" }
}

/** The manager interface lets the gateway read events, among them that of its own login, and do nothing else. */
const managerSays = (query: URLSearchParams): string => {
  if (query.get("events") === "on") return "Response: Success\r\n\r\n"
  if (query.get("action") !== "WaitEvent") return "Response: Error\r\n\r\n"
  return "Response: Success\r\n\r\nEvent: SuccessfulAuth\r\nService: AMI\r\nAccountID: trunkline\r\n\r\n"
}

const send = (answer: ServerResponse, status: number, body: unknown) =>
  void answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

/** `command` gives the gateway the command of a step, and where it is told something next, a moment to have it. */
export const makeAriReplay = Effect.fnUntraced(function* (
  lines: ReadonlyArray<Line>,
  command: (step: number, with_patience: boolean) => Effect.Effect<void>
) {
  const answered = new Set(lines.flatMap((line) => ("request" in line ? [line.request] : [])))
  const asked: Array<{ readonly what: string; readonly answer: ServerResponse }> = []
  const sockets = new WebSocketServer({ noServer: true })
  let socket: WebSocket | undefined
  const server = createServer((message, answer) => {
    message.resume()
    if (message.url!.startsWith("/rawman")) {
      answer.end(managerSays(new URL(message.url!, "http://asterisk").searchParams))
      return
    }
    const what = `${message.method} ${message.url!.slice("/ari".length).split("?")[0]}`
    if (answered.has(what)) asked.push({ what, answer })
    else send(answer, 200, always[what] ?? {})
  })
  server.on("upgrade", (message, tcp, head) => sockets.handleUpgrade(message, tcp, head, (opened) => (socket = opened)))
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        for (const client of sockets.clients) client.terminate()
        server.close()
        server.closeAllConnections()
      })
  )

  const said = (line: Line, index: number): Effect.Effect<void> => {
    if ("command" in line) return command(line.command, "event" in (lines[index + 1] ?? {}))
    if ("event" in line) return Effect.sync(() => socket!.send(JSON.stringify(line.event)))
    const isIt = ({ what }: { readonly what: string }) => what === line.request
    return Effect.map(
      untilHolds(`request ${line.request} to Asterisk`, () => asked.some(isIt), { every_ms: 0 }),
      () => {
        const [it] = asked.splice(asked.findIndex(isIt), 1)
        if (line.status === 0) it!.answer.destroy()
        else send(it!.answer, line.status, {})
      }
    )
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ari`,
    /** Replays the conversation as soon as the gateway listens. */
    play: Effect.andThen(
      untilHolds("gateway that listens", () => socket !== undefined, { every_ms: 0 }),
      Effect.forEach(lines, said, { discard: true })
    )
  }
})
