import { Context } from "effect"
import type { NumberDescription } from "../../numbers/NumberDescription.ts"
import type { NumberReading, ReadOptions } from "../../numbers/ReadNumber.ts"

/** Reads telephone numbers by the numbering plans of all countries. */
export class NumberPlan extends Context.Service<
  NumberPlan,
  {
    /** Synchronous, because every call needs it. */
    readonly read: (text: string, options?: ReadOptions) => NumberReading
    /** What the plans say of a number in E.164. */
    readonly describe: (e164: string) => NumberDescription
  }
>()("trunkline/domain/ports/NumberPlan") {}
