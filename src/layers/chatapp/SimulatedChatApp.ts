// A simulated chat-app provider, for development (docs/chat-app.md). The last digits of a number choose its responses.
import { Clock, Context, Effect, Layer, Queue, Redacted } from "effect"
import { type CallSettings, initialSettings } from "../../domain/chatapp/CallSettings.ts"
import { isTestNumber } from "../../domain/kit/Sandbox.ts"
import { notEligibleCode } from "../../domain/chatapp/ChatApp.ts"
import type { PermissionReply } from "../../domain/chatapp/PermissionReply.ts"
import { ChatAppFault, ChatAppProvider } from "../../domain/ports/pbx/ChatAppProvider.ts"
import { SimulatedChatAppNotices } from "./SimulatedChatAppNotices.ts"

const sip_host = "sip.chatapp.invalid"
/** The simulated PBX gets no answer from it. */
const silent_host = "silent.chatapp.invalid"

const ends = (number: string, digits: string): boolean => number.endsWith(digits)

const notEligible = new ChatAppFault({
  kind: "not_eligible",
  message: "Calling is not available yet for the number: its messaging tier is below 2,000 conversations.",
  code: notEligibleCode
})
const away = new ChatAppFault({ kind: "unavailable", message: "The chat-app provider cannot be reached.", code: null })
const refused = new ChatAppFault({
  kind: "rejected",
  message: "The number is not registered with the provider.",
  code: 100
})

/** The users who grant every permission for a day. On the simulated PBX the first answers, and the other calls back. */
const users = ["+99900000001", "+99900000027"]
const day_ms = 86_400_000

export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const queue = yield* Queue.unbounded<Omit<PermissionReply, "at">>()
    const written = new Map<string, CallSettings>()
    let replies = 0
    const asks = (number: string, settings: CallSettings): boolean =>
      (ends(number, "96") || isTestNumber(number)) &&
      settings.callback_permission_status === "ENABLED" &&
      written.get(number)?.callback_permission_status !== "ENABLED"
    const reply = (number: string, user: string) => {
      const now = clock.currentTimeMillisUnsafe()
      Queue.offerUnsafe(queue, {
        id: `simulated-${now}-${++replies}`,
        provider_number_id: number,
        user,
        status: "granted",
        permanent: false,
        expires_at: now + day_ms,
        source: "user"
      })
    }
    const unlessRefused = (number: string) =>
      ends(number, "98") ? Effect.fail(refused) : ends(number, "99") ? Effect.fail(away) : Effect.void
    const unlessEarly = (number: string) => (ends(number, "97") ? Effect.fail(notEligible) : unlessRefused(number))
    const provider = ChatAppProvider.of({
      read: (number) =>
        Effect.map(unlessRefused(number), () => ({
          settings: written.get(number) ?? initialSettings,
          restrictions: []
        })),
      write: (number, settings) =>
        Effect.map(unlessEarly(number), () => {
          if (asks(number, settings)) for (const user of users) reply(number, user)
          written.set(number, settings)
        }),
      numberOf: Effect.succeed,
      account: (number) =>
        Effect.as(unlessEarly(number), {
          host: ends(number, "95") ? silent_host : sip_host,
          port: 5061,
          username: number.slice(1),
          password: Redacted.make("simulated")
        }),
      provision: (number) => Effect.as(unlessEarly(number), { sip_host })
    })
    return Context.add(Context.make(ChatAppProvider, provider), SimulatedChatAppNotices, { take: Queue.take(queue) })
  })
)

/** For deployments without chat-app calling. */
export const none = Layer.succeed(ChatAppProvider)({
  read: () =>
    Effect.fail(
      new ChatAppFault({
        kind: "unavailable",
        message: "Chat-app calling is not set up in this deployment.",
        code: null
      })
    ),
  write: () => Effect.fail(away),
  numberOf: () => Effect.succeed(undefined),
  account: () => Effect.fail(away),
  provision: () =>
    Effect.fail(
      new ChatAppFault({ kind: "rejected", message: "Chat-app calling is not set up in this deployment.", code: null })
    )
})
