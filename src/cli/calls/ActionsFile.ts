import type { VoiceAction } from "../../client/Actions.ts"
import { CommandFailure } from "../CommandFailure.ts"
import { jsonOf } from "../InputFile.ts"

export interface ActionsFile {
  readonly text: string
  readonly actions: ReadonlyArray<VoiceAction>
}

/** The voice actions in a file; `-` is stdin. What the engine judges is not judged here. Throws CommandFailure. */
export const readActions = (file: string): ActionsFile => {
  const { text, value } = jsonOf(file)
  const actions: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "actions") : undefined
  if (Array.isArray(actions)) return { text, actions }
  throw new CommandFailure({
    exit: "usage",
    message: `${file} has no list "actions".`,
    help: '{"actions": [{"say": {"text": "Hello"}}, {"hangup": {}}]}'
  })
}
