// A gateway under test, connected to an engine that records what it is told.
import { Context, Effect } from "effect"
import { GatewayCommands } from "../../src/domain/pbx/GatewayCommand.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import type { PbxAction, PbxCommand } from "../../src/domain/pbx/PbxCommand.ts"
import type { PbxEvent } from "../../src/domain/pbx/PbxEvent.ts"
import type { RecordingIngest } from "../support/RecordingIngest.ts"
import { gatewayId } from "../support/Ids.ts"
import { toSessionId } from "../../src/domain/BrandedIds.ts"
import { until } from "../support/Until.ts"

/** A gateway that is connected as g1, and its connection to the engine. */
export class GatewayUnderTest extends Context.Service<
  GatewayUnderTest,
  {
    /**
     * Phones that answer within 3 s and stay for a minute, that are busy, that ring without end, and that answer and
     * press `1234#` whenever they are asked for keys.
     */
    readonly numbers: {
      readonly answers: string
      readonly busy: string
      readonly silent: string
      readonly presses: string
    }
    /** The URL of a sound that the gateway can play. */
    readonly sound: string
    /** Whether it relays media streams. */
    readonly streams: boolean
    /** Whether a call that is answered while the connection is down continues. If not, it must be reported as lost. */
    readonly keeps_unheard: boolean
    /** Lets time pass at the PBX. */
    readonly pass: (ms: number) => Effect.Effect<void>
    readonly disconnect: Effect.Effect<void>
    readonly connect: Effect.Effect<void>
  }
>()("test/GatewayUnderTest") {}

/** How long a message may take: real time, for gateways over a real network. */
const actionTimeout_ms = 5000
/** The step in which time passes. */
const step_ms = 100
export const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

export const makeBench = Effect.fnUntraced(function* (recorded: RecordingIngest) {
  const { ask } = yield* ActorSystem
  const gateway = yield* GatewayUnderTest
  let commands = 0

  const dispatch = (session_id: string, action: PbxAction, id = `${session_id}:${action.kind}:${++commands}`) => {
    const command: PbxCommand = {
      id,
      session_id: toSessionId(session_id),
      tenant_pbx_id: "t1",
      seq: ++commands,
      action
    }
    return Effect.as(Effect.orDie(ask(GatewayCommands.Dispatch, gatewayId("g1"), { command })), command)
  }
  const originate = (
    session_id: string,
    to: string,
    timeout_seconds = 30,
    more: { readonly talk_limit_seconds?: number } = {}
  ) =>
    dispatch(session_id, {
      kind: "originate",
      to,
      from: "+254700000001",
      caller_id: "+254700000001",
      timeout_seconds,
      ...more
    })

  /** Lets at most this much time pass, then waits for messages in flight. */
  const untilTold = (what: string, holds: () => boolean, within_ms = 0) =>
    Effect.gen(function* () {
      for (let passed_ms = 0; passed_ms < within_ms && !holds(); passed_ms += step_ms) {
        yield* gateway.pass(step_ms)
        yield* turn
      }
      const told = Effect.sync(() =>
        recorded.events.map(
          ({ data, seq, type }) => `${type} ${seq}${data.error === undefined ? "" : ` ${data.error}`}`
        )
      )
      yield* until(what, told, holds, { every_ms: 0, within_ms: actionTimeout_ms })
    })
  const told = (session_id: string, type: PbxEvent["type"], within_ms = 0) =>
    Effect.map(
      untilTold(`${session_id} ${type}`, () => recorded.of(session_id).some((event) => event.type === type), within_ms),
      () => recorded.of(session_id).findLast((event) => event.type === type)!
    )
  const answered = (session_id: string, to = gateway.numbers.answers) =>
    Effect.gen(function* () {
      yield* originate(session_id, to)
      yield* told(session_id, "session.created")
      yield* told(session_id, "leg.answered", 3000)
    })
  /** The commands whose playback has finished, in order. */
  const finished = (session_id: string) =>
    recorded.of(session_id).flatMap(({ data, type }) => (type === "playback.finished" ? [data.command_id] : []))
  return { ...gateway, recorded, dispatch, originate, until: untilTold, told, answered, finished }
})
export type Bench = Effect.Success<ReturnType<typeof makeBench>>
