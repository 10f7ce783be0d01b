// The PBX of an engine under comparison, and its phones: a gateway on the feed, as a PBX from outside would be.
import { Effect } from "effect"
import type { PbxCommand } from "../../src/domain/pbx/PbxCommand.ts"
import type { PbxEvent } from "../../src/domain/pbx/PbxEvent.ts"
import { connectGateway, frameOf, send } from "../GatewaySocket.ts"
import { until } from "../../test/support/Until.ts"

/** Rings for as long as nobody hangs up. */
export const ringing = "+99900000003"
/** Answers at once. */
export const answering = "+99900000001"

const frame_events = 100

type Progress = Pick<PbxEvent, "type" | "data">

const rings: Progress = { type: "leg.ringing", data: { sip_code: 180 } }
const answers: Progress = { type: "leg.answered", data: { sip_code: 200 } }
const ends: Progress = { type: "leg.hangup", data: { sip_code: 200, q850: 16, source: "platform", duration_ms: 0 } }
const busy: Progress = { type: "leg.hangup", data: { sip_code: 486, q850: 17, source: "callee", duration_ms: 0 } }

interface Call {
  readonly command: Pick<PbxCommand, "session_id" | "tenant_pbx_id">
  seq: number
}

/** Connects the gateway of the engine. */
export const connectPhones = Effect.fnUntraced(function* (to: { readonly port: number; readonly secret: string }) {
  const socket = yield* connectGateway(to)
  const calls = new Map<string, Call>()
  let unacknowledged = 0

  const eventOf = (call: Call, { data, type }: Progress): PbxEvent => ({
    event_id: crypto.randomUUID(),
    tenant_pbx_id: call.command.tenant_pbx_id,
    type,
    session_id: call.command.session_id,
    leg_id: "1",
    seq: ++call.seq,
    occurred_at: new Date().toISOString(),
    data
  })
  const report = (events: ReadonlyArray<PbxEvent>) => {
    unacknowledged += events.length
    for (let start = 0; start < events.length; start += frame_events) {
      send(socket, { type: "events", events: events.slice(start, start + frame_events) })
    }
  }
  const carryOut = (command: PbxCommand): ReadonlyArray<PbxEvent> => {
    const known = calls.get(command.session_id)
    if (command.action.kind === "originate" && known === undefined) {
      const call: Call = { command, seq: 0 }
      calls.set(command.session_id, call)
      const progress = command.action.to === answering ? [rings, answers] : [rings]
      return progress.map((step) => eventOf(call, step))
    }
    if (command.action.kind !== "hangup" || known === undefined) return []
    calls.delete(command.session_id)
    return [eventOf(known, ends)]
  }
  socket.on("message", (data) => {
    const frame = frameOf(data)
    if (frame.type === "ack") unacknowledged -= frame.event_ids.length
    if (frame.type === "refused") throw new Error(`An event was refused: ${frame.code} ${frame.message}`)
    if (frame.type === "commands") {
      report(frame.commands.flatMap((command) => ("session_id" in command ? carryOut(command) : [])))
    }
  })
  return {
    /** Every event that was reported is stored. */
    heard: until(
      "acknowledgement of every event",
      Effect.sync(() => unacknowledged),
      (count) => count === 0,
      { every_ms: 5 }
    ),
    /** All phones that still ring are busy from now on. */
    hangUp: Effect.sync(() => {
      report([...calls.values()].map((call) => eventOf(call, busy)))
      calls.clear()
    })
  }
})
