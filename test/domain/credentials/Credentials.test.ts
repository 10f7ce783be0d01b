import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import type { CredentialsMessage, ProposedCredential } from "../../../src/domain/credentials/CredentialCommand.ts"
import {
  type Credential,
  type Credentials,
  evolveCredentials,
  initialCredentials,
  revokedShown
} from "../../../src/domain/credentials/Credentials.ts"
import { decideCredentials, limits } from "../../../src/domain/credentials/DecideCredentials.ts"
import { extensionsOf } from "../../../src/domain/credentials/Extension.ts"
import { planCredentials, proposalLife_ms } from "../../../src/domain/credentials/PlanCredentials.ts"
import { registrarCommand } from "../../../src/domain/credentials/RegistrarCommands.ts"
import { credentialId, numberId, workspaceId } from "../../support/Ids.ts"
import type { NumberId } from "../../../src/domain/BrandedIds.ts"

const seen = { domain: "sip.example", registrations: [], last_registered_at: null }
const origin = systemOrigin

const proposal = (id: string, extension = "1001", number_id = numberId("n1")): ProposedCredential => ({
  id: credentialId(id),
  number_id,
  number: "+254700000001",
  extension,
  username: `${extension}-${id}`,
  label: null,
  display_name: null,
  max_contacts: 3,
  password: `sealed-${id}`
})
const propose = (id: string, extension?: string, number_id?: NumberId): CredentialsMessage => ({
  _tag: "Propose",
  credential: proposal(id, extension, number_id)
})
const rotate = (id: string, grace_seconds = 0, number_id = numberId("n1")): CredentialsMessage => ({
  _tag: "ProposeRotation",
  number_id,
  id: credentialId(id),
  password: "sealed-new",
  grace_seconds
})
const confirm = (id: string, revision: number): CredentialsMessage => ({
  _tag: "Confirm",
  id: credentialId(id),
  revision,
  origin,
  seen
})
const abandon = (id: string, revision: number, reached = true): CredentialsMessage => ({
  _tag: "Abandon",
  id: credentialId(id),
  revision,
  reached
})
const revoke = (id: string, number_id = numberId("n1")): CredentialsMessage => ({
  _tag: "Revoke",
  number_id,
  id: credentialId(id),
  origin,
  seen
})
const confirmSync = (id: string, revision: number): CredentialsMessage => ({
  _tag: "ConfirmSync",
  id: credentialId(id),
  revision
})

const step = (state: Credentials, command: CredentialsMessage, now = 0): Credentials =>
  Result.getOrThrow(decideCredentials(state, command, now)).events.reduce(evolveCredentials, state)
const after = (...commands: ReadonlyArray<CredentialsMessage>): Credentials =>
  commands.reduce((state, command) => step(state, command), initialCredentials(workspaceId("w1")))

const proposed = after(propose("a"))
const active = after(propose("a"), confirm("a", 1))
const rotating = step(active, rotate("a", 60))
const graced = step(rotating, confirm("a", 2))
const revoked = step(active, revoke("a"))
const forgotten = step(revoked, confirmSync("a", 2))
const abandoned = step(proposed, abandon("a", 1))

const outcome = (state: Credentials, command: CredentialsMessage): string => {
  const decided = decideCredentials(state, command, 0)
  if (Result.isFailure(decided)) return decided.failure._tag
  const { credentials } = decided.success.events.reduce(evolveCredentials, state)
  return decided.success.events.length === 0
    ? "nothing"
    : credentials.map((it) => (it.rotation === null ? it.status : "rotating")).join()
}

describe("a credential", () => {
  const states = { none: after(), proposed, active, rotating, revoked, abandoned }
  const no = {
    not_found: "numbers.sip_credentials.not_found",
    over: "numbers.sip_credentials.already_revoked",
    failed: "numbers.sip_provisioning_failed"
  }
  const taken = "numbers.extension_taken"
  type Row = Record<keyof typeof states, string>
  const rows: ReadonlyArray<[string, CredentialsMessage, Row]> = [
    [
      "is proposed",
      propose("b"),
      {
        none: "proposed",
        proposed: taken,
        active: taken,
        rotating: taken,
        revoked: "revoked,proposed",
        abandoned: "abandoned,proposed"
      }
    ],
    [
      "is confirmed as proposed first",
      confirm("a", 1),
      {
        none: no.failed,
        proposed: "active",
        active: no.failed,
        rotating: no.failed,
        revoked: no.failed,
        abandoned: no.failed
      }
    ],
    [
      "is confirmed as rotated",
      confirm("a", 2),
      {
        none: no.failed,
        proposed: no.failed,
        active: no.failed,
        rotating: "active",
        revoked: no.failed,
        abandoned: no.failed
      }
    ],
    [
      "is rotated",
      rotate("a"),
      {
        none: no.not_found,
        proposed: no.not_found,
        active: "rotating",
        rotating: "rotating",
        revoked: no.over,
        abandoned: no.not_found
      }
    ],
    [
      "of another number is rotated",
      rotate("a", 0, numberId("n2")),
      {
        none: no.not_found,
        proposed: no.not_found,
        active: no.not_found,
        rotating: no.not_found,
        revoked: no.not_found,
        abandoned: no.not_found
      }
    ],
    [
      "is abandoned as proposed first",
      abandon("a", 1),
      {
        none: "nothing",
        proposed: "abandoned",
        active: "nothing",
        rotating: "nothing",
        revoked: "nothing",
        abandoned: "nothing"
      }
    ],
    [
      "is abandoned unreached",
      abandon("a", 1, false),
      {
        none: "nothing",
        proposed: "",
        active: "nothing",
        rotating: "nothing",
        revoked: "nothing",
        abandoned: "nothing"
      }
    ],
    [
      "has its rotation abandoned",
      abandon("a", 2),
      {
        none: "nothing",
        proposed: "nothing",
        active: "nothing",
        rotating: "active",
        revoked: "nothing",
        abandoned: "nothing"
      }
    ],
    [
      "is revoked",
      revoke("a"),
      {
        none: no.not_found,
        proposed: no.not_found,
        active: "revoked",
        rotating: "revoked",
        revoked: no.over,
        abandoned: no.not_found
      }
    ],
    [
      "of another number is revoked",
      revoke("a", numberId("n2")),
      {
        none: no.not_found,
        proposed: no.not_found,
        active: no.not_found,
        rotating: no.not_found,
        revoked: no.not_found,
        abandoned: no.not_found
      }
    ],
    [
      "leaves with its number",
      { _tag: "RevokeNumber", number_id: numberId("n1"), left_at: 5, origin },
      {
        none: "nothing",
        proposed: "abandoned",
        active: "revoked",
        rotating: "revoked",
        revoked: "nothing",
        abandoned: "nothing"
      }
    ],
    [
      "stays when another number leaves",
      { _tag: "RevokeNumber", number_id: numberId("n2"), left_at: 5, origin },
      {
        none: "nothing",
        proposed: "nothing",
        active: "nothing",
        rotating: "nothing",
        revoked: "nothing",
        abandoned: "nothing"
      }
    ],
    [
      "has its grace over that it has not",
      { _tag: "EndGrace", id: credentialId("a"), revision: 1 },
      {
        none: "nothing",
        proposed: "nothing",
        active: "nothing",
        rotating: "nothing",
        revoked: "nothing",
        abandoned: "nothing"
      }
    ],
    [
      "is synced",
      confirmSync("a", 2),
      {
        none: "nothing",
        proposed: "nothing",
        active: "nothing",
        rotating: "rotating",
        revoked: "revoked",
        abandoned: ""
      }
    ]
  ]
  for (const [name, command, row] of rows) {
    for (const [state, expected] of Object.entries(row)) {
      it(`${name} when ${state}: ${expected}`, () =>
        assert.strictEqual(outcome(states[state as keyof typeof states], command), expected))
    }
  }

  it("ends with its number, but not if the number was removed and registered again since", () => {
    const made = (number_since: number) =>
      after({ _tag: "Propose", credential: { ...proposal("a"), number_since } }, confirm("a", 1))
    const leave: CredentialsMessage = { _tag: "RevokeNumber", number_id: numberId("n1"), left_at: 5, origin }
    assert.deepStrictEqual(
      [4, 5, 6].map((since) => outcome(made(since), leave)),
      ["revoked", "revoked", "nothing"]
    )
  })

  it("accepts the former password during the grace period and no longer", () => {
    const at = (state: Credentials): Credential => state.credentials[0]!
    assert.deepInclude(at(graced), { password: "sealed-new", previous: { password: "sealed-a", expires_at: 60_000 } })
    const over = step(graced, { _tag: "EndGrace", id: credentialId("a"), revision: 2 }, 60_000)
    assert.deepInclude(at(over), { password: "sealed-new", previous: null, revision: 3, synced: 2 })
    assert.isNull(at(step(step(active, rotate("a", 0)), confirm("a", 2))).previous)
  })
})

describe("the caps", () => {
  const full = (count: number, number: (n: number) => string) =>
    after(...Array.from({ length: count }, (_, n) => propose(`c${n}`, String(1000 + n), numberId(number(n)))))
  it("apply to a number, proposed credentials included", () => {
    const state = full(limits.per_number, () => "n1")
    assert.strictEqual(outcome(state, propose("x", "9000")), "numbers.credential_limit_reached")
    assert.include(outcome(state, propose("x", "9000", numberId("n2"))), "proposed")
    assert.include(outcome(step(state, abandon("c0", 1)), propose("x", "9000")), "proposed")
  })
  it("apply to a workspace", () => {
    const state = full(limits.per_workspace, (n) => `n${Math.floor(n / 10)}`)
    assert.strictEqual(outcome(state, propose("x", "9000", numberId("other"))), "numbers.credential_limit_reached")
  })
  it("drop the oldest revoked credentials, except those that the PBX still has", () => {
    let state = initialCredentials(workspaceId("w1"))
    for (let n = 0; n < revokedShown + 20; n++) {
      for (const command of [propose(`c${n}`), confirm(`c${n}`, 1), revoke(`c${n}`)]) state = step(state, command, n)
      if (n !== 3) state = step(state, confirmSync(`c${n}`, 2), n)
    }
    const ids = state.credentials.map(({ id }) => id)
    assert.strictEqual(ids.length, revokedShown + 1)
    assert.include(ids, credentialId("c3"))
    assert.notInclude(ids, credentialId("c4"))
  })
})

describe("what is under way", () => {
  const keys = (state: Credentials) =>
    planCredentials(state).map(({ _tag, at, key }) => `${_tag} ${key}${at === undefined ? "" : ` at ${at}`}`)
  const returned = step(active, { _tag: "BeginResync", epoch: 4 })
  const rows: ReadonlyArray<[string, Credentials, ReadonlyArray<string>]> = [
    ["nothing is asked", after(), []],
    ["one is proposed", proposed, [`Deadline proposal:a:1 at ${proposalLife_ms}`]],
    ["one is active", active, []],
    ["one is rotating", rotating, [`Deadline proposal:a:2 at ${proposalLife_ms}`]],
    ["an old password has its grace", graced, ["Deadline grace:a:2 at 60000"]],
    ["the grace is over", step(graced, { _tag: "EndGrace", id: credentialId("a"), revision: 2 }), ["Task sync:a:3"]],
    ["a rotation was abandoned", step(rotating, abandon("a", 2)), ["Task sync:a:3"]],
    ["a rotation was abandoned unreached", step(rotating, abandon("a", 2, false)), []],
    [
      "a second rotation was abandoned unreached",
      step(step(rotating, rotate("a")), abandon("a", 3, false)),
      ["Task sync:a:4"]
    ],
    ["one was revoked", revoked, ["Task sync:a:2"]],
    ["the PBX has forgotten it", forgotten, []],
    ["one was abandoned", abandoned, ["Task sync:a:2"]],
    ["the gateway has come back", returned, ["Task resync:4"]],
    ["and was given everything", step(returned, { _tag: "FinishResync", epoch: 4 }), []],
    [
      "and was given everything before it came back again",
      step(returned, { _tag: "FinishResync", epoch: 3 }),
      ["Task resync:4"]
    ],
    ["the gateway has come back to nothing", step(after(), { _tag: "BeginResync", epoch: 4 }), []]
  ]
  for (const [name, state, expected] of rows) it(name, () => assert.deepStrictEqual(keys(state), expected))
})

describe("the PBX is sent", () => {
  const told = (state: Credentials) => registrarCommand(state.credentials[0]!, "t1", (sealed) => `open-${sealed}`, "x")
  const put = {
    kind: "registrar.put",
    credential_id: "a",
    username: "1001-a",
    extension: "1001",
    number: "+254700000001",
    max_contacts: 3
  }
  it("who may register, with one password or two", () => {
    assert.deepStrictEqual(told(proposed), {
      id: "registrar:a:1:x",
      tenant_pbx_id: "t1",
      about: "credential:a",
      action: { ...put, password: "open-sealed-a" }
    } as ReturnType<typeof told>)
    const two = { ...put, password: "open-sealed-new", previous_password: "open-sealed-a" }
    assert.deepStrictEqual(told(rotating)!.action as object, two)
    assert.deepStrictEqual(told(graced)!.action as object, two)
    assert.deepStrictEqual(told(step(active, rotate("a", 0)))!.action as object, {
      ...put,
      password: "open-sealed-new"
    })
  })
  it("who may no longer", () => {
    for (const state of [revoked, abandoned]) {
      assert.deepStrictEqual(told(state)!.action, {
        kind: "registrar.delete",
        credential_id: credentialId("a"),
        username: "1001-a"
      })
    }
  })
  it("nothing if the password cannot be decrypted", () =>
    assert.isUndefined(registrarCommand(active.credentials[0]!, "t1", () => undefined, "x")))
})

it("extensions are those of active credentials", () => {
  const of = (state: Credentials) => extensionsOf(state.credentials).map(({ extension }) => extension)
  assert.deepStrictEqual(
    [of(proposed), of(active), of(rotating), of(revoked), of(abandoned)],
    [[], ["1001"], ["1001"], [], []]
  )
})
