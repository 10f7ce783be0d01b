import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Mailer } from "../../../src/domain/ports/access/Mailer.ts"
import * as Mailers from "../../../src/layers/mail/Mailers.ts"
import { mailServer } from "../../support/MailServer.ts"

const mail = { id: "0199a000-0000-7000-8000-000000000001", subject: "Grüße", text: "Hello\n", html: "<p>Hello</p>" }
const sender = { from: "trunkline <no-reply@voice.example>" }

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-mail-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
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
      const { messages, port } = yield* mailServer(true)
      yield* sendTo(port)
      assert.lengthOf(messages, 1)
      assert.include(messages[0], `Message-ID: <${mail.id}@voice.example>`)
      const refusing = yield* mailServer(false)
      assert.strictEqual((yield* Effect.flip(sendTo(refusing.port)))._tag, "MailFailed")
      assert.strictEqual((yield* Effect.flip(sendTo(1)))._tag, "MailFailed")
    })
  )
})
