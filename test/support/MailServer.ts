// A mail server that keeps what it is sent.
import { Effect } from "effect"
import { type AddressInfo, createServer } from "node:net"

/** As much of a mail server (RFC 5321) as takes messages, or refuses their recipients, until the scope closes. */
export const mailServer = (accepts: boolean) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly messages: Array<string>; readonly close: () => void }>(
      (resume) => {
        const messages: Array<string> = []
        const listener = createServer((socket) => {
          let data: string | undefined
          socket.setEncoding("utf8").write("220 test\r\n")
          socket.on("error", () => {})
          socket.on("data", (chunk: string) => {
            if (data !== undefined) {
              data += chunk
              if (!data.endsWith("\r\n.\r\n")) return
              messages.push(data)
              data = undefined
              socket.write("250 taken\r\n")
              return
            }
            for (const line of chunk.split("\r\n").filter((line) => line !== "")) {
              const verb = line.slice(0, 4).toUpperCase()
              if (verb === "DATA") data = ""
              socket.write(
                verb === "DATA" ? "354 go on\r\n" : verb === "RCPT" && !accepts ? "450 later\r\n" : "250 fine\r\n"
              )
            }
          })
        })
        listener.listen(0, "127.0.0.1", () =>
          resume(
            Effect.succeed({
              port: (listener.address() as AddressInfo).port,
              messages,
              close: () => void listener.close()
            })
          )
        )
      }
    ),
    ({ close }) => Effect.sync(close)
  )
