// What a test measured, for its report: `npm run campaign -- faults` shows the figures of the tests of each fault.
import type { TestContext } from "vitest"
import type { BenchRow } from "../../bench/Row.ts"

declare module "vitest" {
  interface TaskMeta {
    figures?: Array<BenchRow>
  }
}

/** Adds a figure to the report of the test. Its goal is for people to read: the test asserts what must hold. */
export const measured = ({ task }: TestContext, figure: BenchRow): void => {
  task.meta.figures = [...(task.meta.figures ?? []), figure]
}
