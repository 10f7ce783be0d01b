// Files that a command is given. What cannot be read is a mistake of the user, and is told in one sentence.
import { readFileSync } from "node:fs"
import { CommandFailure } from "./CommandFailure.ts"

/** More than any file that a command takes. */
const bytes_max = 16 * 1024 * 1024

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EISDIR: "is a folder",
  ENOTDIR: "does not exist",
  EACCES: "may not be read",
  EPERM: "may not be read",
  ENAMETOOLONG: "does not exist",
  EAGAIN: "has nothing to read",
  ERR_FS_FILE_TOO_LARGE: "is too large"
}

const named = (file: string): string => (file === "-" ? "stdin" : file)

const bytesOf = (file: string): Buffer => {
  try {
    return readFileSync(file === "-" ? 0 : file)
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException
    throw new CommandFailure({
      exit: "usage",
      message: `${named(file)} ${reasons[code] ?? `cannot be read: ${message}`}.`
    })
  }
}

/** The text of a file; `-` is stdin. Throws CommandFailure if it cannot be read, or is no text. */
export const textOf = (file: string): string => {
  const bytes = bytesOf(file)
  if (bytes.length > bytes_max) throw new CommandFailure({ exit: "usage", message: `${named(file)} is too large.` })
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new CommandFailure({ exit: "usage", message: `${named(file)} is no text in UTF-8.` })
  }
}

/** The JSON value in a file; `-` is stdin. Throws CommandFailure. */
export const jsonOf = (file: string): { readonly text: string; readonly value: unknown } => {
  const text = textOf(file)
  try {
    return { text, value: JSON.parse(text) }
  } catch (error) {
    throw new CommandFailure({ exit: "usage", message: `${named(file)} is not JSON: ${(error as Error).message}` })
  }
}
