// Puts the browsers' side of the simulated PBX together: lines from the gate, SIP, and the thread of the sound.
import { Effect, type Scope } from "effect"
import type { Timers } from "../../../../actors/runtime/Timers.ts"
import type { PbxEventData, PbxEventType } from "../../../../domain/pbx/PbxEvent.ts"
import { digestHash } from "../../../webrtc/WsSipUpstream.ts"
import type { Registry } from "../Registry.ts"
import { BrowserLegs, type LegOwner } from "./BrowserLegs.ts"
import type { BrowserLines } from "./BrowserLines.ts"
import { MediaThread } from "./MediaThread.ts"

export interface MakeBrowserLegsOptions {
  readonly lines: BrowserLines["Service"]
  readonly registry: Registry
  readonly timers: Timers
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly uuid: () => string
  readonly run: (effect: Effect.Effect<void>) => unknown
  readonly reportTenant: (tenant_pbx_id: string, type: PbxEventType, data: PbxEventData) => void
}

const notInstalled = "ERR_MODULE_NOT_FOUND"

const explain = (cause: unknown): string =>
  (cause as { readonly code?: unknown } | undefined)?.code === notInstalled
    ? "The simulated PBX carries no calls of browsers, because the package werift is not installed"
    : "The thread of the browsers' sound has failed: their calls are over"

/** Returns what gives a simulated PBX its browsers. They are served from then on, until the scope closes. */
export const makeBrowserLegs = (
  options: MakeBrowserLegsOptions
): Effect.Effect<(owner: LegOwner) => BrowserLegs, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { lines, reportTenant, run } = options
    let legs: BrowserLegs | undefined
    let thread: MediaThread | undefined
    yield* Effect.addFinalizer(() => Effect.promise(async () => thread?.end()))
    yield* lines.serve((send) => {
      thread?.start()
      return legs?.open(send) ?? { receive: () => {}, close: () => {} }
    })
    return (owner) => {
      legs = new BrowserLegs(
        {
          ...options,
          hash: digestHash,
          reportRegistration: (tenant_pbx_id, data) => reportTenant(tenant_pbx_id, "registration.changed", data),
          media: (told, failed) => {
            thread = new MediaThread({
              told,
              failed: (cause) => {
                run(Effect.logWarning(explain(cause), cause))
                failed()
              }
            })
            return thread
          }
        },
        owner
      )
      return legs
    }
  })
