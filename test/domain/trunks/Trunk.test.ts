import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin as origin } from "../../../src/domain/access/Origin.ts"
import { decideTrunk, probesMax, setUpsMax } from "../../../src/domain/trunks/DecideTrunk.ts"
import { check_ms, planTrunk, probe_ms, unreachable_ms } from "../../../src/domain/trunks/PlanTrunk.ts"
import { readTrunk } from "../../../src/domain/trunks/ReadTrunk.ts"
import { evolveTrunk, initialTrunk, recordOf, type TrunkState } from "../../../src/domain/trunks/Trunk.ts"
import type { TrunkMessage } from "../../../src/domain/trunks/TrunkCommand.ts"
import type { TrunkRequest } from "../../../src/domain/trunks/TrunkRecord.ts"
import { pbxTrunkId, trunkId, workspaceId } from "../../support/Ids.ts"

const requests = {
  ip: { auth_mode: "ip", host: "sip.example.com", allowed_ips: ["8.8.8.8"] },
  digest: { auth_mode: "digest", host: "sip.example.com", username: "u", password: "canary" },
  registration: { auth_mode: "registration", registrar: "sip.example.com", username: "u", password: "canary" },
  signaling: {
    auth_mode: "signaling",
    host: "sip.example.com",
    allowed_ips: ["8.8.8.8"],
    contact_email: "noc@example.com"
  }
} as const satisfies Record<string, TrunkRequest>

const definitionOf = (request: TrunkRequest) => Result.getOrThrow(readTrunk(request, false))

const create = (mode: keyof typeof requests = "ip", locked = false): TrunkMessage => ({
  _tag: "Create",
  id: trunkId("t"),
  definition: definitionOf(requests[mode]),
  locked,
  origin
})
const change = (mode: keyof typeof requests = "digest", locked = false): TrunkMessage => ({
  _tag: "Change",
  id: trunkId("t"),
  definition: definitionOf(requests[mode]),
  locked,
  origin
})
const remove = (in_use = false): TrunkMessage => ({ _tag: "Delete", in_use, origin })
const setUp = (generation = 1): TrunkMessage => ({ _tag: "ConfirmSetUp", generation })
const setUpFailed = (generation = 1, final = false): TrunkMessage => ({ _tag: "FailSetUp", generation, final })
const report = (reachable: boolean, generation = 1, at = 0): TrunkMessage => ({
  _tag: "Report",
  pbx_trunk_id: pbxTrunkId(`t.${generation}`),
  reachable,
  sip_code: reachable ? 200 : 408,
  registered_until: null,
  at
})
const chosen = (generation = 1): TrunkMessage => ({ _tag: "ConfirmNumberMode", generation })
const choiceRefused = (generation = 1): TrunkMessage => ({
  _tag: "RefuseNumberMode",
  generation,
  code: "workspace.locked_to_platform_numbers"
})
const approve: TrunkMessage = { _tag: "Approve", id: trunkId("t"), origin }
const reject: TrunkMessage = { _tag: "Reject", id: trunkId("t"), reason: "rejected", origin }
const probeOver = (probe: number): TrunkMessage => ({ _tag: "EndProbe", probe })

const step = (state: TrunkState, command: TrunkMessage, now = 0): TrunkState =>
  Result.getOrThrow(decideTrunk(state, command, now)).events.reduce(evolveTrunk, state)
const after = (...commands: ReadonlyArray<TrunkMessage>): TrunkState =>
  commands.reduce((state, command) => step(state, command), initialTrunk(workspaceId("w1")))

const none = after()
const setting_up = after(create())
const probing = step(setting_up, setUp())
const choosing = step(probing, report(true))
const active = step(choosing, chosen())
const failed = step(choosing, choiceRefused())
const approval = after(create("signaling"))
const approved = step(approval, approve)
const peering = step(approved, setUp())
const renewing = step(active, change())
const renewed = [setUp(2), report(true, 2), chosen(2)].reduce((state, command) => step(state, command), renewing)

/** The trunk's status and stage, and whether one serves; or the refusal. */
const outcome = (state: TrunkState, command: TrunkMessage): string => {
  const decided = decideTrunk(state, command, 0)
  if (Result.isFailure(decided)) return decided.failure._tag
  const { trunk } = decided.success.events.reduce(evolveTrunk, state)
  if (decided.success.events.length === 0) return "-"
  return trunk === null
    ? "none"
    : `${trunk.status} ${trunk.stage}${trunk.serving === null ? "" : ` ${trunk.serving.generation}`}`
}

describe("a trunk", () => {
  const states = { none, setting_up, probing, choosing, active, failed, approval, approved, renewing }
  const all = (value: string) =>
    Object.fromEntries(Object.keys(states).map((state) => [state, value])) as Record<keyof typeof states, string>
  const [not_found, exists, in_use, locked] = [
    "sip_trunk.not_found",
    "sip_trunk.already_exists",
    "sip_trunk.in_use",
    "workspace.locked_to_platform_numbers"
  ]
  const rows: ReadonlyArray<[string, TrunkMessage, Partial<Record<keyof typeof states, string>>, string]> = [
    ["is made", create(), { none: "pending setting_up" }, exists],
    ["is made for peering", create("signaling"), { none: "pending approval" }, exists],
    ["is made beside numbers of the platform", create("ip", true), {}, locked],
    [
      "is changed",
      change(),
      { none: not_found, active: "pending setting_up 1", renewing: "pending setting_up 1" },
      "pending setting_up"
    ],
    [
      "is changed to peering",
      change("signaling"),
      { none: not_found, active: "pending approval 1", renewing: "pending approval 1" },
      "pending approval"
    ],
    ["is changed beside numbers of the platform", change("ip", true), {}, locked],
    ["is deleted", remove(), { none: not_found }, "none"],
    ["is deleted while numbers use it", remove(true), { none: not_found }, in_use],
    ["is taken on by the PBX", setUp(), { setting_up: "pending probing", approved: "pending choosing" }, "-"],
    [
      "is not taken on, this time",
      setUpFailed(),
      { setting_up: "pending setting_up", approved: "pending setting_up" },
      "-"
    ],
    [
      "is not taken on, for good",
      setUpFailed(1, true),
      { setting_up: "failed settled", approved: "failed settled" },
      "-"
    ],
    [
      "answers",
      report(true),
      { probing: "pending choosing", active: "active settled 1", renewing: "pending setting_up 1" },
      "-"
    ],
    [
      "does not answer",
      report(false),
      { probing: "pending probing", active: "active settled 1", renewing: "pending setting_up 1" },
      "-"
    ],
    ["is what the workspace commits itself to", chosen(), { choosing: "active settled 1" }, "-"],
    ["is what the workspace cannot have", choiceRefused(), { choosing: "failed settled" }, "-"],
    ["is approved", approve, { none: not_found, approval: "pending setting_up" }, "-"],
    ["is rejected", reject, { none: not_found, approval: "failed settled" }, "-"],
    [
      "was probed before",
      probeOver(0),
      { setting_up: "pending setting_up", approval: "pending approval", approved: "pending setting_up" },
      "-"
    ],
    [
      "has its probe over",
      probeOver(1),
      {
        probing: "pending probing",
        choosing: "pending choosing",
        active: "active settled 1",
        failed: "failed settled",
        renewing: "pending setting_up 1"
      },
      "-"
    ],
    ["is still unreachable, though it never was", { _tag: "NotifyUnreachable", since: 1 }, {}, "-"],
    ["is down by its other name", { _tag: "ConfirmRemoval", pbx_trunk_id: pbxTrunkId("t.9") }, {}, "-"]
  ]
  for (const [name, command, exceptions, otherwise] of rows) {
    for (const [state, expected] of Object.entries({ ...all(otherwise), ...exceptions })) {
      it(`${name} when ${state}: ${expected}`, () =>
        assert.strictEqual(outcome(states[state as keyof typeof states], command), expected))
    }
  }

  it("of another workspace cannot be approved or rejected", () => {
    for (const command of [
      { ...approve, id: trunkId("other") },
      { ...reject, id: trunkId("other") }
    ] as ReadonlyArray<TrunkMessage>) {
      assert.strictEqual(outcome(approval, command), not_found)
    }
  })

  it("fails after five unsuccessful probes", () => {
    let state = probing
    for (let probe = 1; probe < probesMax; probe++) {
      state = step(state, probeOver(probe))
      assert.strictEqual(state.trunk!.status, "pending")
    }
    state = step(state, probeOver(probesMax))
    assert.deepInclude(recordOf(state.trunk!), { status: "failed", status_reason: "unreachable" })
    assert.deepStrictEqual(state.removing, [pbxTrunkId("t.1")])
    assert.isAtMost(probesMax * probe_ms, 60_000)
  })

  it("that was approved fails after three unsuccessful set-ups", () => {
    let state = approved
    for (let tries = 1; tries < setUpsMax; tries++) state = step(state, setUpFailed())
    assert.strictEqual(state.trunk!.status, "pending")
    assert.deepInclude(recordOf(step(state, setUpFailed()).trunk!), {
      status: "failed",
      status_reason: "sip_trunk.provisioning_failed"
    })
  })

  it("that was approved becomes active without a probe", () =>
    assert.strictEqual(outcome(peering, chosen()), "active settled 1"))

  it("serves by its old definition until the new one is active", () => {
    assert.strictEqual(renewing.trunk!.serving!.generation, 1)
    assert.deepStrictEqual(
      [renewed.trunk!.status, renewed.trunk!.serving!.generation, renewed.removing],
      ["active", 2, ["t.1"]]
    )
    const lost = step(step(renewing, setUp(2)), setUpFailed(2, true))
    assert.strictEqual(lost.trunk!.serving!.generation, 1)
    const given_up = step(renewing, setUpFailed(2, true))
    assert.deepStrictEqual(
      [given_up.trunk!.status, given_up.trunk!.serving!.generation, given_up.removing],
      ["failed", 1, ["t.2"]]
    )
    assert.deepStrictEqual(step(renewing, change("ip")).removing, [pbxTrunkId("t.2")])
    assert.deepStrictEqual(step(renewing, remove()).removing, [pbxTrunkId("t.1"), pbxTrunkId("t.2")])
    assert.deepStrictEqual(step(active, remove()).removing, [pbxTrunkId("t.1")])
  })

  it("announces once that it is unreachable, and once that it is reachable again", () => {
    const out = step(active, report(false, 1, 1000), 1000)
    const since = out.trunk!.unreachable_since!
    const told = step(out, { _tag: "NotifyUnreachable", since }, since + unreachable_ms)
    assert.deepStrictEqual([told.trunk!.unreachable_told, told.trunk!.status], [true, "active"])
    assert.strictEqual(outcome(told, { _tag: "NotifyUnreachable", since }), "-")
    const back = step(told, report(true, 1, 2_000_000), 2_000_000)
    assert.deepStrictEqual(
      [back.trunk!.unreachable_told, back.trunk!.unreachable_since, back.trunk!.sequence],
      [false, null, 3]
    )
    const brief = step(out, report(true, 1, 2000), 2000)
    assert.deepStrictEqual([brief.trunk!.unreachable_since, brief.trunk!.sequence], [null, 1])
  })

  it("is reported as of now by a PBX whose clock runs ahead", () => {
    const told = step(active, report(false, 1, 9_000), 5_000)
    assert.strictEqual(told.trunk!.unreachable_since, 5_000)
    assert.strictEqual(step(active, report(false, 1, 4_000), 5_000).trunk!.unreachable_since, 4_000)
  })

  it("is shown without its password", () => {
    const { trunk } = after(create("registration"))
    assert.deepInclude(recordOf(trunk!), {
      host: null,
      registrar: "sip.example.com",
      username: "u",
      expires_seconds: 3600
    })
    assert.notInclude(JSON.stringify(recordOf(trunk!)), "canary")
  })
})

describe("what is under way", () => {
  const keys = (state: TrunkState) =>
    planTrunk(state).map(({ at, key }) => (at === undefined ? key : `${key} at ${at}`))
  const rows: ReadonlyArray<[string, TrunkState, ReadonlyArray<string>]> = [
    ["none", none, []],
    ["setting up", setting_up, ["set_up:1:0"]],
    ["probing", probing, ["probe:1", `probe_over:1 at ${probe_ms}`]],
    ["choosing", choosing, ["choose:1"]],
    ["active", active, ["probe:1", `probe_over:1 at ${check_ms}`]],
    ["failed", failed, ["remove:t.1"]],
    ["waiting for approval", approval, []],
    ["approved", step(approved, setUpFailed()), ["set_up:1:1"]],
    ["changing", renewing, ["set_up:2:0", "probe:1", `probe_over:1 at ${check_ms}`]],
    ["changing and probing", step(renewing, setUp(2)), ["probe:2", `probe_over:2 at ${probe_ms}`]],
    ["changed", renewed, ["probe:2", `probe_over:2 at ${check_ms}`, "remove:t.1"]],
    ["deleted", step(active, remove()), ["remove:t.1"]],
    ["taken down", step(step(active, remove()), { _tag: "ConfirmRemoval", pbx_trunk_id: pbxTrunkId("t.1") }), []],
    [
      "unreachable",
      step(active, report(false)),
      ["probe:1", `probe_over:1 at ${check_ms}`, `unreachable:0 at ${unreachable_ms}`]
    ],
    [
      "the gateway has come back",
      step(active, { _tag: "BeginResync", epoch: 2 }),
      ["probe:1", `probe_over:1 at ${check_ms}`, "resync:2"]
    ]
  ]
  for (const [name, state, expected] of rows) it(name, () => assert.deepStrictEqual(keys(state), expected))
})

describe("a definition", () => {
  const faults = (request: TrunkRequest, allow_private = false) => {
    const read = readTrunk(request, allow_private)
    return Result.isSuccess(read) ? [] : read.failure.details!.map(({ code, field }) => `${field} ${code}`)
  }
  it("of each mode is accepted with its members, and completed with defaults", () => {
    for (const request of Object.values(requests)) assert.deepStrictEqual(faults(request), [])
    assert.deepInclude(definitionOf(requests.ip), {
      port: 5060,
      transport: "udp",
      username: null,
      password: null,
      expires_seconds: null,
      contact_email: null,
      max_channels: 30,
      max_cps: 5,
      codecs: ["PCMA", "PCMU"],
      dtmf: "rfc4733",
      srtp: "off",
      session_timer_seconds: 1800,
      caller_id_format: "e164"
    })
    assert.strictEqual(definitionOf({ ...requests.ip, transport: "tls" }).port, 5061)
    assert.deepInclude(definitionOf({ ...requests.ip, username: "u", password: "p" }), {
      username: null,
      password: null
    })
  })
  it("is refused without a member that its mode needs", () => {
    const needed = {
      ip: ["host", "allowed_ips"],
      digest: ["host", "username", "password"],
      registration: ["registrar", "username", "password"],
      signaling: ["host", "allowed_ips", "contact_email"]
    }
    for (const [auth_mode, fields] of Object.entries(needed)) {
      assert.deepStrictEqual(
        faults({ auth_mode }),
        fields.map((field) => `/${field} required`)
      )
    }
  })
  const rows: ReadonlyArray<[TrunkRequest, ReadonlyArray<string>]> = [
    [{ auth_mode: "magic" }, ["/auth_mode invalid"]],
    [{ ...requests.ip, host: "not a host" }, ["/host invalid"]],
    [{ ...requests.ip, host: "localhost" }, ["/host invalid"]],
    [{ ...requests.ip, host: "127.1" }, ["/host invalid"]],
    [{ ...requests.ip, host: "0x7f.0x1" }, ["/host invalid"]],
    [{ ...requests.ip, host: "sip.example.1" }, ["/host invalid"]],
    [{ ...requests.ip, host: "10.0.0.1" }, ["/host private_address"]],
    [{ ...requests.ip, host: "169.254.169.254" }, ["/host private_address"]],
    [{ ...requests.ip, allowed_ips: [] }, ["/allowed_ips out_of_range"]],
    [
      { ...requests.ip, allowed_ips: Array.from({ length: 17 }, (_, n) => `8.8.8.${n}`) },
      ["/allowed_ips out_of_range"]
    ],
    [
      { ...requests.ip, allowed_ips: ["8.8.8.8", "x", "192.168.0.1", "0.0.0.0/0"] },
      ["/allowed_ips/1 invalid", "/allowed_ips/2 private_address", "/allowed_ips/3 range_too_wide"]
    ],
    [
      {
        ...requests.ip,
        allowed_ips: ["8.8.0.0/16", "2a00:1450:4000::/48", "2a00:1450:4000::/64", "2a00:1450:4000::1"]
      },
      []
    ],
    [
      { ...requests.ip, allowed_ips: ["8.8.0.0/15", "2a00:1450:4000::/47", "2a00::/16", "::/0"] },
      [0, 1, 2, 3].map((at) => `/allowed_ips/${at} range_too_wide`)
    ],
    [
      { ...requests.ip, allowed_ips: ["2001:db8::/48", "fe80::/64", "168.63.0.0/16", "::ffff:8.8.8.8"] },
      [0, 1, 2, 3].map((at) => `/allowed_ips/${at} private_address`)
    ],
    [
      { ...requests.ip, allowed_ips: ["010.1.2.3", "2606:4700::1%eth0"] },
      [0, 1].map((at) => `/allowed_ips/${at} invalid`)
    ],
    [{ ...requests.ip, host: "051.1.2.3" }, ["/host invalid"]],
    [{ ...requests.ip, host: "2606:4700::1%eth0" }, ["/host invalid"]],
    [{ ...requests.ip, port: 0, transport: "sctp" }, ["/transport invalid", "/port out_of_range"]],
    [{ ...requests.ip, max_channels: 0, max_cps: 1001 }, ["/max_channels out_of_range", "/max_cps out_of_range"]],
    [{ ...requests.ip, codecs: ["PCMA", "GSM"] }, ["/codecs/1 invalid"]],
    [{ ...requests.ip, codecs: [] }, ["/codecs invalid"]],
    [
      { ...requests.ip, dtmf: "x", srtp: "x", caller_id_format: "x" },
      ["/dtmf invalid", "/srtp invalid", "/caller_id_format invalid"]
    ],
    [{ ...requests.ip, session_timer_seconds: 89 }, ["/session_timer_seconds out_of_range"]],
    [{ ...requests.ip, session_timer_seconds: 0 }, []],
    [{ ...requests.digest, username: "a b", password: "" }, ["/username invalid", "/password invalid"]],
    [{ ...requests.digest, realm: 'a"b' }, ["/realm invalid"]],
    [{ ...requests.registration, expires_seconds: 299 }, ["/expires_seconds out_of_range"]],
    [{ ...requests.digest, expires_seconds: 299 }, []],
    [{ ...requests.signaling, contact_email: "nobody" }, ["/contact_email invalid"]],
    [{ ...requests.ip, label: "x".repeat(65) }, ["/label invalid"]]
  ]
  for (const [request, expected] of rows) {
    it(`${JSON.stringify(request).slice(0, 110)}: ${expected.join(", ") || "taken"}`, () =>
      assert.deepStrictEqual(faults(request), expected))
  }
  it("may name private addresses if the deployment allows them, and never special ones", () => {
    assert.deepStrictEqual(faults({ ...requests.ip, host: "127.0.0.1", allowed_ips: ["10.1.2.3"] }, true), [])
    assert.deepStrictEqual(faults({ ...requests.ip, host: "169.254.169.254" }, true), ["/host private_address"])
  })
})
