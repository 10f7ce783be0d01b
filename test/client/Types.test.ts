// What the types of the client allow and refuse. The compiler tests it: each `true` below is a statement about types.
import { assert, describe, it } from "@effect/vitest"
import type { CallStreamEvent, OriginateRequest } from "../../src/client/Client.ts"

/** The event of this kind. */
type Of<Kind extends string> = Extract<CallStreamEvent, { readonly kind: Kind }>

interface Numbers {
  readonly to: string
  readonly from: string
}
type Takes<Request> = Request extends OriginateRequest ? true : false

describe("the types of the client", () => {
  it("tell the events of a call's stream apart by `kind`", () => {
    const keysIn = (events: ReadonlyArray<CallStreamEvent>): ReadonlyArray<string> =>
      events.flatMap((event) => {
        if (event.kind === "call.dtmf") return [event.digit]
        if (event.kind === "call.balance_low") return [String(event.remaining_seconds)]
        return event.kind === "transcript.turn" ? [event.text] : []
      })
    assert.deepStrictEqual(keysIn([]), [])
    const isOnlyOfKeys: "digit" extends keyof Of<"call.answered"> ? false : true = true
    assert.isTrue(isOnlyOfKeys)
  })

  it("let no call be placed that is not told what to do", () => {
    const withActions: Takes<Numbers & { readonly actions: [{ readonly hangup: object }] }> = true
    const withUrl: Takes<Numbers & { readonly voice_callback_url: string }> = true
    const withNeither: Takes<Numbers> = false
    assert.deepStrictEqual([withActions, withUrl, withNeither], [true, true, false])
  })
})
