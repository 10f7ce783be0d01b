import { Context } from "effect"

/** Authenticates requests of the chat app's provider. */
export class ChatAppWebhookAuth extends Context.Service<
  ChatAppWebhookAuth,
  {
    /** Whether this is the token with which the provider verifies the URL of the webhook. */
    readonly knows: (token: string) => boolean
    /** Whether `signature`, the header X-Hub-Signature-256, signs the raw bytes of the body. */
    readonly admits: (signature: string, body: Uint8Array) => boolean
  }
>()("trunkline/domain/ports/ChatAppWebhookAuth") {}
