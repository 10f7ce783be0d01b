// The calls that speak codes. They belong to an operator's workspace and leave over the platform's carrier, so that
// whoever asks for a code can neither read, record nor redirect its call.
import { Context, Effect, Layer } from "effect"
import { placedWith } from "../../domain/ActorPlace.ts"
import { type CallId, toCallId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { codeCallRefusal, speaksCodes } from "../../domain/callerids/CodeCall.ts"
import { codeOf, codePurpose, spokenCode, testCode } from "../../domain/callerids/SpokenCode.ts"
import { destinationRefused } from "../../domain/calls/policy/Authorisation.ts"
import { CallerIdCallsUnavailable } from "../../domain/errors/CallerIdErrors.ts"
import type {
  CallDestinationRefused,
  CallGatewayUnavailable,
  CallInvalidDestination
} from "../../domain/errors/CallErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Tokens } from "../../domain/ports/access/Tokens.ts"
import { CodeCallSettings } from "../../domain/ports/calls/CodeCallSettings.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { traced } from "../../domain/Traced.ts"
import { makeRequireGateway } from "../pbx/RequireGateway.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { Legs, type PriceRefusal, type ShareRefusal } from "../calls/Legs.ts"

/** How long the call rings, and lasts. */
const ring_seconds = 30
const longest_seconds = 90

export type CodeCallRefusal =
  | CallerIdCallsUnavailable
  | CallGatewayUnavailable
  | PriceRefusal
  | ShareRefusal
  | NotCommitted

export class CodeCalls extends Context.Service<
  CodeCalls,
  {
    /** Whether the workspace's codes are spoken by no call, and are all `testCode`. */
    readonly isSilent: (workspace_id: WorkspaceId) => boolean
    /** The id of a new call to the number, unless the platform does not call it. */
    readonly begin: (
      workspace_id: WorkspaceId,
      number: string
    ) => Effect.Effect<CallId, CallerIdCallsUnavailable | CallDestinationRefused | CallInvalidDestination>
    /** Places the call. A second time with the same id, it changes nothing. */
    readonly speak: (call_id: CallId, number: string) => Effect.Effect<void, CodeCallRefusal>
    /** Whether it is the code of the call. */
    readonly matches: (workspace_id: WorkspaceId, call_id: CallId, code: string) => boolean
  }
>()("trunkline/actors/CodeCalls") {
  static readonly layer = Layer.effect(
    CodeCalls,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const { from, silent } = yield* CodeCallSettings
  const directory = yield* Directory
  const ids = yield* Ids
  const legs = yield* Legs
  const tokens = yield* Tokens
  const requireGateway = makeRequireGateway(yield* ActorSystem)

  const isSilent = (workspace_id: WorkspaceId): boolean => silent || isSandbox(workspace_id)

  /** The number that calls, with its workspace. */
  const caller = Effect.gen(function* () {
    const number = from === undefined ? undefined : yield* directory.numberOf(from)
    if (number === undefined || !speaksCodes(number)) return yield* new CallerIdCallsUnavailable()
    return number
  })

  const begin = traced("CodeCalls.begin")(function* (workspace_id: WorkspaceId, number: string) {
    if (isSilent(workspace_id)) return toCallId(ids.uuid())
    const by = yield* caller
    const { authorisation } = yield* legs
      .quote(by.workspace_id, by.number, number)
      .pipe(
        Effect.catchTag(["numbers.not_active", "numbers.not_found", "wallet.not_found"], () =>
          Effect.fail(new CallerIdCallsUnavailable())
        )
      )
    const refusal = codeCallRefusal(authorisation)
    if (refusal !== undefined) return yield* destinationRefused(refusal)
    return toCallId(placedWith(by.workspace_id, ids.uuid()))
  })

  const codeFor = (call_id: CallId): string => codeOf(tokens.hash(tokens.sign(call_id, codePurpose)))

  const speak = traced("CodeCalls.speak")(function* (call_id: CallId, number: string) {
    const by = yield* caller
    const asked = { workspace_id: by.workspace_id, from: by.number }
    const found = yield* legs.callerOf(asked)
    yield* requireGateway(found.workspace.gateway_id)
    const leg = {
      ...asked,
      id: call_id,
      kind: "api" as const,
      to: number,
      caller_id: null,
      timeout_seconds: ring_seconds,
      max_duration_seconds: longest_seconds,
      actions: spokenCode(codeFor(call_id))
    }
    yield* legs.place(leg, found)
  })

  const matches = (workspace_id: WorkspaceId, call_id: CallId, code: string): boolean =>
    // Hashes are compared, so that the time tells nothing of the code.
    tokens.hash(code) === tokens.hash(isSilent(workspace_id) ? testCode : codeFor(call_id))

  return CodeCalls.of({ isSilent, begin, speak, matches })
})
