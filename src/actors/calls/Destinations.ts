// Where a workspace may call from a number of its own: one answer for who asks beforehand and for each leg that is placed.
import { Clock, Effect } from "effect"
import { authorise, type Authorisation, destinationRefused, emergency } from "../../domain/calls/Authorisation.ts"
import { allowsCallerId } from "../../domain/calls/CallingPolicy.ts"
import type { Quote } from "../../domain/calls/DestinationCheck.ts"
import { authoriseSip, isSipUri } from "../../domain/calls/SipDestination.ts"
import { CallInvalidDestination } from "../../domain/errors/CallErrors.ts"
import { NumberNotActive, NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { isEmergency } from "../../domain/numbers/EmergencyNumbers.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import type { OwnedNumber } from "../../domain/numbers/OwnedNumber.ts"
import type { Workspace } from "../../domain/workspace/Workspace.ts"
import { isWorking } from "../../domain/numbers/NumberStatus.ts"
import { NumberPlan } from "../../domain/ports/NumberPlan.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

interface Tenant extends Workspace {
  readonly currency: Currency
}

interface Asked {
  /** Epoch milliseconds: whose rates apply. */
  readonly at: number
  /** E.164 alone; else any usual spelling. */
  readonly strict: boolean
}

const hasMoney = (workspace: Workspace): workspace is Tenant => workspace.currency !== null

export const makeDestinations = Effect.fnUntraced(function* (options: { readonly allow_test_numbers: boolean }) {
  const directory = yield* Directory
  const plan = yield* NumberPlan

  /** The workspace, if it has a wallet. */
  const tenant = (workspace_id: WorkspaceId): Effect.Effect<Tenant, WalletNotFound> =>
    Effect.flatMap(directory.workspace(workspace_id), (workspace) =>
      workspace !== undefined && hasMoney(workspace) ? Effect.succeed(workspace) : Effect.fail(new WalletNotFound())
    )

  /** A number that the workspace may show as its caller, in whatever state. */
  const ownNumber = (workspace_id: WorkspaceId, e164: string): Effect.Effect<OwnedNumber, NumberNotFound> =>
    Effect.flatMap(directory.number(workspace_id, e164), (number) =>
      number === undefined ? Effect.fail(new NumberNotFound()) : Effect.succeed(number)
    )

  /** What a call from `number` shows as its caller. */
  const callerShown = (
    { calling_policy, id }: Tenant,
    number: OwnedNumber,
    { caller_id, inbound_caller }: { readonly caller_id: string | null; readonly inbound_caller?: string }
  ): Effect.Effect<{ readonly number: string; readonly working: boolean }, NumberNotFound> => {
    if (caller_id === null) return Effect.succeed({ number: number.number, working: true })
    if (caller_id === inbound_caller || allowsCallerId(calling_policy, caller_id))
      return Effect.succeed({ number: caller_id, working: true })
    return Effect.map(ownNumber(id, caller_id), (own) => ({ number: own.number, working: isWorking(own) }))
  }

  const judge = (
    workspace: Tenant,
    from: OwnedNumber,
    text: string,
    { at, strict }: Asked
  ): Effect.Effect<Authorisation, CallInvalidDestination> => {
    if (isEmergency(text, from.country)) return Effect.succeed(emergency)
    const to = plan.read(text, { strict, default_country: from.country, allow_test: options.allow_test_numbers })
    if (!to.ok) {
      const { reason, suggested_e164 } = to
      return Effect.fail(
        new CallInvalidDestination({ reason, ...(suggested_e164 !== undefined && { suggested_e164 }) })
      )
    }
    if (to.e164 === from.number) return Effect.fail(new CallInvalidDestination({ reason: "same_as_from" }))
    return Effect.map(directory.rate(workspace.currency, "outbound", to.e164.slice(1), at, from.source), (rate) =>
      authorise(workspace.calling_policy, from, to, rate)
    )
  }

  /** A price, and where the call goes; refuses what the workspace may not call. SIP is for legs that a call dials. */
  const routeTo = Effect.fnUntraced(function* (
    workspace: Tenant,
    from: OwnedNumber,
    to: string,
    options: { readonly at: number; readonly sip: boolean }
  ) {
    const { at, sip } = options
    if (sip && isSipUri(to)) {
      const authorised = authoriseSip(to, workspace.calling_policy, yield* directory.extensions(workspace.id))
      if (!authorised.ok) return yield* destinationRefused(authorised.reason)
      const { endpoint } = authorised
      return {
        to,
        rate_per_min_minor: 0,
        matched_prefix: null,
        trunk: undefined,
        ...(endpoint !== undefined && { endpoint })
      }
    }
    const authorisation = yield* judge(workspace, from, to, { at, strict: true })
    if (!authorisation.ok) return yield* destinationRefused(authorisation.reason)
    const { country, e164 } = authorisation.to
    const trunk = from.source === "byo" ? yield* directory.trunk(workspace.id) : undefined
    return { to: e164, ...authorisation.price, trunk, ...(country !== null && { country }) }
  })

  const quote = Effect.fnUntraced(function* (workspace_id: WorkspaceId, from: string, to: string) {
    const workspace = yield* tenant(workspace_id)
    const number = yield* ownNumber(workspace_id, from)
    const at = yield* Clock.currentTimeMillis
    const authorisation = yield* judge(workspace, number, to, { at, strict: false })
    if (!isWorking(number)) return yield* new NumberNotActive()
    return { to, from, currency: workspace.currency, authorisation } satisfies Quote
  })

  return { tenant, ownNumber, callerShown, routeTo, quote }
})
