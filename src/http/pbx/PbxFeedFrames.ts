// Frames of the PBX feed, its close codes, and a writer that detects a gateway that does not read.
import { type Clock, Effect, Result, Schema } from "effect"
import { Socket } from "effect/socket"
import { type DownFrame, ReceivedFrame } from "../../domain/pbx/Frame.ts"

/** The ping interval. A connection without a frame for three intervals is closed. */
const ping_ms = 15_000
/** The most characters sent without a pong, and how many are sent before an extra ping asks for one. */
const unreadMax = 4 << 20
const unreadPing = 256 << 10
/** The most characters in a frame. The server's limit on messages stops larger ones before they are in memory. */
export const frameMax = 1 << 20

/** Close codes: those of RFC 6455, section 7.4, and application codes from 4000 on. */
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

/** Sends frames, and closes if they are not read: the socket itself would buffer without limit. */
export const makeOutlet = (writer: Socket.Writer, clock: Clock.Clock, close: (event: Socket.CloseEvent) => void) => {
  let sent = 0
  let pinged = 0
  let read = 0
  let received_at = clock.currentTimeMillisUnsafe()

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
    received: () => {
      received_at = clock.currentTimeMillisUnsafe()
    },
    pong: (n: number) => {
      if (n > read && n <= sent) read = n
    },
    /** Pings the gateway. Ends when it has been silent for too long. */
    pinging: Effect.gen(function* () {
      while (clock.currentTimeMillisUnsafe() - received_at < 3 * ping_ms) {
        yield* ping
        yield* Effect.sleep(ping_ms)
      }
      return closed.silent
    })
  }
}

export type Outlet = ReturnType<typeof makeOutlet>
