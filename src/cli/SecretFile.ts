import { readFileSync, statSync } from "node:fs"
import { CommandFailure } from "./CommandFailure.ts"

/**
 * The text of a file that nobody else may read. Undefined: there is no such file. Throws CommandFailure if others can
 * read it, or if it cannot be read.
 */
export const secretFile = (path: string): string | undefined => {
  try {
    if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0)
      throw new CommandFailure({ exit: "denied", message: `Others can read ${path}.`, help: `chmod 600 ${path}` })
    return readFileSync(path, "utf8").trim()
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw new CommandFailure({ exit: "denied", message: `${path} cannot be read.` })
  }
}

/** As `secretFile`, and throws CommandFailure if there is no such file, or nothing in it. */
export const neededSecret = (path: string): string => {
  const text = secretFile(path)
  if (text !== undefined && text !== "") return text
  throw new CommandFailure({
    exit: "denied",
    message: text === undefined ? `The file ${path} does not exist.` : `The file ${path} is empty.`
  })
}
