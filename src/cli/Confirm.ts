// Asks before something costs money or is lost.
import { Flag } from "effect/cli"
import { createInterface } from "node:readline/promises"
import { CommandFailure, Interrupted } from "./CommandFailure.ts"
import type { Context } from "./Handler.ts"

type Asking = Pick<Context, "out" | "signal">

/** Ctrl-C and a closed stdin are no answer. Throws Interrupted. */
const answerTo = async ({ signal }: Asking, question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new AbortController()
  terminal.once("close", () => closed.abort())
  try {
    return await terminal.question(`${question} [y/N] `, { signal: AbortSignal.any([signal, closed.signal]) })
  } catch {
    process.stderr.write("\n")
    throw new Interrupted()
  } finally {
    terminal.close()
  }
}

/** Returns when the answer is yes. Where nobody can be asked, only `--yes` lets it pass. Throws CommandFailure. */
export const confirm = async (
  context: Asking,
  question: string,
  isSure: boolean,
  help = "add --yes"
): Promise<void> => {
  if (isSure) return
  if (!process.stdin.isTTY)
    throw new CommandFailure({ exit: "usage", message: "There is no terminal to ask on.", help })
  const answer = await answerTo(context, question)
  if (/^y(es)?$/i.test(answer.trim())) return
  context.out.note("Nothing was done.")
  throw new CommandFailure({ exit: "refused", message: "It was not confirmed." })
}

/** The flags of a command that spends money. */
export const consent = {
  live: Flag.Boolean("live").pipe(Flag.withDescription("Spend live money without a question"), Flag.withDefault(false)),
  yes: Flag.Boolean("yes").pipe(Flag.withDescription("Do not ask"), Flag.withDefault(false))
}

export interface Consent {
  readonly live: boolean
  readonly yes: boolean
}

export const isGiven = ({ live, yes }: Consent): boolean => live || yes

/** Asks before a live key spends money. A test key has nothing that is worth a question. Throws CommandFailure. */
export const confirmLive = async (context: Context, ask: () => Promise<string>, given: Consent): Promise<void> => {
  if (isGiven(given)) return
  const { env } = await context.client.keys.current()
  if (env === "test") return
  const question = await ask()
  if (!process.stdin.isTTY)
    throw new CommandFailure({
      exit: "usage",
      message: "This key is live, and there is no terminal to ask on.",
      help: "add --live, or use a test key: trunkline login --name test"
    })
  await confirm(context, question, false)
}
