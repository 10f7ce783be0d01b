// Reads what a server answers, as cheaply as a load client must.
import type { Socket } from "node:net"

const head = Buffer.from("\r\n\r\n")

/** Reads one response after another; of bodies only the length. */
export const onAnswers = (socket: Socket, answered: (status: string) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  socket.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf(head)
      if (end < 0) return
      const text = rest.toString("latin1", 0, end)
      const length = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0)
      if (rest.length < end + 4 + length) return
      rest = rest.subarray(end + 4 + length)
      answered(text.slice(9, 12))
    }
  })
}
