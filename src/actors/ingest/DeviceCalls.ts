// Calls that devices of a workspace place: browsers and phones that are registered as an extension (docs/webrtc.md).
import { Clock, Effect } from "effect"
import type { CallMessage } from "../../domain/calls/state/CallCommand.ts"
import type { CallFacts, Forward } from "../../domain/calls/state/CallFacts.ts"
import { dialledNumber } from "../../domain/calls/policy/DialledNumber.ts"
import { newFacts } from "../../domain/calls/state/NewFacts.ts"
import { cameInAt, ringLimit_seconds } from "../../domain/calls/state/InboundSetup.ts"
import { anonymous } from "../../domain/numbers/SipParty.ts"
import type { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import type { Directory } from "../../domain/ports/access/Directory.ts"
import type { PayingWorkspace } from "../../domain/workspace/Workspace.ts"
import type { NumberPlan } from "../../domain/ports/numbers/NumberPlan.ts"
import type { SessionId } from "../../domain/BrandedIds.ts"

type Incoming = Extract<CallMessage, { readonly _tag: "Incoming" }>

const ring_seconds = 60

const isBrowser = ({ data }: PbxEvent): boolean => /^wss?$/i.test(data.transport ?? "")

/**
 * The device's own leg is free; what it dials is a separate leg, checked and charged like that of any dial. A device
 * that the workspace does not know has no number and reaches nobody.
 */
export const makeDeviceCall = (directory: Directory["Service"], plan: NumberPlan["Service"]) =>
  Effect.fnUntraced(function* (
    workspace: PayingWorkspace,
    event: PbxEvent & { readonly session_id: SessionId },
    { dialled, gateway }: { readonly dialled: string; readonly gateway: Pick<CallFacts, "capabilities"> }
  ) {
    const extensions = yield* directory.extensions(workspace.id)
    const own = event.from === undefined ? undefined : extensions.byUsername.get(event.from)
    const number = own && (yield* directory.number(workspace.id, own.number))
    const read = (text: string) => plan.read(text, { default_country: number?.country, allow_test: true })
    const { country, destination, to } = dialledNumber(dialled, extensions, read)
    const forward: Forward = { to: [destination], sequential: null, timeout_seconds: ring_seconds }
    const from = number?.number ?? event.from ?? anonymous
    const created_at = cameInAt(event.occurred_at, yield* Clock.currentTimeMillis)
    const { session_id } = event
    const facts = newFacts(
      { session_id, workspace, number, created_at, ...gateway },
      {
        direction: "outbound",
        kind: isBrowser(event) ? "webrtc" : "sip",
        from,
        to,
        ...(country !== null && { country }),
        caller_id: from,
        rate_per_min_minor: 0,
        matched_prefix: null,
        timeout_seconds: ringLimit_seconds(forward),
        metadata: own === undefined ? {} : { extension: own.extension }
      }
    )
    const incoming: Incoming = { _tag: "Incoming", facts, event, forward, no_funds_message: null }
    return incoming
  })
