import { Effect } from "effect"
import { WebSocket } from "ws"

/** Opens a WebSocket without JsSIP, so that a test can send messages that JsSIP would not send. */
export const openSocket = (url: string, protocols: ReadonlyArray<string> = ["sip"]) =>
  Effect.acquireRelease(
    Effect.callback<{ socket: WebSocket; frames: Array<string>; closed: Promise<number> }, Error>((resume) => {
      const socket = new WebSocket(url, [...protocols])
      const frames: Array<string> = []
      const closed = new Promise<number>((done) => socket.on("close", (code) => done(code)))
      socket.on("message", (data) => frames.push(String(data)))
      socket.on("open", () => resume(Effect.succeed({ socket, frames, closed })))
      socket.on("unexpected-response", (_, response) => resume(Effect.fail(new Error(String(response.statusCode)))))
      socket.on("error", (error) => resume(Effect.fail(error)))
    }),
    ({ socket }) => Effect.sync(() => socket.terminate())
  )
