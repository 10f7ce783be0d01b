import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import type { Reply, Tag } from "../../../src/domain/Command.ts"
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
import type { GatewayCommands, GatewayMessage, GatewayNotice } from "../../../src/domain/pbx/GatewayCommand.ts"
import { ServiceUnavailable } from "../../../src/domain/errors/GeneralErrors.ts"
import { isQueued, sizeOf } from "../../../src/domain/pbx/Outbox.ts"
import type { PbxAction, PbxCommand } from "../../../src/domain/pbx/PbxCommand.ts"
import { pbxTrunkId } from "../../support/Ids.ts"
import { toSessionId } from "../../../src/domain/BrandedIds.ts"

const say: PbxAction = { kind: "say", text: "Hello", loop: 1 }
const hangup: PbxAction = { kind: "hangup", cause: "normal_clearing" }
const originate: PbxAction = { kind: "originate", to: "+99900000001", from: "+1", caller_id: "+1", timeout_seconds: 30 }

const command = (id: string, action: PbxAction = say, session_id = "HD_1"): PbxCommand => ({
  id,
  session_id: toSessionId(session_id),
  tenant_pbx_id: "t1",
  seq: 1,
  action
})
const dispatch = (id: string, action?: PbxAction, session_id?: string): GatewayMessage<"Dispatch"> => ({
  _tag: "Dispatch",
  command: command(id, action, session_id)
})
const attach = (connection_id: string): GatewayMessage => ({ _tag: "Attach", connection_id })
const acknowledge = (...command_ids: Array<string>): GatewayMessage => ({ _tag: "Acknowledge", command_ids })
const ready = (connection_id: string): GatewayMessage => ({ _tag: "Ready", connection_id })
const flush: GatewayMessage = { _tag: "Flush" }
const resend: GatewayMessage = { _tag: "Resend" }

interface Step {
  readonly state: GatewayState
  readonly reply: Reply<GatewayCommands, Tag<GatewayCommands>>
  readonly notices: ReadonlyArray<GatewayNotice>
  readonly durable: boolean
}

const step = (state: GatewayState, message: GatewayMessage, now = 0): Step => {
  const { events, reply, volatile } = Result.getOrThrow(decideGateway(state, message, now))
  let after = state
  const notices: Array<GatewayNotice> = []
  for (const event of events) {
    const next = evolveGateway(after, event)
    notices.push(...noticesOf(after, event))
    after = next
  }
  return { state: after, reply, notices, durable: events.length > 0 && volatile !== true }
}

const from = (state: GatewayState, ...commands: ReadonlyArray<GatewayMessage>): GatewayState =>
  commands.reduce((before, message) => step(before, message).state, state)
const after = (...commands: ReadonlyArray<GatewayMessage>): GatewayState => from(initialGateway(0), ...commands)

const sentIn = (notices: ReadonlyArray<GatewayNotice>): ReadonlyArray<string> =>
  notices.flatMap((notice) => (notice._tag === "Send" ? notice.commands.map(({ id }) => id) : []))

describe("decideGateway", () => {
  const offline = after()
  const unacknowledged = after(attach("c1"), dispatch("a"))
  const settled = after(attach("c1"), dispatch("a"), flush, acknowledge("a"))
  const able = after(attach("c0"), { _tag: "Attach", connection_id: "c1", capabilities: ["stream.v1"] })
  const renew: GatewayMessage = { _tag: "Renew", connection_id: "c1", epoch: 1 }
  const detach = (connection_id: string): GatewayMessage => ({ _tag: "Detach", connection_id })
  const rows: ReadonlyArray<[string, GatewayState, GatewayMessage, Step["reply"]]> = [
    ["counts the first connection", offline, attach("c1"), { epoch: 1 }],
    ["counts a second connection", unacknowledged, attach("c2"), { epoch: 2 }],
    ["renews the current connection", unacknowledged, renew, "attached"],
    ["renews a connection after a restart", initialGateway(1), renew, "attached"],
    ["refuses to renew a replaced connection", initialGateway(2), renew, "replaced"],
    ["stores a command while offline", offline, dispatch("a"), { status: "offline" }],
    ["stores a command once while offline", after(dispatch("a")), dispatch("a"), { status: "offline" }],
    ["queues a command while connected", after(attach("c1")), dispatch("a"), { status: "queued" }],
    ["queues a command once", unacknowledged, dispatch("a"), { status: "queued" }],
    ["reports an acknowledged command", settled, dispatch("a"), { status: "acknowledged" }],
    [
      "reports an acknowledged command while offline",
      step(settled, detach("c1")).state,
      dispatch("a"),
      { status: "acknowledged" }
    ],
    ["takes an acknowledgement", unacknowledged, acknowledge("a"), undefined],
    ["ignores an acknowledgement of an unknown command", unacknowledged, acknowledge("z"), undefined],
    [
      "returns when commands were acknowledged",
      settled,
      { _tag: "GetAcknowledgements", command_ids: ["a", "z"] },
      { a: 0 }
    ],
    ["flushes", unacknowledged, flush, undefined],
    ["flushes nothing if nothing waits", settled, flush, undefined],
    ["takes a connection that is ready", after(attach("c1"), dispatch("a"), flush), ready("c1"), undefined],
    ["ignores a connection that was ready already", unacknowledged, ready("c1"), undefined],
    ["resends", unacknowledged, resend, undefined],
    ["resends nothing if nothing was sent", offline, resend, undefined],
    ["reports no capabilities", unacknowledged, { _tag: "GetCapabilities" }, []],
    ["reports the capabilities of its latest connection", able, { _tag: "GetCapabilities" }, ["stream.v1"]],
    ["reports its presence", unacknowledged, { _tag: "GetPresence" }, { connected: true, epoch: 1, since: 0 }],
    ["reports its absence", offline, { _tag: "GetPresence" }, { connected: false, epoch: 0, since: 0 }],
    ["detaches the current connection", unacknowledged, detach("c1"), undefined],
    ["ignores the end of a replaced connection", unacknowledged, detach("c0"), undefined]
  ]
  for (const [name, state, message, reply] of rows) {
    it(name, () => assert.deepStrictEqual(step(state, message).reply, reply))
  }

  it("writes only a new connection to disk", () => {
    for (const [name, state, message] of rows)
      assert.strictEqual(step(state, message).durable, message._tag === "Attach", name)
  })
})

describe("the commands that a gateway is sent", () => {
  it("leave in one batch, in the order of dispatch, once", () => {
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

  it("wait until the connection is ready for them", () => {
    const busy = after(attach("c1"), dispatch("a"), flush, dispatch("b"), ready("c0"))
    assert.deepStrictEqual(step(busy, flush).notices, [])
    assert.deepStrictEqual(sentIn(step(step(busy, ready("c1")).state, flush).notices), ["b"])
    const renewed = step(busy, { _tag: "Renew", connection_id: "c1", epoch: 1 }).state
    assert.deepStrictEqual(sentIn(step(renewed, flush).notices), ["b"])
  })

  it("leave in batches of limited size", () => {
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

  it("are sent again to a new connection if unacknowledged, and the old connection is told that it was replaced", () => {
    const state = after(attach("c1"), dispatch("a"), dispatch("b"), flush, dispatch("c"), acknowledge("a"))
    const attached = step(state, attach("c2"))
    assert.deepStrictEqual(attached.notices, [{ _tag: "Replaced", connection_id: "c1" }])
    assert.deepStrictEqual(step(attached.state, flush).notices, [
      { _tag: "Send", connection_id: "c2", commands: [command("b"), command("c")] }
    ])
  })

  it("wait while the gateway is offline", () => {
    const state = after(dispatch("a"), dispatch("b"))
    assert.deepStrictEqual(step(state, flush).notices, [])
    assert.deepStrictEqual(sentIn(step(step(state, attach("c1")).state, flush).notices), ["a", "b"])
  })

  it("may be acknowledged by a replaced connection", () => {
    const state = after(attach("c1"), dispatch("a"), flush, attach("c2"), acknowledge("a"))
    assert.deepStrictEqual(sentIn(step(step(state, attach("c3")).state, flush).notices), [])
  })

  it("include no originate whose ringing time is over or whose call was hung up", () => {
    const rings = [dispatch("ring", originate, "HD_1"), dispatch("ring2", originate, "HD_2")]
    const state = after(...rings, dispatch("end2", hangup, "HD_2"))
    const sentAt = (now: number) => sentIn(step(step(state, attach("c1"), now).state, flush, now).notices)
    assert.deepStrictEqual(sentAt(29_999), ["ring", "end2"])
    assert.deepStrictEqual(sentAt(30_000), ["end2"])
  })

  it("are refused while the outbox is full", () => {
    let state = after()
    for (let n = 0; n < outboxMax; n++) state = step(state, dispatch(`c${n}`)).state
    const refused = decideGateway(state, dispatch("one too many"), 0)
    assert.isTrue(Result.isFailure(refused) && refused.failure instanceof ServiceUnavailable)
    assert.deepStrictEqual(step(state, dispatch("c0")).reply, { status: "offline" })
  })
})

describe("commands about a tenant", () => {
  const about = (id: string, thing: string): GatewayMessage => ({
    _tag: "Dispatch",
    command: { id, tenant_pbx_id: "t1", about: thing, action: { kind: "trunk.probe", trunk_id: pbxTrunkId(thing) } }
  })
  const refuse = (command_id: string): GatewayMessage => ({ _tag: "Refuse", command_id, reason: "no such trunk" })

  it("are superseded by a newer command about the same object", () => {
    const state = after(attach("c1"), about("put", "x"), about("other", "y"), flush, ready("c1"), about("delete", "x"))
    assert.deepStrictEqual(sentIn(step(state, flush).notices), ["delete"])
    assert.deepStrictEqual(sentIn(step(step(state, attach("c2")).state, flush).notices), ["other", "delete"])
    assert.deepStrictEqual(step(state, about("put", "x")).reply, { status: "refused", reason: "superseded" })
    const settled = from(state, acknowledge("delete"), about("put2", "x"), acknowledge("other", "put2"))
    assert.deepStrictEqual(sentIn(step(step(settled, attach("c2")).state, flush).notices), [])
  })

  it("are not sent again once refused, and the refusal keeps its reason", () => {
    const state = after(attach("c1"), about("put", "x"), flush, refuse("put"))
    assert.deepStrictEqual(step(state, about("put", "x")).reply, { status: "refused", reason: "no such trunk" })
    assert.deepStrictEqual(sentIn(step(step(state, attach("c2")).state, flush).notices), [])
    assert.deepStrictEqual(step(state, about("put2", "x")).reply, { status: "queued" })
  })

  it("cannot be refused if they were acknowledged or never dispatched", () => {
    const state = after(attach("c1"), about("put", "x"), flush, acknowledge("put"), refuse("put"), refuse("never"))
    assert.deepStrictEqual(step(state, about("put", "x")).reply, { status: "acknowledged" })
    assert.deepStrictEqual(step(state, about("never", "y")).reply, { status: "queued" })
  })
})

describe("planGateway", () => {
  const keys = (state: GatewayState) =>
    planGateway(state)
      .filter(({ _tag }) => _tag === "Deadline")
      .map(({ _tag, key }) => `${_tag} ${key.split(":")[0]}`)

  it("plans nothing while offline, whatever is unacknowledged", () =>
    assert.deepStrictEqual(planGateway(after(dispatch("a"))), []))

  it("plans a flush while commands wait, and a resend round while any is unacknowledged", () => {
    const unacknowledged = after(attach("c1"), dispatch("a"))
    assert.deepStrictEqual(keys(unacknowledged), ["Deadline flush", "Deadline resend"])
    const sent = from(unacknowledged, flush, dispatch("b"))
    assert.deepStrictEqual(keys(sent), ["Deadline resend"])
    const settled = from(sent, ready("c1"), flush, acknowledge("a", "b"))
    assert.deepStrictEqual(keys(settled), ["Deadline resend"])
    assert.deepStrictEqual(keys(step(settled, resend, resend_ms).state), [])
  })

  it("plans one resync of the tenants for each connection", () => {
    const tasks = (state: GatewayState) =>
      planGateway(state)
        .filter(({ _tag }) => _tag === "Task")
        .map(({ key }) => key)
    const attached = after(attach("c1"))
    assert.deepStrictEqual(tasks(attached), ["resync_tenants:1"])
    const resynced = from(attached, { _tag: "FinishResync", epoch: 1 })
    assert.deepStrictEqual(tasks(resynced), [])
    assert.deepStrictEqual(tasks(from(resynced, attach("c2"))), ["resync_tenants:2"])
    assert.deepStrictEqual(tasks(from(resynced, { _tag: "Renew", connection_id: "c1", epoch: 1 })), [])
  })

  it("plans a separate flush for later commands, even in the same millisecond", () => {
    const first = after(attach("c1"), dispatch("a"))
    const second = from(first, flush, ready("c1"), dispatch("b"))
    assert.notStrictEqual(planGateway(first)[0]!.key, planGateway(second)[0]!.key)
  })

  it("resends only commands that are older than the round, oldest first", () => {
    const both = [dispatch("a"), flush, ready("c1"), dispatch("b"), flush, ready("c1")]
    const state = after(attach("c1"), ...both)
    assert.strictEqual(planGateway(state)[0]!.at, resend_ms)
    const round = step(state, resend, resend_ms).state
    assert.deepStrictEqual(sentIn(step(round, flush).notices), ["a"])
    const next = from(round, flush, ready("c1"))
    assert.strictEqual(planGateway(next)[0]!.at, 2 * resend_ms)
    assert.deepStrictEqual(sentIn(step(step(next, resend, 2 * resend_ms).state, flush).notices), ["a", "b"])
  })

  it("resends nothing while a batch is on its way", () => {
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
      const message = ((): GatewayMessage => {
        switch (op.op) {
          case "dispatch":
            return dispatch(`c${op.index}`)
          case "acknowledge":
            return acknowledge(`c${op.index}`)
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
      const next = step(state, message, now)
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
