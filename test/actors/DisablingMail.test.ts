import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DisablingMail, layer } from "../../src/actors/DisablingMail.ts"
import * as MailboxActor from "../../src/actors/MailboxActor.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../src/actors/runtime/LocalSystem.ts"
import type { Mail } from "../../src/domain/mail/Mail.ts"
import { Mailer } from "../../src/domain/ports/Mailer.ts"
import { WorkspaceReads } from "../../src/domain/ports/WorkspaceReads.ts"
import * as SystemIds from "../../src/layers/ids/SystemIds.ts"
import { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { AesVault } from "../../src/layers/keyring/AesVault.ts"

const member = (email: string, role: "owner" | "admin" | "member" | "viewer") =>
  ({ user_id: email, email, role, read_only: false, joined_at: "2026-10-01T00:00:00.000Z" })

const record = {
  id: "w1", name: "Acme", status: "active", currency: "KES", number_mode: "unset", retention_days: 90, created_at: "2026-10-01T00:00:00.000Z"
} as const

it.effect("owners and admins are written to, once each", () =>
  Effect.gen(function*() {
    const sent: Array<readonly [string, Mail]> = []
    const members = [member("o@x.test", "owner"), member("a@x.test", "admin"), member("m@x.test", "member"), member("v@x.test", "viewer")]
    const ports = Layer.mergeAll(
      MemoryJournal.layer,
      SystemIds.layer,
      AesVault(new Uint8Array(32).fill(9)),
      Layer.succeed(Mailer)({ send: (to, mail) => Effect.sync(() => void sent.push([to, mail])) }),
      Layer.mock(WorkspaceReads)({ find: () => Effect.succeed({ record, members, invitations: () => [] }) })
    )
    yield* Effect.gen(function*() {
      const system = yield* ActorSystem
      const write = yield* DisablingMail
      yield* system.start
      const disabling = { workspace_id: "w1", subscription_id: "s1", url: "https://example.com/hook", reason: "failing", at: 0 } as const
      yield* write(disabling)
      yield* write(disabling)
      yield* system.drain
    }).pipe(Effect.provide(layer.pipe(
      Layer.provideMerge(MailboxActor.layer),
      Layer.provideMerge(LocalSystem.layer),
      Layer.provideMerge(ports)
    )))
    assert.deepStrictEqual(sent.map(([to]) => to).toSorted(), ["a@x.test", "o@x.test"])
    assert.include(sent[0]![1].text, "https://example.com/hook")
    assert.include(sent[0]![1].subject, "Acme")
  }))
