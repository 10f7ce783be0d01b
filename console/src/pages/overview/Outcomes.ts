// The calls of the last hour by minute and outcome, and those of the last days, as bars.
import type { CallRecord, CallStats } from "../../api/Types.ts"
import { timeText } from "../../ui/Format.ts"
import type { Bar, Series } from "../../ui/StackedBars.tsx"

export const outcomes: ReadonlyArray<Series> = [
  { key: "answered", word: "Answered", look: "plain" },
  { key: "no_answer", word: "No answer", look: "hollow" },
  { key: "busy", word: "Busy", look: "solid" },
  { key: "failed", word: "Failed", look: "hatched" }
]

/** A call that still rings has no outcome yet. */
const outcomeOf = ({ status }: Pick<CallRecord, "status">): string | undefined => {
  if (status === "ringing") return undefined
  if (status === "completed") return "answered"
  return status === "canceled" ? "no_answer" : status
}

const minute_ms = 60_000
const minutes = 60
const labelled_minutes = 15

/** One bar for each of the last sixty minutes, the present one last. */
export const minuteBars = (
  calls: ReadonlyArray<Pick<CallRecord, "status" | "created_at">>,
  now: number
): ReadonlyArray<Bar> => {
  const first = Math.floor(now / minute_ms) - minutes + 1
  const counts = Array.from({ length: minutes }, (): Record<string, number> => ({}))
  for (const call of calls) {
    const outcome = outcomeOf(call)
    const slot = counts[Math.floor(Date.parse(call.created_at) / minute_ms) - first]
    if (outcome !== undefined && slot !== undefined) slot[outcome] = (slot[outcome] ?? 0) + 1
  }
  return counts.map((values, index) => {
    const title = timeText((first + index) * minute_ms, "minute")
    const label = index === minutes - 1 ? "now" : index % labelled_minutes === 0 ? title : undefined
    return { title, label, values }
  })
}

const labelled_days = 7

/** One bar for each day (UTC). */
export const dayBars = ({ buckets }: CallStats): ReadonlyArray<Bar> =>
  buckets.map(({ answered, busy, canceled, day = "", failed, no_answer }, index) => ({
    title: day,
    label: index === buckets.length - 1 ? "today" : index % labelled_days === 0 ? day.slice(5) : undefined,
    values: { answered, no_answer: no_answer + canceled, busy, failed }
  }))
