import { describe, expect, it } from "@effect/vitest"
import type { CallId } from "../../../../src/domain/BrandedIds.ts"
import { type CausedEntry, withCauses } from "../../../../src/domain/calls/views/TimelineCauses.ts"
import { callId } from "../../../support/Ids.ts"

const a = callId("a")
const leg = callId("b")

const entry = (id: string, kind: string, detail: CausedEntry["detail"] = {}, call_id: CallId = a): CausedEntry => ({
  id,
  call_id,
  kind,
  detail
})
const line = (key: string, kind: string, step: number, detail: CausedEntry["detail"] = {}) =>
  entry(`a:${key}`, kind, { step, ...detail })
const command = (id: string, call_id: CallId = a) =>
  entry(`${call_id}:${id}`, "pbx.command", { command_id: `${call_id}:${id}` }, call_id)

/** A call that says something and dials; the leg is connected, and the script hangs up. */
const course = [
  entry("hold:1:placed", "hold.placed"),
  entry("ringing", "call.ringing"),
  command("originate"),
  entry("progress", "call.progress", { step: "ringing" }),
  entry("answered", "call.answered"),
  line("callback:0", "callback.asked", 0, { reason: "answered" }),
  line("callback:0:attempt:1", "callback.attempt", 0),
  line("callback:0:attempt:2", "callback.attempt", 0),
  line("callback:0:answer", "callback.answered", 0),
  line("action:0", "action.started", 0, { verb: "say" }),
  command("say:0"),
  line("action:0:end", "action.finished", 0),
  line("action:1", "action.started", 1, { verb: "dial" }),
  entry("leg ringing", "call.ringing", {}, leg),
  command("originate", leg),
  entry("leg answered", "call.answered", {}, leg),
  command(`bridge:${leg}`),
  entry("bridged", "call.bridged"),
  entry("leg bridged", "call.bridged", {}, leg),
  line("minute:2", "hold.extended", 0),
  line("action:1:end", "action.finished", 1),
  line("callback:2", "callback.asked", 2, { reason: "dial_completed" }),
  line("callback:2:answer", "callback.answered", 2),
  line("action:2", "action.started", 2, { verb: "hangup" }),
  command("hangup"),
  entry("hold:1:captured", "hold.captured"),
  entry("charge", "charge.booked"),
  entry("completed", "call.completed"),
  entry("delivery", "webhook.queued", { event_id: "completed" }),
  entry("delivery:attempt", "webhook.attempt", { delivery_id: "delivery" })
]

const found = (entries: ReadonlyArray<CausedEntry>) =>
  Object.fromEntries(
    withCauses(entries, (call_id) => (call_id === leg ? a : null)).map(({ caused_by, id }) => [id, caused_by])
  )

describe("the entry that caused another", () => {
  it("is found for every step of a call", () => {
    expect(found(course)).toEqual({
      "hold:1:placed": null,
      ringing: null,
      "a:originate": "ringing",
      progress: "a:originate",
      answered: "a:originate",
      "a:callback:0": "answered",
      "a:callback:0:attempt:1": "a:callback:0",
      "a:callback:0:attempt:2": "a:callback:0",
      "a:callback:0:answer": "a:callback:0:attempt:2",
      "a:action:0": "a:callback:0:answer",
      "a:say:0": "a:action:0",
      "a:action:0:end": "a:action:0",
      "a:action:1": "a:action:0:end",
      "leg ringing": "a:action:1",
      "b:originate": "leg ringing",
      "leg answered": "b:originate",
      "a:bridge:b": "leg answered",
      bridged: "a:bridge:b",
      "leg bridged": "a:bridge:b",
      "a:minute:2": "answered",
      "a:action:1:end": "a:action:1",
      "a:callback:2": "a:action:1:end",
      "a:callback:2:answer": "a:callback:2",
      "a:action:2": "a:callback:2:answer",
      "a:hangup": "a:action:2",
      "hold:1:captured": "a:hangup",
      charge: "a:hangup",
      completed: "charge",
      delivery: "completed",
      "delivery:attempt": "delivery"
    })
  })

  it("is one that is listed, and listed before it", () => {
    for (let length = 0; length <= course.length; length++) {
      const ids: Array<string> = []
      for (const { caused_by, id } of withCauses(course.slice(0, length), () => null)) {
        if (caused_by !== null) expect(ids).toContain(caused_by)
        ids.push(id)
      }
    }
    expect(found([entry("charge", "charge.booked"), command("hangup")])["charge"]).toBeNull()
  })

  it("is the failed request for a call that its callback ended", () => {
    const failed = [
      line("callback:0", "callback.asked", 0, { reason: "answered" }),
      line("callback:0:attempt:1", "callback.attempt", 0),
      entry("failed", "call.callback_failed"),
      command("hangup"),
      entry("completed", "call.completed")
    ]
    expect(found(failed)).toMatchObject({
      failed: "a:callback:0:attempt:1",
      "a:hangup": "failed",
      completed: "a:hangup"
    })
  })
})
