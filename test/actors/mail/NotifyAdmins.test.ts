import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeyCommands } from "../../../src/domain/access/ApiKeyCommand.ts"
import * as ApiKeyActor from "../../../src/actors/access/ApiKeyActor.ts"
import { NotifyAdmins } from "../../../src/actors/mail/NotifyAdmins.ts"
import * as MailboxActor from "../../../src/actors/mail/MailboxActor.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { Mailer } from "../../../src/domain/ports/access/Mailer.ts"
import { WorkspaceReads } from "../../../src/domain/ports/access/WorkspaceReads.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { AesVault } from "../../../src/layers/keyring/AesVault.ts"
import { apiKeyId, userId, workspaceId } from "../../support/Ids.ts"

const members = (["owner", "admin", "member", "viewer"] as const).map((role) => ({
  user_id: userId(role),
  email: `${role}@example.com`,
  role,
  read_only: false,
  joined_at: "2026-10-01T00:00:00.000Z"
}))
const record = {
  id: workspaceId("w1"),
  name: "Acme",
  status: "active",
  currency: "KES",
  number_mode: "unset",
  retention_days: 90,
  created_at: "2026-10-01T00:00:00.000Z",
  livemode: true,
  sandbox_of: null
} as const
const day_ms = 86_400_000

it.effect("owners and admins get one message fourteen days before an API key expires", () =>
  Effect.gen(function* () {
    const sent: Array<readonly [to: string, text: string]> = []
    const ports = Layer.mergeAll(
      MemoryJournal.layer,
      SystemIds.layer,
      AesVault(new Uint8Array(32).fill(9)),
      Layer.succeed(Mailer)({ send: (to, { text }) => Effect.sync(() => void sent.push([to, text])) }),
      Layer.mock(WorkspaceReads)({ find: () => Effect.succeed({ record, members, invitations: () => [] }) })
    )
    const actors = Layer.merge(ApiKeyActor.layer.pipe(Layer.provide(NotifyAdmins.layer)), MailboxActor.layer)
    yield* Effect.gen(function* () {
      const system = yield* ActorSystem
      yield* system.start
      yield* system.ask(ApiKeyCommands.Create, apiKeyId("k1"), {
        origin: systemOrigin,
        sealed: "",
        facts: {
          workspace_id: workspaceId("w1"),
          label: "CRM",
          scopes: [],
          env: "live",
          allowed_ips: [],
          created_by: null,
          created_at: 0,
          expires_at: 30 * day_ms,
          prefix: "eyJhbGciOiJF"
        }
      })
      const pass = (days: number) => Effect.andThen(TestClock.adjust(days * day_ms), system.drain)
      yield* pass(15.9)
      assert.deepStrictEqual(sent, [])
      yield* pass(0.2)
      assert.deepStrictEqual(sent.map(([to]) => to).toSorted(), ["admin@example.com", "owner@example.com"])
      for (const [, text] of sent) assert.include(text, `"CRM", which ends with eyJhbGciOiJF, expires on 1970-01-31`)
      yield* pass(20)
      assert.lengthOf(sent, 2)
    }).pipe(Effect.scoped, Effect.provide(actors.pipe(Layer.provideMerge(LocalSystem.layer), Layer.provide(ports))))
  })
)
