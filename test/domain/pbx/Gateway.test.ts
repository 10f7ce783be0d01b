import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import {
  decideGateway,
  evolveGateway,
  type GatewayState,
  initialGateway,
  noticesOf,
  outboxMax,
  planGateway,
  resendMax,
  resend_ms
} from "../../../src/domain/pbx/Gateway.ts"
import type { GatewayCommand, GatewayNotice, GatewayReply } from "../../../src/domain/pbx/GatewayCommand.ts"
import { isQueued, sizeOf } from "../../../src/domain/pbx/Outbox.ts"
import type { PbxAction, PbxCommand } from "../../../src/domain/pbx/PbxCommand.ts"

const say: PbxAction = { kind: "say", text: "Hello", loop: 1 }
const hangup: PbxAction = { kind: "hangup", cause: "normal_clearing" }
const originate: PbxAction = { kind: "originate", to: "+99900000001", from: "+254200000000", caller_id: "+254200000000", timeout_seconds: 30 }

const command = (id: string, action: PbxAction = say, session_id = "HD_1"): PbxCommand => ({
  id,
  session_id,
  tenant_pbx_id: "t1",
  seq: 1,
  action
})
const dispatch = (id: string, action?: PbxAction, session_id?: string): GatewayCommand => ({
  _tag: "Dispatch",
  command: command(id, action, session_id)
})
const attach = (connection_id: string): GatewayCommand => ({ _tag: "Attach", connection_id })
const acknowledged = (...command_ids: Array<string>): GatewayCommand => ({ _tag: "Acknowledged", command_ids })
const flush: GatewayCommand = { _tag: "Flush" }
const resend: GatewayCommand = { _tag: "Resend" }

interface Step {
  readonly state: GatewayState
  readonly reply: GatewayReply
  readonly notices: ReadonlyArray<GatewayNotice>
  readonly durable: boolean
}

const step = (state: GatewayState, asked: GatewayCommand, now = 0): Step => {
  const { events, reply, volatile } = Result.getOrThrow(decideGateway(state, asked, now))
  let after = state
  const notices: Array<GatewayNotice> = []
  for (const event of events) {
    const next = evolveGateway(after, event)
    notices.push(...noticesOf(after, next, event))
    after = next
  }
  return { state: after, reply, notices, durable: events.length > 0 && volatile !== true }
}

const after = (...commands: ReadonlyArray<GatewayCommand>): GatewayState =>
  commands.reduce((state, asked) => step(state, asked).state, initialGateway(0))

const sentIn = (notices: ReadonlyArray<GatewayNotice>): ReadonlyArray<string> =>
  notices.flatMap((notice) => notice._tag === "Send" ? notice.commands.map(({ id }) => id) : [])

describe("what a gateway answers", () => {
  const offline = after()
  const owing = after(attach("c1"), dispatch("a"))
  const settled = after(attach("c1"), dispatch("a"), flush, acknowledged("a"))
  const rows: ReadonlyArray<[string, GatewayState, GatewayCommand, GatewayReply["status"], number]> = [
    ["a first connection", offline, attach("c1"), "attached", 1],
    ["a second connection", owing, attach("c2"), "attached", 2],
    ["a renewal", owing, { _tag: "Renew", connection_id: "c1", epoch: 1 }, "attached", 1],
    ["a renewal after a restart", initialGateway(1), { _tag: "Renew", connection_id: "c1", epoch: 1 }, "attached", 1],
    ["a renewal of a replaced one", initialGateway(2), { _tag: "Renew", connection_id: "c1", epoch: 1 }, "replaced", 2],
    ["a command while offline", offline, dispatch("a"), "offline", 0],
    ["the same while offline", after(dispatch("a")), dispatch("a"), "offline", 0],
    ["a command while connected", after(attach("c1")), dispatch("a"), "queued", 1],
    ["the same again", owing, dispatch("a"), "queued", 1],
    ["an acknowledged command", settled, dispatch("a"), "acknowledged", 1],
    ["an acknowledged command while offline", step(settled, { _tag: "Detach", connection_id: "c1" }).state, dispatch("a"), "acknowledged", 1],
    ["an acknowledgement", owing, acknowledged("a"), "done", 1],
    ["an acknowledgement of the unknown", owing, acknowledged("z"), "done", 1],
    ["a flush", owing, flush, "done", 1],
    ["a flush of nothing", settled, flush, "done", 1],
    ["a resend", owing, resend, "done", 1],
    ["a resend of nothing", offline, resend, "done", 0],
    ["a farewell", owing, { _tag: "Detach", connection_id: "c1" }, "done", 1],
    ["a farewell of a replaced connection", owing, { _tag: "Detach", connection_id: "c0" }, "done", 1]
  ]
  for (const [name, state, asked, status, epoch] of rows) {
    it(name, () => assert.deepStrictEqual(step(state, asked).reply, { status, epoch }))
  }

  it("only a new connection is written to disk", () => {
    for (const [name, state, asked] of rows) assert.strictEqual(step(state, asked).durable, asked._tag === "Attach", name)
  })
})

describe("what a gateway is sent", () => {
  it("commands asked together leave together, in the order in which they were asked, once", () => {
    const state = after(attach("c1"), dispatch("b"), dispatch("a"), dispatch("c"), dispatch("a"))
    const flushed = step(state, flush)
    assert.deepStrictEqual(sentIn(flushed.notices), ["b", "a", "c"])
    assert.deepStrictEqual(sentIn(step(flushed.state, flush).notices), [])
    assert.deepStrictEqual(sentIn(step(step(flushed.state, dispatch("d")).state, flush).notices), ["d"])
  })

  it("a new connection is sent what the one before it did not acknowledge, and that one is told to go", () => {
    const state = after(attach("c1"), dispatch("a"), dispatch("b"), flush, dispatch("c"), acknowledged("a"))
    const { notices } = step(state, attach("c2"))
    assert.deepStrictEqual(notices[0], { _tag: "Replaced", connection_id: "c1" })
    assert.deepStrictEqual(notices[1], { _tag: "Send", connection_id: "c2", commands: [command("b"), command("c")] })
  })

  it("nothing while offline, all of it on connecting", () => {
    const state = after(dispatch("a"), dispatch("b"))
    assert.deepStrictEqual(step(state, flush).notices, [])
    assert.deepStrictEqual(sentIn(step(state, attach("c1")).notices), ["a", "b"])
  })

  it("what was told to a connection that is no longer the present one counts all the same", () => {
    const state = after(attach("c1"), dispatch("a"), flush, attach("c2"), acknowledged("a"))
    assert.deepStrictEqual(sentIn(step(state, attach("c3")).notices), [])
  })

  it("a phone that never rang does not ring once its time is over, or once the call was hung up", () => {
    const state = after(dispatch("ring", originate, "HD_1"), dispatch("ring2", originate, "HD_2"), dispatch("end2", hangup, "HD_2"))
    assert.deepStrictEqual(sentIn(step(state, attach("c1"), 29_999).notices), ["ring", "end2"])
    assert.deepStrictEqual(sentIn(step(state, attach("c1"), 30_000).notices), ["end2"])
    const sent = after(attach("c1"), dispatch("ring", originate, "HD_1"), flush)
    assert.deepStrictEqual(sentIn(step(sent, attach("c2"), 60_000).notices), ["ring"])
  })

  it("commands past the bound are refused for now", () => {
    let state = after()
    for (let index = 0; index < outboxMax; index++) state = step(state, dispatch(`c${index}`)).state
    const refused = decideGateway(state, dispatch("one too many"), 0)
    assert.isTrue(Result.isFailure(refused) && refused.failure._tag === "service_unavailable")
    assert.strictEqual(step(state, dispatch("c0")).reply.status, "offline")
  })
})

describe("what a gateway has under way", () => {
  const keys = (state: GatewayState) => planGateway(state).map(({ _tag, key }) => `${_tag} ${key.split(":")[0]}`)

  it("nothing while offline, however much it owes", () => assert.deepStrictEqual(planGateway(after(dispatch("a"))), []))

  it("a flush while commands wait, a round of resending while one is owed or was lately", () => {
    const owing = after(attach("c1"), dispatch("a"))
    assert.deepStrictEqual(keys(owing), ["Deadline flush", "Deadline resend"])
    const sent = step(owing, flush).state
    assert.deepStrictEqual(keys(sent), ["Deadline resend"])
    const settled = step(sent, acknowledged("a")).state
    assert.deepStrictEqual(keys(settled), ["Deadline resend"])
    assert.deepStrictEqual(keys(step(settled, resend, resend_ms).state), [])
  })

  it("a flush for later commands is another one, even in the same millisecond", () => {
    const first = after(attach("c1"), dispatch("a"))
    const second = step(step(first, flush).state, dispatch("b")).state
    assert.notStrictEqual(planGateway(first)[0]!.key, planGateway(second)[0]!.key)
  })

  it("sends again what is older than a round, and leaves alone what is not", () => {
    const state = after(attach("c1"), dispatch("a"), flush, dispatch("b"), flush)
    assert.strictEqual(planGateway(state)[0]!.at, resend_ms)
    const round = step(state, resend, resend_ms)
    assert.deepStrictEqual(sentIn(round.notices), ["a"])
    assert.strictEqual(planGateway(round.state)[0]!.at, 2 * resend_ms)
    assert.deepStrictEqual(sentIn(step(round.state, resend, 2 * resend_ms).notices), ["a", "b"])
  })

  it("a stuck gateway is sent a limited number again, the oldest first", () => {
    let state = after(attach("c1"), dispatch("c0"))
    for (let index = 1; index < resendMax + 5; index++) state = step(state, dispatch(`c${index}`)).state
    state = step(step(state, flush).state, resend, resend_ms).state
    const sent = sentIn(step(state, resend, 2 * resend_ms).notices)
    assert.strictEqual(sent.length, resendMax)
    assert.deepStrictEqual([sent[0], sent.at(-1)], ["c0", `c${resendMax - 1}`])
  })
})

const index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))
const Op = Schema.Union([
  Schema.Struct({ op: Schema.Literals(["dispatch", "acknowledge", "dispatch"]), index }),
  Schema.Struct({ op: Schema.Literals(["attach", "detach", "flush", "resend"]) })
])

it.prop("no interleaving loses a command, forgets an unacknowledged one or sends an acknowledged one", [Schema.Array(Op)], ([ops]) => {
  let state = initialGateway(0)
  let connection: string | undefined
  let connections = 0
  let sent = new Set<string>()
  const owed = new Set<string>()
  const settled = new Set<string>()
  ops.forEach((op, now) => {
    const asked = ((): GatewayCommand => {
      switch (op.op) {
        case "dispatch":
          return dispatch(`c${op.index}`)
        case "acknowledge":
          return acknowledged(`c${op.index}`)
        case "attach":
          connection = `n${++connections}`
          sent = new Set()
          return attach(connection)
        case "detach": {
          const gone = connection ?? "none"
          connection = undefined
          return { _tag: "Detach", connection_id: gone }
        }
        case "flush":
          return flush
        case "resend":
          return resend
      }
    })()
    if (op.op === "dispatch" && !settled.has(`c${op.index}`)) owed.add(`c${op.index}`)
    if (op.op === "acknowledge" && owed.delete(`c${op.index}`)) settled.add(`c${op.index}`)
    const next = step(state, asked, now)
    state = next.state
    for (const notice of next.notices) {
      if (notice._tag !== "Send") continue
      assert.strictEqual(notice.connection_id, connection)
      for (const { id } of notice.commands) {
        assert.isTrue(owed.has(id))
        sent.add(id)
      }
    }
    assert.strictEqual(sizeOf(state.outbox), owed.size)
    for (const id of owed) assert.isTrue(isQueued(state.outbox, id))
    const flushing = planGateway(state).some(({ key }) => key.startsWith("flush"))
    if (connection !== undefined && !flushing) for (const id of owed) assert.isTrue(sent.has(id))
  })
})
