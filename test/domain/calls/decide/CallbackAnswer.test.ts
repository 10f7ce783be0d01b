import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decideCall } from "../../../../src/domain/calls/decide/DecideCall.ts"
import type { CallMessage } from "../../../../src/domain/calls/state/CallCommand.ts"
import { answered_at, asking, consulting, say } from "../Fixtures.ts"

const answer = (
  step: number,
  actions: CallMessage<"CallbackSucceeded">["actions"]
): CallMessage<"CallbackSucceeded"> => ({
  _tag: "CallbackSucceeded",
  step,
  actions
})

const eventsOf = (decision: ReturnType<typeof decideCall>) => Result.getOrThrow(decision).events

describe("an answer with an action that cannot be carried out", () => {
  it("is a failed question of an answered call, and says where the action is", () => {
    const [failed] = eventsOf(decideCall(asking, answer(asking.script?.step ?? 0, [say, { reject: {} }]), answered_at))
    assert.deepStrictEqual(failed, {
      _tag: "CallbackFailed",
      at: answered_at,
      cause: "voice_action_invalid",
      http_status: null,
      pointer: "/actions/1/reject",
      detail: "Only an inbound call can carry out reject, and only before it is answered."
    })
  })

  it("is a failed question of an inbound call before it is answered", () => {
    const [failed] = eventsOf(
      decideCall(consulting, answer(consulting.script?.step ?? 0, [say, { reject: {} }]), answered_at)
    )
    assert.deepStrictEqual(failed, {
      _tag: "CallbackFailed",
      at: answered_at,
      cause: "voice_action_invalid",
      http_status: null,
      pointer: "/actions/1/reject",
      detail: "The actions before it answer or end the call, so reject comes too late."
    })
  })
})
