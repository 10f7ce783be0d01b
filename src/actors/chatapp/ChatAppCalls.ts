// Whether a number may call a user of the chat app, and over which trunk.
import { Clock, Context, Effect, Layer } from "effect"
import { ChatAppCommands } from "../../domain/chatapp/ChatAppCommand.ts"
import { forbidsCalls, type Restriction } from "../../domain/chatapp/CallSettings.ts"
import { PermissionCommands, permissionName } from "../../domain/chatapp/Permission.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { ChatAppProvider } from "../../domain/ports/pbx/ChatAppProvider.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { traced } from "../../domain/Traced.ts"
import type { NumberId, PbxTrunkId, WorkspaceId } from "../../domain/BrandedIds.ts"
import type { RefusalReason } from "../../domain/calls/policy/Authorisation.ts"

/** How long the provider's restrictions are believed, and how long a call waits for them. */
const believed_ms = 60_000
const readTimeout = "2 seconds"
/** How many numbers' restrictions are kept. */
const maxKnown = 10_000

/** A number of a workspace. */
export interface CallingNumber {
  readonly workspace_id: WorkspaceId
  readonly number_id: NumberId
  readonly number: string
}

export type ChatAppVerdict =
  | { readonly ok: true; readonly trunk_id: PbxTrunkId }
  | { readonly ok: false; readonly reason: RefusalReason }

export class ChatAppCalls extends Context.Service<
  ChatAppCalls,
  {
    /** Whether the number may call the user, whose number is in E.164. */
    readonly judge: (from: CallingNumber, user: string) => Effect.Effect<ChatAppVerdict>
  }
>()("trunkline/actors/ChatAppCalls") {
  static readonly layer = Layer.suspend(() => Layer.effect(ChatAppCalls, make))

  /** For an engine of calls alone: nobody can be reached in the chat app. */
  static readonly none = Layer.succeed(ChatAppCalls)({
    judge: () => Effect.succeed({ ok: false, reason: "chatapp_unavailable" })
  })
}

const refused = (reason: RefusalReason): ChatAppVerdict => ({ ok: false, reason })

/** A provider that cannot be asked restricts nothing: it refuses the call itself if it must. */
const makeIsRestricted = Effect.map(ChatAppProvider, (provider) => {
  const known = new Map<string, { readonly until: number; readonly restrictions: ReadonlyArray<Restriction> }>()
  return Effect.fnUntraced(function* (number: string, now: number) {
    const earlier = known.get(number)
    if (earlier !== undefined && now < earlier.until)
      return earlier.restrictions.some((restriction) => forbidsCalls(restriction, now))
    const restrictions = yield* provider.read(number).pipe(
      Effect.map((read) => read.restrictions),
      Effect.timeoutOrElse({ duration: readTimeout, orElse: () => Effect.succeed([]) }),
      Effect.catch(() => Effect.succeed([]))
    )
    if (known.size >= maxKnown) known.clear()
    known.set(number, { until: now + believed_ms, restrictions })
    return restrictions.some((restriction) => forbidsCalls(restriction, now))
  })
})

const make = Effect.gen(function* () {
  const system = yield* ActorSystem
  const ids = yield* Ids
  const isRestricted = yield* makeIsRestricted

  const judge = Effect.fnUntraced(function* ({ number, number_id, workspace_id }: CallingNumber, user: string) {
    const { settings, since, trunk_id } = yield* system.ask(ChatAppCommands.FindRoute, number_id, { workspace_id })
    if (trunk_id === null || settings?.status !== "ENABLED") return refused("chatapp_unavailable")
    const permission_id = ids.named(permissionName(number_id, user))
    const permitted = yield* system.ask(PermissionCommands.Permits, permission_id, { workspace_id, since })
    if (!permitted) return refused("chatapp_not_permitted")
    const now = yield* Clock.currentTimeMillis
    if (yield* isRestricted(number, now)) return refused("chatapp_restricted")
    return { ok: true, trunk_id } satisfies ChatAppVerdict
  })

  return ChatAppCalls.of({
    judge: traced("ChatAppCalls.judge")((from: CallingNumber, user: string) =>
      Effect.catch(judge(from, user), (cause) => Effect.die(new ServiceUnavailable({ cause })))
    )
  })
})
