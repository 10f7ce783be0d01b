// Files that a command writes. Where it cannot, the user is told in one sentence.
import { writeFileSync } from "node:fs"
import { CommandFailure } from "./CommandFailure.ts"

/** Replaces the file. Throws CommandFailure. */
export const writeText = (file: string, text: string): void => {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new CommandFailure({ exit: "usage", message: `Cannot write ${file}: ${(error as Error).message}` })
  }
}
