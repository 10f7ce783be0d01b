import { assert, it } from "@effect/vitest"
import { recordWorkspace } from "../../../src/domain/workspace/RecordWorkspace.ts"
import { restoreWorkspace, workspaceState } from "../../../src/domain/workspace/StoredWorkspace.ts"
import { testStoredStates } from "../../support/StoredStates.ts"
import { gatewayId } from "../../support/Ids.ts"

testStoredStates("Workspace", {
  state: workspaceState,
  restore: restoreWorkspace,
  stateOf: (after) => recordWorkspace({ after, steps: [], uuid: () => "" }).state,
  expected: ({ v: _, ...stored }, id) => ({
    id,
    facts: { invitations: {}, previous_voice_secret: null, wound_up: false, sandbox_of: null, sandbox: null, ...stored }
  }),
  damages: [
    ["a status that does not exist", '"status":"active"', '"status":"asleep"', "/status"],
    ["no voice secret", '"voice_secret":', '"secret":', "/voice_secret"],
    ["a policy of text", '"calling_policy":{}', '"calling_policy":"{}"', "/calling_policy"],
    ["a time of retention of text", '"retention_days":', '"retention_days":"90","x":', "/retention_days"]
  ]
})

it("is refused with a member whose role does not exist", () => {
  const member = { email: "a@example.com", role: "boss", read_only: false, joined_at: 1, generation: 1 }
  const text = workspaceState.write({
    name: "Acme",
    status: "active",
    status_before: null,
    currency: "KES",
    tenant_pbx_id: "acme",
    gateway_id: gatewayId("main"),
    voice_secret: "sealed",
    previous_voice_secret: null,
    calling_policy: {},
    number_mode: "unset",
    retention_days: 90,
    created_at: 1,
    wound_up: false,
    sequence: 0,
    sandbox_of: null,
    sandbox: null,
    generation: 1,
    members: { u1: { ...member, role: "owner" } },
    invitations: {}
  })
  assert.throws(() => workspaceState.read(text.replace("owner", member.role)), /its schema at \/members\/u1\/role\./)
})
