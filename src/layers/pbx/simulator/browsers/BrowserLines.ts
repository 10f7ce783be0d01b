// The connections between the WebRTC gate and the simulated PBX in the same process: no socket lies between them.
import { type Cause, Context, Effect, Layer, Queue, type Scope } from "effect"
import { type SipLine, SipUnreachable, SipUpstream } from "../../../../domain/ports/pbx/SipUpstream.ts"
import { digestHash } from "../../../webrtc/WsSipUpstream.ts"
import type { OpenLine } from "./BrowserSip.ts"

/** Messages that a gate has not read yet. A gate that leaves more of them loses its line. */
const unread_max = 256

type Open = (send: (text: string) => void) => OpenLine

export class BrowserLines extends Context.Service<
  BrowserLines,
  {
    /** The simulated PBX takes lines from now on, until the scope closes. */
    readonly serve: (open: Open) => Effect.Effect<void, never, Scope.Scope>
    readonly connect: SipUpstream["Service"]["connect"]
  }
>()("trunkline/layers/pbx/simulator/BrowserLines") {
  static readonly layer = Layer.sync(BrowserLines, () => makeBrowserLines())
}

export const makeBrowserLines = (): BrowserLines["Service"] => {
  let exchange: Open | undefined
  const connectTo = (open: Open): Effect.Effect<SipLine, never, Scope.Scope> =>
    Effect.gen(function* () {
      const heard = yield* Queue.unbounded<string, Cause.Done>()
      const line = open((text) => {
        if (Queue.sizeUnsafe(heard) < unread_max) Queue.offerUnsafe(heard, text)
        else Queue.endUnsafe(heard)
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => line.close()))
      return {
        heard,
        send: (text) => {
          line.receive(text)
          return true
        }
      }
    })
  return {
    serve: (open) =>
      Effect.acquireRelease(
        Effect.sync(() => void (exchange = open)),
        () => Effect.sync(() => void (exchange = undefined))
      ),
    connect: Effect.suspend(() =>
      exchange === undefined ? Effect.fail(new SipUnreachable({ cause: "No PBX is simulated" })) : connectTo(exchange)
    )
  }
}

/** The PBX of browsers is the simulated one. */
export const simulatedSipUpstream = Layer.effect(
  SipUpstream,
  Effect.map(BrowserLines, ({ connect }) => ({
    browsersOf: (username) => username,
    exists: true,
    connect,
    hash: digestHash
  }))
)
