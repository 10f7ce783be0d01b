// An Asterisk with phones behind its carrier. The last digits of a number select its behaviour (CarrierScenario.ts).
import { Effect, Fiber } from "effect"
import { until } from "../../support/Until.ts"
import { farEnd } from "./FarEnd.ts"
import { answersCalls, folder, freePorts, makeAsterisk } from "./Peers.ts"

/** The IP address of outside callers. */
const caller_host = "127.0.0.2"

export const numberOf = (digits: string): string => `+254711000${digits}`

export interface PbxOptions {
  /** The number of legs that have RTP ports. Default 100. */
  readonly legs?: number
  /** URL on which the engine listens. Absent: Asterisk waits for the engine to connect. */
  readonly engine?: string
  /** Seconds without audio after which Asterisk ends a call. Absent: never. */
  readonly silence_seconds?: number
  /** Further variables of Asterisk's scripts. */
  readonly asterisk_env?: Readonly<Record<string, string>>
}

export const makePbxFor = Effect.fnUntraced(function* ({ asterisk_env = {}, ...options }: PbxOptions) {
  const home = yield* folder
  const ears = yield* farEnd()
  const presses = yield* farEnd("1234#")
  const carrier_port = yield* freePorts()
  const carrier = yield* Effect.forkScoped(
    Effect.scoped(
      Effect.andThen(
        answersCalls(home, { host: "127.0.0.1", port: carrier_port }, ears.port, presses.port),
        Effect.never
      )
    )
  )
  const asterisk = yield* makeAsterisk({ folder: home, carrier_port, caller_host, env: asterisk_env, ...options })
  return {
    asterisk,
    caller_host,
    /** The port of the carrier at 127.0.0.1. */
    carrier_port,
    /** Kills the carrier: nothing responds at its address any more. */
    carrierDies: Fiber.interrupt(carrier),
    /** The media of the calls that the carrier answers. */
    farEnd: ears,
    /** A folder for processes that a test starts. */
    folder: home
  }
})
export type Pbx = Effect.Success<ReturnType<typeof makePbxFor>>

/** A gateway that refuses what is unsafe refuses an Asterisk without such a limit. No test is as long. */
export const silence_seconds = 120

/** Waits until Asterisk has no channels and no bridges. */
export const isEmpty = ({ asterisk }: Pick<Pbx, "asterisk">) =>
  until(
    "Asterisk without channels and bridges",
    Effect.zip(asterisk.channels, asterisk.bridges),
    ([channels, bridges]) => channels.length + bridges.length === 0
  )
