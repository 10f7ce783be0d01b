// What a call has kept of what its PBX was told: all of it. What it meant to tell, and was overtaken before, may be
// there too.
import { type Call, isPlaced } from "../../../src/domain/calls/state/Call.ts"
import type { CallCell } from "./Cells.ts"

const kept = ({ commands = [], id }: Call): ReadonlySet<string> => new Set(commands.map(([name]) => `${id}:${name}`))

/** After every step of the call. */
export const commandRules = ({ plan, state }: CallCell, now: number): void => {
  if (!isPlaced(state)) return
  const commands = kept(state)
  for (const work of plan) {
    if (work._tag !== "Task" || work.work._tag !== "SendToPbx" || work.work.command.action.kind === "snapshot") continue
    const missing = (work.at ?? now) <= now && !commands.has(work.key)
    if (missing)
      throw new Error(`What the PBX is told is kept with the call: ${work.key} is not in ${[...commands].join(", ")}`)
  }
}
