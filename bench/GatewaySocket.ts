// The gateway's end of the feed: says hello, acknowledges every command, and answers pings.
import { Effect } from "effect"
import { type RawData, WebSocket } from "ws"
import type { DownFrame, UpFrame } from "../src/domain/pbx/Frame.ts"
import { toGatewayId } from "../src/domain/BrandedIds.ts"

export const send = (socket: WebSocket, frame: UpFrame) => socket.send(JSON.stringify(frame))
export const frameOf = (data: RawData) => JSON.parse(String(data)) as DownFrame

/** Returns the socket once the engine has said welcome: it refuses calls until then. */
export const connectGateway = Effect.fnUntraced(function* (to: { readonly port: number; readonly secret: string }) {
  const headers = { authorization: `Bearer ${to.secret}` }
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => new WebSocket(`ws://127.0.0.1:${to.port}/v1/pbx/feed`, { headers })),
    (socket) => Effect.sync(() => socket.close())
  )
  yield* Effect.callback<void>((resume) => {
    socket.on("message", (data) => {
      const frame = frameOf(data)
      if (frame.type === "welcome") resume(Effect.void)
      if (frame.type === "commands") send(socket, { type: "ack", command_ids: frame.commands.map(({ id }) => id) })
      if (frame.type === "ping") send(socket, { type: "pong", n: frame.n })
    })
    socket.on("open", () => send(socket, { type: "hello", protocol: 1, gateway_id: toGatewayId("default") }))
    socket.on("error", (error) => resume(Effect.die(error)))
  })
  return socket
})
