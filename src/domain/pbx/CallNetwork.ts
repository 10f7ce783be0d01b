import { Schema } from "effect"

/** A network of calls besides the telephone network: `chatapp`, the users of the chat app (docs/chat-app.md). */
export const CallNetwork = Schema.Literal("chatapp")
