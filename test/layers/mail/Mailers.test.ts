import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Mailer } from "../../../src/domain/ports/Mailer.ts"
import * as Mailers from "../../../src/layers/mail/Mailers.ts"

const mail = { id: "0199a000-0000-7000-8000-000000000001", subject: "Grüße", text: "Hello\n", html: "<p>Hello</p>" }
const sender = { from: "trunkline <no-reply@voice.example>" }

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-mail-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

/** As much of a mail server (RFC 5321) as takes a message, or refuses its recipient. */
const server = (accepts: boolean) =>
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

describe("mail", () => {
  it.live("as files is one file per message, readable only by its owner", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "mail")
      const send = Effect.flatMap(Mailer, (mailer) => mailer.send("ann@example.com", mail)).pipe(
        Effect.provide(Mailers.files(path, sender))
      )
      yield* Effect.andThen(send, send)
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), [`${mail.id}.eml`])
      const message = yield* Effect.promise(() => readFile(join(path, `${mail.id}.eml`), "utf8"))
      for (const line of [
        "From: trunkline <no-reply@voice.example>",
        "To: ann@example.com",
        `Message-ID: <${mail.id}@voice.example>`
      ]) {
        assert.include(message, line)
      }
      assert.match(message, /multipart\/alternative[\s\S]*text\/plain[\s\S]*Hello[\s\S]*text\/html[\s\S]*<p>Hello<\/p>/)
      assert.strictEqual((yield* Effect.promise(() => stat(join(path, `${mail.id}.eml`)))).mode & 0o777, 0o600)
    })
  )

  it.live("by SMTP is sent to the server, which may refuse it", () =>
    Effect.gen(function* () {
      const sendTo = (port: number) =>
        Effect.flatMap(Mailer, (mailer) => mailer.send("ann@example.com", mail)).pipe(
          Effect.provide(Mailers.smtp(Redacted.make(`smtp://127.0.0.1:${port}`), sender))
        )
      const { messages, port } = yield* server(true)
      yield* sendTo(port)
      assert.lengthOf(messages, 1)
      assert.include(messages[0], `Message-ID: <${mail.id}@voice.example>`)
      const refusing = yield* server(false)
      assert.strictEqual((yield* Effect.flip(sendTo(refusing.port)))._tag, "MailFailed")
      assert.strictEqual((yield* Effect.flip(sendTo(1)))._tag, "MailFailed")
    })
  )
})
