// Sends messages by SMTP, or writes them to files for development and tests.
import { Effect, Layer, Redacted } from "effect"
import { mkdir, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createTransport } from "nodemailer"
import type { Mail } from "../../domain/mail/Mail.ts"
import { Mailer, MailFailed } from "../../domain/ports/access/Mailer.ts"
import { traced } from "../../domain/Traced.ts"

export interface Sender {
  /** `name <address>`, or only the address. */
  readonly from: string
}

const messageOf = ({ from }: Sender, to: string, { html, id, subject, text }: Mail) => ({
  from,
  to,
  subject,
  text,
  html,
  // The same for each attempt, so that a mailbox can detect a duplicate (RFC 5322, section 3.6.4).
  messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1).replace(">", "")}>`,
  headers: { "Auto-Submitted": "auto-generated" }
})

const failing = (cause: unknown) => new MailFailed({ cause })

/** Writes each message to a file `<id>.eml` (RFC 5322), atomically. Sending it again replaces the file. */
export const files = (folder: string, sender: Sender): Layer.Layer<Mailer> => {
  const composer = createTransport({ streamTransport: true, buffer: true })
  return Layer.succeed(Mailer)({
    send: traced("Mailer.send")((to: string, mail: Mail) =>
      Effect.tryPromise({
        try: async () => {
          const { message } = await composer.sendMail(messageOf(sender, to, mail))
          await mkdir(folder, { recursive: true, mode: 0o700 })
          const path = join(folder, `${mail.id}.eml`)
          await writeFile(`${path}.partial`, message as Buffer, { mode: 0o600 })
          await rename(`${path}.partial`, path)
        },
        catch: failing
      })
    )
  })
}

/** Sends over pooled connections to the server of an `smtp://` or `smtps://` URL. */
export const smtp = (url: Redacted.Redacted, sender: Sender): Layer.Layer<Mailer> =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const transport = createTransport({ url: Redacted.value(url), pool: true })
      yield* Effect.addFinalizer(() => Effect.sync(() => transport.close()))
      return Mailer.of({
        send: traced("Mailer.send")((to: string, mail: Mail) =>
          Effect.asVoid(
            Effect.tryPromise({ try: () => transport.sendMail(messageOf(sender, to, mail)), catch: failing })
          )
        )
      })
    })
  )
