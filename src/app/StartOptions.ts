// The options of a start. There are two; the configuration is in the environment.
import { Result } from "effect"
import { nearest } from "../domain/text/Nearest.ts"

const options = ["--help", "--check"] as const
export type StartOption = (typeof options)[number]

/** The option of a start, if there is one; else what is wrong. */
export const startOption = (args: ReadonlyArray<string>): Result.Result<StartOption | undefined, string> => {
  for (const given of args) {
    if (options.some((option) => option === given)) continue
    const meant = nearest(given, options)
    const hint = meant === undefined ? "npm start -- --help lists the configuration." : `Did you mean ${meant}?`
    return Result.fail(`Option ${given} does not exist. ${hint}`)
  }
  return Result.succeed(options.find((option) => args.includes(option)))
}
