// The mails of the engine under test: `.eml` files in its folder.
import { Effect } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Settings } from "../../src/app/Settings.ts"
import { until } from "./Until.ts"

export interface ReadMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Quoted-printable (RFC 2045, section 6.7), as far as ASCII needs it. */
export const unquoted = (text: string): string =>
  text.replace(/=\r?\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

const header = (message: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, "im").exec(message)?.[1]?.trim() ?? ""

const read = (message: string): ReadMail => ({
  to: header(message, "To"),
  subject: header(message, "Subject"),
  text: unquoted(message)
})

/** The mails to an address, oldest first. */
export const mailsTo = (address: string) =>
  Effect.gen(function* () {
    const { data_dir } = yield* Settings
    const folder = join(data_dir, "mail")
    const messages = yield* Effect.promise(async () => {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml")).toSorted()
      return await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
    })
    return messages.map(read).filter(({ to }) => to === address)
  })

/** Waits until the address has `count` mails. Returns the last one. */
export const mailTo = (address: string, count = 1) =>
  Effect.map(
    until(`mail no. ${count} to ${address}`, mailsTo(address), (mails) => mails.length >= count, { every_ms: 10 }),
    (mails) => mails[count - 1]!
  )

/** The token of the link in a mail. */
export const tokenOf = ({ text }: ReadMail): string => /[?]token=([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? ""
