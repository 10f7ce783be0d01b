import { Context } from "effect"

/** Who may announce what happens in the chat app: the provider signs what it posts, and shows a token when it is set up. */
export class ChatAppWebhookAuth extends Context.Service<
  ChatAppWebhookAuth,
  {
    /** The token with which the provider asks whether this is the right place. */
    readonly knows: (token: string) => boolean
    /** `signature` is the header X-Hub-Signature-256, over the bytes of the body as they came. */
    readonly admits: (signature: string, body: Uint8Array) => boolean
  }
>()("trunkline/domain/ports/ChatAppWebhookAuth") {}
