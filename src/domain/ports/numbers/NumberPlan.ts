import { Context } from "effect"
import type { NumberReading, ReadOptions } from "../../numbers/ReadNumber.ts"

/** Reads telephone numbers by the numbering plans of all countries. */
export class NumberPlan extends Context.Service<
  NumberPlan,
  {
    /** Synchronous, because every call needs it. */
    readonly read: (text: string, options?: ReadOptions) => NumberReading
  }
>()("trunkline/domain/ports/NumberPlan") {}
