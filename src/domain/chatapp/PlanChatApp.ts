// The work of a number in the chat app.
import { deadline, task, type Work } from "../Decision.ts"
import type { ChatApp } from "./ChatApp.ts"
import type { ChatAppMessage } from "./ChatAppCommand.ts"

export type ChatAppWork =
  /** Asks the provider for the trunk. */
  | { readonly _tag: "ProvisionTrunk"; readonly attempt: number; readonly number: string }
  /** Resets the settings of a former workspace at the provider, so that the number can no longer be called there. */
  | { readonly _tag: "TurnOff"; readonly number: string }

type Planned = Work<ChatAppMessage, ChatAppWork>

const ofTrunk = ({ number, trunk }: ChatApp): ReadonlyArray<Planned> => {
  if (trunk?.status === "pending") {
    return [task(`provision:${trunk.attempts}`, { _tag: "ProvisionTrunk", attempt: trunk.attempts, number })]
  }
  return trunk?.status === "failed" && trunk.next_retry_at !== null
    ? [deadline(`retry:${trunk.attempts}`, trunk.next_retry_at, { _tag: "RetryDue" })]
    : []
}

export const planChatApp = (state: ChatApp): ReadonlyArray<Planned> =>
  state.turning_off ? [...ofTrunk(state), task("turn_off", { _tag: "TurnOff", number: state.number })] : ofTrunk(state)
