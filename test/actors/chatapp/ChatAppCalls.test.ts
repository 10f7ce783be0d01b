import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ChatAppCalls } from "../../../src/actors/chatapp/ChatAppCalls.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { toPbxTrunkId } from "../../../src/domain/BrandedIds.ts"
import { initialSettings, type Restriction } from "../../../src/domain/chatapp/CallSettings.ts"
import { type ChatAppRoute, ChatAppCommands } from "../../../src/domain/chatapp/ChatAppCommand.ts"
import { PermissionCommands } from "../../../src/domain/chatapp/Permission.ts"
import { ChatAppFault, ChatAppProvider } from "../../../src/domain/ports/pbx/ChatAppProvider.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { FakeActors } from "../../support/FakeActors.ts"
import { numberId, workspaceId } from "../../support/Ids.ts"

const user = "+254711000001"
const from = { workspace_id: workspaceId("w1"), number_id: numberId("n1"), number: "+254700000001" }
const route: ChatAppRoute = {
  trunk_id: toPbxTrunkId("chatapp-n1.1"),
  settings: { ...initialSettings, status: "ENABLED" },
  since: 7
}
const restriction = (type: string, expiration = 60): Restriction => ({ type, reason: "LOW_QUALITY", expiration })
const away = new ChatAppFault({ kind: "unavailable", message: "Away.", code: null })

interface Situation {
  readonly route?: Partial<ChatAppRoute>
  readonly permitted?: boolean
  readonly restrictions?: ReadonlyArray<Restriction> | "away" | "slow"
}

const judging = ({ permitted = true, restrictions = [], ...situation }: Situation) =>
  Effect.gen(function* () {
    const actors = new FakeActors()
      .answer(ChatAppCommands.FindRoute, () => Effect.succeed({ ...route, ...situation.route }))
      .answer(PermissionCommands.Permits, (_, { since }) => Effect.succeed(permitted && since === route.since))
    let asked = 0
    const read = Effect.suspend(() => {
      asked++
      if (restrictions === "away") return Effect.fail(away)
      return restrictions === "slow" ? Effect.never : Effect.succeed({ settings: initialSettings, restrictions })
    })
    const calls = yield* Effect.provide(
      ChatAppCalls,
      ChatAppCalls.layer.pipe(
        Layer.provide([
          Layer.mock(ActorSystem)({ ask: actors.ask }),
          Layer.mock(ChatAppProvider)({ read: () => read }),
          SystemIds.seeded(1)
        ])
      )
    )
    return { calls, asked: () => asked }
  })

describe("a number that is to call a user of the chat app", () => {
  it.effect.each<[string, Situation, string | undefined]>([
    ["may, with permission", {}, undefined],
    ["needs an active trunk", { route: { trunk_id: null } }, "chatapp_unavailable"],
    ["needs settings", { route: { settings: null } }, "chatapp_unavailable"],
    ["needs calls that are on", { route: { settings: initialSettings } }, "chatapp_unavailable"],
    ["needs the permission", { permitted: false }, "chatapp_not_permitted"],
    [
      "obeys a restriction of outgoing calls",
      { restrictions: [restriction("RESTRICTED_BUSINESS_INITIATED_CALLING")] },
      "chatapp_restricted"
    ],
    ["obeys a restriction that it does not know", { restrictions: [restriction("ALL")] }, "chatapp_restricted"],
    ["ignores one of incoming calls", { restrictions: [restriction("RESTRICTED_USER_INITIATED_CALLING")] }, undefined],
    ["ignores one that is over", { restrictions: [restriction("ALL", 0)] }, undefined],
    ["may while the provider cannot be asked", { restrictions: "away" }, undefined]
  ])("%s", ([_, situation, reason]) =>
    Effect.gen(function* () {
      const { calls } = yield* judging(situation)
      assert.deepStrictEqual(
        yield* calls.judge(from, user),
        reason === undefined ? { ok: true, trunk_id: route.trunk_id } : { ok: false, reason }
      )
    })
  )

  it.effect("asks the provider once a minute, and waits two seconds at most", () =>
    Effect.gen(function* () {
      const { asked, calls } = yield* judging({ restrictions: "slow" })
      const first = yield* Effect.forkChild(calls.judge(from, user))
      yield* TestClock.adjust("2 seconds")
      assert.isTrue((yield* Fiber.join(first)).ok)
      assert.isTrue((yield* calls.judge(from, user)).ok)
      assert.strictEqual(asked(), 1)
      yield* TestClock.adjust("61 seconds")
      const later = yield* Effect.forkChild(calls.judge(from, user))
      yield* TestClock.adjust("2 seconds")
      assert.isTrue((yield* Fiber.join(later)).ok)
      assert.strictEqual(asked(), 2)
    })
  )
})
