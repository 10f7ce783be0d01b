// An Asterisk with phones behind its carrier, which behave as the last digits of their numbers say (CarrierScenario.ts).
import { Effect, Fiber } from "effect"
import { farEnd } from "./FarEnd.ts"
import { answersCalls, folder, freePorts, makeAsterisk } from "./Peers.ts"

/** Callers from outside come from this address. */
const caller_host = "127.0.0.2"

export const numberOf = (digits: string): string => `+254711000${digits}`

export interface PbxOptions {
  /** So many have ports for their sound. Default: 500. */
  readonly legs?: number
  /** Where it finds its engine. Absent: it waits for one. */
  readonly engine?: string
  /** Without sound, after which it ends a talk. Absent: it ends none. */
  readonly silence_seconds?: number
}

export const makePbxFor = Effect.fnUntraced(function* (options: PbxOptions) {
  const home = yield* folder
  const ears = yield* farEnd()
  const presses = yield* farEnd("1234#")
  const carrier_port = yield* freePorts()
  const carrier = yield* Effect.forkScoped(
    Effect.scoped(Effect.andThen(answersCalls(home, carrier_port, ears.port, presses.port), Effect.never))
  )
  const asterisk = yield* makeAsterisk({ folder: home, carrier_port, caller_host, ...options })
  return {
    asterisk,
    caller_host,
    /** Ends the carrier as a power cut would: nobody is at its address any more. */
    carrierDies: Fiber.interrupt(carrier),
    /** Of every call that the carrier answers. */
    farEnd: ears,
    /** For what a test starts itself. */
    folder: home
  }
})
export const makePbx = makePbxFor({})
export type Pbx = Effect.Success<typeof makePbx>

/** Waits until Asterisk has nothing left. */
export const isEmpty = ({ asterisk }: Pick<Pbx, "asterisk">) =>
  asterisk.channels.pipe(
    Effect.delay("20 millis"),
    Effect.repeat({ until: ({ length }) => length === 0 }),
    Effect.timeout("5 seconds")
  )
