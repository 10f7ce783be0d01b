import { Context } from "effect"

/** Which number calls with the codes that prove caller ids (docs/caller-ids.md). */
export class CodeCallSettings extends Context.Service<
  CodeCallSettings,
  {
    /** The number (E.164) of an operator's workspace that calls with codes. Undefined: no codes are spoken. */
    readonly from: string | undefined
    /** Whether all workspaces prove numbers as in test mode: without a call, with a known code. Never in production. */
    readonly silent: boolean
  }
>()("trunkline/domain/ports/CodeCallSettings") {}
