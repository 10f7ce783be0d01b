import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import type { CredentialsMessage } from "../../../src/domain/credentials/CredentialCommand.ts"
import { type Credentials, evolveCredentials, initialCredentials } from "../../../src/domain/credentials/Credentials.ts"
import { decideCredentials } from "../../../src/domain/credentials/DecideCredentials.ts"
import { credentialId, numberId, workspaceId } from "../../support/Ids.ts"

const seen = { domain: "sip.example", registrations: [], last_registered_at: null }
const id = credentialId("a")
const number_id = numberId("n1")
const step = (state: Credentials, command: CredentialsMessage): Credentials =>
  Result.getOrThrow(decideCredentials(state, command, 0)).events.reduce(evolveCredentials, state)

const none = initialCredentials(workspaceId("w1"))
const proposed = step(none, {
  _tag: "Propose",
  credential: {
    id,
    number_id,
    number: "+254700000001",
    extension: "1001",
    username: "1001-a",
    label: null,
    display_name: null,
    max_contacts: 3,
    password: "sealed"
  }
})
const active = step(proposed, { _tag: "Confirm", id, revision: 1, origin: systemOrigin, seen })
const revoked = step(active, { _tag: "Revoke", id, number_id, origin: systemOrigin, seen })

describe("an attack on a credential", () => {
  const hour = 3_600_000
  const attack = (id: string, at: number): CredentialsMessage => ({
    _tag: "ReportAttack",
    id: credentialId(id),
    attempts: 10,
    since: at - 5_000,
    addresses: ["192.0.2.1"],
    at
  })
  /** Reports attacks at these times, and returns when they were alerted. */
  const alertedAt = (state: Credentials, id: string, ...times: ReadonlyArray<number>) => {
    const alerts: Array<number> = []
    let current = state
    for (const now of times) {
      const { events } = Result.getOrThrow(decideCredentials(current, attack(id, now), now))
      for (const event of events) if (event._tag === "AttackAlerted") alerts.push(event.at)
      current = events.reduce(evolveCredentials, current)
    }
    return alerts
  }

  it("is alerted once an hour, however many gateways report it", () => {
    assert.deepStrictEqual(alertedAt(active, "a", 0, 1, hour - 1, hour, hour + 1), [0, hour])
  })
  it.each([
    ["is unknown", none, "a"],
    ["is another", active, "b"],
    ["is not created yet", proposed, "a"],
    ["was revoked", revoked, "a"]
  ])("is not alerted if it %s", (_, state, id) => assert.deepStrictEqual(alertedAt(state, id, 0), []))
  it("is numbered among the events of the credential, and never lies in the future", () => {
    const { events } = Result.getOrThrow(decideCredentials(active, attack("a", 9_000), 3_000))
    assert.deepStrictEqual(events, [
      {
        _tag: "AttackAlerted",
        id: credentialId("a"),
        attempts: 10,
        since: 3_000,
        addresses: ["192.0.2.1"],
        at: 3_000
      }
    ])
    const [credential] = events.reduce(evolveCredentials, active).credentials
    assert.strictEqual(credential!.sequence, active.credentials[0]!.sequence + 1)
  })
})
