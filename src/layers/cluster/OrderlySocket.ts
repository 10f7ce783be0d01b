// A socket to which many fibers write. A socket of effect-platform adds listeners for each write that waits for its
// peer to read, and Node warns of a leak at the eleventh. Here one write waits, and the others queue up behind it.
import { Effect, Semaphore } from "effect"
import { Socket } from "effect/socket"

/** The socket, on which a write begins when the one before it has been taken. A close does not wait. */
export const orderly = ({ reader, writer }: Socket.Socket): Socket.Socket => {
  const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
  return Socket.make({
    reader,
    writer: Effect.map(writer, ({ write, writeAll }) => ({
      write: (chunk) => (Socket.isCloseEvent(chunk) ? write(chunk) : inTurn(write(chunk))),
      writeAll: (chunks) => inTurn(writeAll(chunks))
    }))
  })
}
