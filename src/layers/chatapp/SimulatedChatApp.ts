// A chat-app provider that is always there, for trying the engine out (docs/chat-app.md).
import { Effect, Layer } from "effect"
import { type CallSettings, initialSettings } from "../../domain/chatapp/CallSettings.ts"
import { not_eligible_code } from "../../domain/chatapp/ChatApp.ts"
import { ChatAppFault, ChatAppProvider } from "../../domain/ports/ChatAppProvider.ts"

const sip_host = "sip.chatapp.invalid"

/** By the last digits of a number: what the provider makes of it. */
const ends = (number: string, digits: string): boolean => number.endsWith(digits)

const notEligible = new ChatAppFault({
  kind: "not_eligible",
  message: "Calling is not available yet for the number: its messaging tier is below 2,000 conversations.",
  code: not_eligible_code
})
const away = new ChatAppFault({ kind: "unavailable", message: "The chat-app provider cannot be reached.", code: null })
const refused = new ChatAppFault({ kind: "rejected", message: "The number is not registered with the provider.", code: 100 })

export const layer = Layer.sync(ChatAppProvider, () => {
  const written = new Map<string, CallSettings>()
  const unlessRefused = (number: string) =>
    ends(number, "98") ? Effect.fail(refused) : ends(number, "99") ? Effect.fail(away) : Effect.void
  const unlessEarly = (number: string) => ends(number, "97") ? Effect.fail(notEligible) : unlessRefused(number)
  return ChatAppProvider.of({
    read: (number) =>
      Effect.map(unlessRefused(number), () => ({ settings: written.get(number) ?? initialSettings, restrictions: [] })),
    write: (number, settings) =>
      Effect.map(unlessEarly(number), () => {
        written.set(number, settings)
      }),
    provision: (number) => Effect.as(unlessEarly(number), { sip_host })
  })
})

/** Where chat-app calling is not set up. */
export const none = Layer.succeed(ChatAppProvider)({
  read: () => Effect.fail(new ChatAppFault({ kind: "unavailable", message: "Chat-app calling is not set up in this deployment.", code: null })),
  write: () => Effect.fail(away),
  provision: () => Effect.fail(new ChatAppFault({ kind: "rejected", message: "Chat-app calling is not set up in this deployment.", code: null }))
})
