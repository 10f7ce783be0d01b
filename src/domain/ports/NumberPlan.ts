import { Context } from "effect"
import type { NumberReading, ReadOptions } from "../numbers/ReadNumber.ts"

/** The world's numbering plans. */
export class NumberPlan extends Context.Service<
  NumberPlan,
  {
    /** Synchronous: it stands on the way of every call. */
    readonly read: (text: string, options?: ReadOptions) => NumberReading
  }
>()("trunkline/domain/ports/NumberPlan") {}
