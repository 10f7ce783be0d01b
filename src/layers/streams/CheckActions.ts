// Checks the actions of applications in a relay's thread. The schemas take longer to load than all the rest of a
// thread, so it loads this file when the first application sends actions.
import { Result } from "effect"
import { parseVoiceActions } from "../../domain/calls/verbs/ParseVoiceActions.ts"

/** Why a document has no valid actions; undefined if it has. */
export const faultOfActions = (document: string): string | undefined =>
  Result.match(parseVoiceActions(document), {
    onFailure: ({ detail, pointer }) => `The actions are not valid at ${pointer}: ${detail}`,
    onSuccess: () => undefined
  })
