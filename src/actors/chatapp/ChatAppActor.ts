// A number in the chat app. Its id is the number's.
import { type ChatApp, type ChatAppEvent, type TrunkRecord, unusedChatApp } from "../../domain/chatapp/ChatApp.ts"
import { ChatAppCommands } from "../../domain/chatapp/ChatAppCommand.ts"
import { decideChatApp } from "../../domain/chatapp/DecideChatApp.ts"
import { evolveChatApp } from "../../domain/chatapp/EvolveChatApp.ts"
import { type ChatAppWork, planChatApp } from "../../domain/chatapp/PlanChatApp.ts"
import { recordChatApp } from "../../domain/chatapp/RecordChatApp.ts"
import { restoreChatApp } from "../../domain/chatapp/StoredChatApp.ts"
import { actor, type Answer } from "../runtime/Definition.ts"

const accepted = (trunk: TrunkRecord): Answer => ({ status: 202, body: JSON.stringify(trunk), headers: {} })

export const ChatAppActor = actor<ChatApp, ChatAppCommands, ChatAppEvent, ChatAppWork>({
  type: "ChatApp",
  commands: ChatAppCommands,
  initial: unusedChatApp,
  restore: restoreChatApp,
  decide: decideChatApp,
  evolve: evolveChatApp,
  plan: planChatApp,
  record: recordChatApp,
  answers: { Provision: accepted, Retry: accepted }
})
