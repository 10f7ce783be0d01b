// Workspaces that bring their own numbers over their own trunk.
import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { WorkspaceCommands } from "../../src/domain/workspace/WorkspaceCommand.ts"
import { Scope } from "../../src/domain/access/Scope.ts"
import { Ids } from "../../src/domain/ports/engine/Ids.ts"
import { Keyring } from "../../src/domain/ports/engine/Keyring.ts"
import { Vault } from "../../src/domain/ports/engine/Vault.ts"
import type { TrunkRecord } from "../../src/domain/trunks/TrunkRecord.ts"
import { voiceSecretBound } from "../../src/domain/workspace/VoiceSecret.ts"
import { ask } from "./HttpTester.ts"
import { apiKeyId, gatewayId, userId, workspaceId } from "./Ids.ts"
import { until } from "./Until.ts"

export const path = "/v1/sip-trunk"
export const digest = { auth_mode: "digest", host: "sip.example.com", username: "u", password: "canary-password-1" }

/** A workspace without numbers, and its key. */
export const newWorkspace = Effect.gen(function* () {
  const { uuid } = yield* Ids
  const vault = yield* Vault
  const system = yield* ActorSystem
  const keyring = yield* Keyring
  const id = workspaceId(uuid())
  yield* system.ask(WorkspaceCommands.Onboard, id, {
    name: "Own numbers",
    currency: "KES",
    tenant_pbx_id: id,
    gateway_id: gatewayId("default"),
    voice_secret: vault.seal(vault.newSecret(), voiceSecretBound(id)),
    owner: { user_id: userId(uuid()), email: "o@example.com" }
  })
  const key = yield* keyring.mint({
    key_id: apiKeyId(uuid()),
    workspace_id: id,
    scopes: Scope.literals,
    env: "live",
    unlimited: true,
    expires_at: Date.now() + 3_600_000
  })
  return { id, key: Redacted.value(key) }
})

export const getTrunk = (key: string) => Effect.map(ask({ path, key }), ({ body }) => body as TrunkRecord)

/** Waits until the trunk is as it should be. */
export const untilTrunk = (key: string, holds: (trunk: TrunkRecord) => boolean) =>
  until("such a trunk", getTrunk(key), holds, { every_ms: 10 })

/** A workspace with an active trunk. */
export const connected = Effect.gen(function* () {
  const workspace = yield* newWorkspace
  const made = yield* ask({ path, key: workspace.key, body: digest })
  assert.strictEqual(made.status, 201)
  return { ...workspace, made, trunk: yield* untilTrunk(workspace.key, ({ status }) => status === "active") }
})
