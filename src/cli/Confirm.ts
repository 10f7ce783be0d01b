// Asks before something costs money or is lost.
import { createInterface } from "node:readline/promises"
import { CommandFailure } from "./CommandFailure.ts"
import type { Context } from "./Handler.ts"

/** Returns when the answer is yes. Where nobody can be asked, only `--yes` lets it pass. Throws CommandFailure. */
export const confirm = async ({ out, signal }: Context, question: string, isSure: boolean): Promise<void> => {
  if (isSure) return
  if (!process.stdin.isTTY)
    throw new CommandFailure({ exit: "usage", message: "There is no terminal to ask on.", help: "add --yes" })
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal })
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    terminal.close()
  }
  out.note("Nothing was done.")
  throw new CommandFailure({ exit: "refused", message: "It was not confirmed." })
}
