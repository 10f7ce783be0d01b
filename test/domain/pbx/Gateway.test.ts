import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import {
  decideGateway,
  evolveGateway,
  type GatewayState,
  initialGateway,
  noticesOf,
  batchMax,
  outboxMax,
  planGateway,
  resend_ms
} from "../../../src/domain/pbx/Gateway.ts"
import type { GatewayCommand, GatewayNotice, GatewayReply } from "../../../src/domain/pbx/GatewayCommand.ts"
import { isQueued, sizeOf } from "../../../src/domain/pbx/Outbox.ts"
import type { PbxAction, PbxCommand } from "../../../src/domain/pbx/PbxCommand.ts"

const say: PbxAction = { kind: "say", text: "Hello", loop: 1 }
const hangup: PbxAction = { kind: "hangup", cause: "normal_clearing" }
const originate: PbxAction = { kind: "originate", to: "+99900000001", from: "+1", caller_id: "+1", timeout_seconds: 30 }

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
const ready = (connection_id: string): GatewayCommand => ({ _tag: "Ready", connection_id })
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
    notices.push(...noticesOf(after, event))
    after = next
  }
  return { state: after, reply, notices, durable: events.length > 0 && volatile !== true }
}

const from = (state: GatewayState, ...commands: ReadonlyArray<GatewayCommand>): GatewayState =>
  commands.reduce((before, asked) => step(before, asked).state, state)
const after = (...commands: ReadonlyArray<GatewayCommand>): GatewayState => from(initialGateway(0), ...commands)

const sentIn = (notices: ReadonlyArray<GatewayNotice>): ReadonlyArray<string> =>
  notices.flatMap((notice) => (notice._tag === "Send" ? notice.commands.map(({ id }) => id) : []))

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
    [
      "an acknowledged command while offline",
      step(settled, { _tag: "Detach", connection_id: "c1" }).state,
      dispatch("a"),
      "acknowledged",
      1
    ],
    ["an acknowledgement", owing, acknowledged("a"), "done", 1],
    ["an acknowledgement of the unknown", owing, acknowledged("z"), "done", 1],
    ["a flush", owing, flush, "done", 1],
    ["a flush of nothing", settled, flush, "done", 1],
    ["a ready connection", after(attach("c1"), dispatch("a"), flush), ready("c1"), "done", 1],
    ["a connection that was ready", owing, ready("c1"), "done", 1],
    ["a resend", owing, resend, "done", 1],
    ["a resend of nothing", offline, resend, "done", 0],
    ["a question while connected", owing, { _tag: "AskPresence" }, "attached", 1],
    ["a question while offline", offline, { _tag: "AskPresence" }, "offline", 0],
    ["a farewell", owing, { _tag: "Detach", connection_id: "c1" }, "done", 1],
    ["a farewell of a replaced connection", owing, { _tag: "Detach", connection_id: "c0" }, "done", 1]
  ]
  for (const [name, state, asked, status, epoch] of rows) {
    it(name, () => assert.deepStrictEqual(step(state, asked).reply, { status, epoch }))
  }

  it("only a new connection is written to disk", () => {
    for (const [name, state, asked] of rows)
      assert.strictEqual(step(state, asked).durable, asked._tag === "Attach", name)
  })
})

describe("what a gateway is sent", () => {
  it("commands asked together leave together, in the order in which they were asked, once", () => {
    const state = after(attach("c1"), dispatch("b"), dispatch("a"), dispatch("c"), dispatch("a"))
    const sent = step(state, flush)
    assert.deepStrictEqual(sentIn(sent.notices), ["b", "a", "c"])
    assert.deepStrictEqual(sent.notices[0], {
      _tag: "Send",
      connection_id: "c1",
      commands: [command("b"), command("a"), command("c")]
    })
    const next = from(sent.state, ready("c1"), dispatch("d"))
    assert.deepStrictEqual(sentIn(step(next, flush).notices), ["d"])
  })

  it("nothing more before the connection is ready", () => {
    const busy = after(attach("c1"), dispatch("a"), flush, dispatch("b"), ready("c0"))
    assert.deepStrictEqual(step(busy, flush).notices, [])
    assert.deepStrictEqual(sentIn(step(step(busy, ready("c1")).state, flush).notices), ["b"])
    const renewed = step(busy, { _tag: "Renew", connection_id: "c1", epoch: 1 }).state
    assert.deepStrictEqual(sentIn(step(renewed, flush).notices), ["b"])
  })

  it("a limited number at a time", () => {
    let state = after(attach("c1"))
    for (let n = 0; n < batchMax + 5; n++) state = step(state, dispatch(`c${n}`)).state
    const first = step(state, flush)
    assert.strictEqual(sentIn(first.notices).length, batchMax)
    const second = step(step(first.state, ready("c1")).state, flush)
    assert.deepStrictEqual(
      sentIn(second.notices),
      [0, 1, 2, 3, 4].map((n) => `c${batchMax + n}`)
    )
  })

  it("a new connection is sent what the one before it did not acknowledge, and that one is told to go", () => {
    const state = after(attach("c1"), dispatch("a"), dispatch("b"), flush, dispatch("c"), acknowledged("a"))
    const attached = step(state, attach("c2"))
    assert.deepStrictEqual(attached.notices, [{ _tag: "Replaced", connection_id: "c1" }])
    assert.deepStrictEqual(step(attached.state, flush).notices, [
      { _tag: "Send", connection_id: "c2", commands: [command("b"), command("c")] }
    ])
  })

  it("nothing while offline, all of it on connecting", () => {
    const state = after(dispatch("a"), dispatch("b"))
    assert.deepStrictEqual(step(state, flush).notices, [])
    assert.deepStrictEqual(sentIn(step(step(state, attach("c1")).state, flush).notices), ["a", "b"])
  })

  it("what a replaced connection acknowledges counts all the same", () => {
    const state = after(attach("c1"), dispatch("a"), flush, attach("c2"), acknowledged("a"))
    assert.deepStrictEqual(sentIn(step(step(state, attach("c3")).state, flush).notices), [])
  })

  it("a phone does not ring once its time is over, or once the call was hung up", () => {
    const rings = [dispatch("ring", originate, "HD_1"), dispatch("ring2", originate, "HD_2")]
    const state = after(...rings, dispatch("end2", hangup, "HD_2"))
    const sentAt = (now: number) => sentIn(step(step(state, attach("c1"), now).state, flush, now).notices)
    assert.deepStrictEqual(sentAt(29_999), ["ring", "end2"])
    assert.deepStrictEqual(sentAt(30_000), ["end2"])
  })

  it("commands past the bound are refused for now", () => {
    let state = after()
    for (let n = 0; n < outboxMax; n++) state = step(state, dispatch(`c${n}`)).state
    const refused = decideGateway(state, dispatch("one too many"), 0)
    assert.isTrue(Result.isFailure(refused) && refused.failure._tag === "service_unavailable")
    assert.strictEqual(step(state, dispatch("c0")).reply.status, "offline")
  })
})

describe("commands about a tenant", () => {
  const about = (id: string, thing: string): GatewayCommand => ({
    _tag: "Dispatch",
    command: { id, tenant_pbx_id: "t1", about: thing, action: { kind: "trunk.probe", trunk_id: thing } }
  })
  const refuse = (command_id: string): GatewayCommand => ({ _tag: "Refused", command_id, reason: "no such trunk" })

  it("are not sent any more once there is a newer one about the same thing", () => {
    const state = after(attach("c1"), about("put", "x"), about("other", "y"), flush, ready("c1"), about("delete", "x"))
    assert.deepStrictEqual(sentIn(step(state, flush).notices), ["delete"])
    assert.deepStrictEqual(sentIn(step(step(state, attach("c2")).state, flush).notices), ["other", "delete"])
    assert.deepStrictEqual(step(state, about("put", "x")).reply, { status: "refused", epoch: 1, reason: "superseded" })
    const settled = from(state, acknowledged("delete"), about("put2", "x"), acknowledged("other", "put2"))
    assert.deepStrictEqual(sentIn(step(step(settled, attach("c2")).state, flush).notices), [])
  })

  it("that are refused are not sent again, and whoever asks again is told why", () => {
    const state = after(attach("c1"), about("put", "x"), flush, refuse("put"))
    assert.deepStrictEqual(step(state, about("put", "x")).reply, {
      status: "refused",
      epoch: 1,
      reason: "no such trunk"
    })
    assert.deepStrictEqual(sentIn(step(step(state, attach("c2")).state, flush).notices), [])
    assert.strictEqual(step(state, about("put2", "x")).reply.status, "queued")
  })

  it("that were acknowledged or never asked for cannot be refused", () => {
    const state = after(attach("c1"), about("put", "x"), flush, acknowledged("put"), refuse("put"), refuse("never"))
    assert.strictEqual(step(state, about("put", "x")).reply.status, "acknowledged")
    assert.strictEqual(step(state, about("never", "y")).reply.status, "queued")
  })
})

describe("what a gateway has under way", () => {
  const keys = (state: GatewayState) =>
    planGateway(state)
      .filter(({ _tag }) => _tag === "Deadline")
      .map(({ _tag, key }) => `${_tag} ${key.split(":")[0]}`)

  it("nothing while offline, however much it owes", () => assert.deepStrictEqual(planGateway(after(dispatch("a"))), []))

  it("a flush while commands wait for a ready connection, a round while one is owed or was lately", () => {
    const owing = after(attach("c1"), dispatch("a"))
    assert.deepStrictEqual(keys(owing), ["Deadline flush", "Deadline resend"])
    const sent = from(owing, flush, dispatch("b"))
    assert.deepStrictEqual(keys(sent), ["Deadline resend"])
    const settled = from(sent, ready("c1"), flush, acknowledged("a", "b"))
    assert.deepStrictEqual(keys(settled), ["Deadline resend"])
    assert.deepStrictEqual(keys(step(settled, resend, resend_ms).state), [])
  })

  it("telling its tenants that it is back, once for each connection", () => {
    const tasks = (state: GatewayState) =>
      planGateway(state)
        .filter(({ _tag }) => _tag === "Task")
        .map(({ key }) => key)
    const attached = after(attach("c1"))
    assert.deepStrictEqual(tasks(attached), ["tell_tenants:1"])
    const told = from(attached, { _tag: "Returned", epoch: 1 })
    assert.deepStrictEqual(tasks(told), [])
    assert.deepStrictEqual(tasks(from(told, attach("c2"))), ["tell_tenants:2"])
    assert.deepStrictEqual(tasks(from(told, { _tag: "Renew", connection_id: "c1", epoch: 1 })), [])
  })

  it("a flush of later commands is another one, even in the same millisecond", () => {
    const first = after(attach("c1"), dispatch("a"))
    const second = from(first, flush, ready("c1"), dispatch("b"))
    assert.notStrictEqual(planGateway(first)[0]!.key, planGateway(second)[0]!.key)
  })

  it("sends again what is older than a round, the oldest first, and leaves alone what is not", () => {
    const both = [dispatch("a"), flush, ready("c1"), dispatch("b"), flush, ready("c1")]
    const state = after(attach("c1"), ...both)
    assert.strictEqual(planGateway(state)[0]!.at, resend_ms)
    const round = step(state, resend, resend_ms).state
    assert.deepStrictEqual(sentIn(step(round, flush).notices), ["a"])
    const next = from(round, flush, ready("c1"))
    assert.strictEqual(planGateway(next)[0]!.at, 2 * resend_ms)
    assert.deepStrictEqual(sentIn(step(step(next, resend, 2 * resend_ms).state, flush).notices), ["a", "b"])
  })

  it("sends nothing again while a batch is on its way", () => {
    const busy = after(attach("c1"), dispatch("a"), flush)
    const round = from(step(busy, resend, resend_ms).state, ready("c1"))
    assert.deepStrictEqual(step(round, flush).notices, [])
    assert.deepStrictEqual(sentIn(step(step(round, resend, 2 * resend_ms).state, flush).notices), ["a"])
  })
})

const index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))
const Op = Schema.Union([
  Schema.Struct({ op: Schema.Literals(["dispatch", "acknowledge", "dispatch"]), index }),
  Schema.Struct({ op: Schema.Literals(["attach", "detach", "ready", "flush", "flush", "resend"]) })
])

it.prop(
  "no interleaving loses a command, forgets an unacknowledged one or sends an acknowledged one",
  [Schema.Array(Op)],
  ([ops]) => {
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
          case "ready":
            return ready(connection ?? "none")
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
      const unsent = state.sending || planGateway(state).some(({ key }) => key.startsWith("flush"))
      if (connection !== undefined && !unsent) for (const id of owed) assert.isTrue(sent.has(id))
    })
  }
)
