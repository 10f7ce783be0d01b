// How tests may wait, and whence they have their ports (docs/flaky-tests.md).
import type { Source } from "./Tidy.ts"

/** The text between the parentheses of every call of this function. */
const argumentsOf = (text: string, called: string): ReadonlyArray<string> =>
  text
    .split(`${called}(`)
    .slice(1)
    .map((rest) => {
      let depth = 1
      const end = [...rest].findIndex((sign) => {
        if (sign === "(") depth++
        if (sign === ")") depth--
        return depth === 0
      })
      return rest.slice(0, end)
    })

const condition = /\b(?:until|while)\s*(?:[:,}]|$)/
const schedule = /\bSchedule\.\w+/
const loop = /\bwhile \(.*\)\s*(?:\{\s*)?(?:yield\*|await) .*\b(?:sleep|setTimeout|setImmediate|waitForTimeout)\b/
const closedProbe = /\bprobe\.close\(|\/node\/FreePort\.ts"/

const helper = "test/support/Until.ts"

/** Waits of tests that have no bound or do not say what they awaited, and ports that somebody else may be given. */
export const handMadeWaits = ({ path, text }: Source): ReadonlyArray<string> => {
  if (!path.startsWith("test/") || path === helper) return []
  const polls = argumentsOf(text, "Effect.repeat").some((options) => condition.test(options))
  return [
    ...(polls ? [`${path} repeats until something holds: use until of test/support/Until.ts`] : []),
    ...(schedule.test(text) ? [`${path} polls by a schedule: use until of test/support/Until.ts`] : []),
    ...(loop.test(text) ? [`${path} waits in a loop: use until of test/support/Until.ts`] : []),
    ...(closedProbe.test(text) ? [`${path} looks for a port and closes it: use freePort of test/support/Ports.ts`] : [])
  ]
}
