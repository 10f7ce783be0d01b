// What a PBX gateway's feed is made of: frames, reasons for closing, and an outlet that notices when nobody reads.
import { type Clock, Effect, Result, Schema } from "effect"
import { Socket } from "effect/socket"
import { type DownFrame, ReceivedFrame } from "../../domain/pbx/Frame.ts"

/** A gateway is pinged this often and given up when it has sent nothing for three times as long. */
const ping_ms = 15_000
/** What may be sent without any sign that it is read, and after how much such a sign is asked for. */
const unreadMax = 4 << 20
const unreadPing = 256 << 10
/** Characters of a frame. The server's own limit cuts off what is larger before it is in memory. */
export const frameMax = 1 << 20

/** Close codes: those of RFC 6455, section 7.4, and one of our own for what it has none for. */
export const closed = {
  byPeer: new Socket.CloseEvent(1000),
  draining: new Socket.CloseEvent(1001, "the engine is shutting down"),
  helloExpected: new Socket.CloseEvent(1002, "the first frame must be hello"),
  helloTwice: new Socket.CloseEvent(1002, "hello was said before"),
  helloOverdue: new Socket.CloseEvent(1008, "no hello within 5 seconds"),
  silent: new Socket.CloseEvent(1008, "no frame for 45 seconds"),
  frameTooLarge: new Socket.CloseEvent(1009, "a frame is at most 1 MiB"),
  notReading: new Socket.CloseEvent(1013, "frames are not being read"),
  notYours: new Socket.CloseEvent(4403, "this secret is not that gateway's"),
  replaced: new Socket.CloseEvent(4409, "a newer connection of this gateway has taken over"),
  frameInvalid: (why: string) => new Socket.CloseEvent(1007, `frame not understood: ${why}`.slice(0, 120))
}

const decodeFrame = Schema.decodeUnknownResult(ReceivedFrame)

export const parseFrame = (text: string): Result.Result<ReceivedFrame, Socket.CloseEvent> => {
  if (text.length > frameMax) return Result.fail(closed.frameTooLarge)
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return Result.fail(closed.frameInvalid("not JSON"))
  }
  return Result.mapError(decodeFrame(document), ({ message }) => closed.frameInvalid(message.replaceAll(/\s+/g, " ")))
}

/** Sends frames and watches that they are read: the socket itself would take any number into memory. */
export const makeOutlet = (writer: Socket.Writer, clock: Clock.Clock, close: (event: Socket.CloseEvent) => void) => {
  let sent = 0
  let pinged = 0
  let read = 0
  let heard_at = clock.currentTimeMillisUnsafe()

  const write = (frame: DownFrame): Effect.Effect<void> =>
    Effect.suspend(() => {
      const text = JSON.stringify(frame)
      sent += text.length
      if (sent - read > unreadMax) close(closed.notReading)
      return Effect.ignore(writer.write(text))
    })

  const ping = Effect.suspend(() => {
    pinged = sent
    return write({ type: "ping", n: sent })
  })

  return {
    send: (frame: DownFrame) =>
      Effect.andThen(
        write(frame),
        Effect.suspend(() => (sent - pinged > unreadPing ? ping : Effect.void))
      ),
    /** Any frame shows that the gateway lives. */
    heard: () => {
      heard_at = clock.currentTimeMillisUnsafe()
    },
    pong: (n: number) => {
      if (n > read && n <= sent) read = n
    },
    /** Ends when the gateway has fallen silent. */
    pinging: Effect.gen(function* () {
      while (clock.currentTimeMillisUnsafe() - heard_at < 3 * ping_ms) {
        yield* ping
        yield* Effect.sleep(ping_ms)
      }
      return closed.silent
    })
  }
}

export type Outlet = ReturnType<typeof makeOutlet>
