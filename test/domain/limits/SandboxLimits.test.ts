import { assert, describe, it } from "@effect/vitest"
import { default_policy } from "../../../src/domain/calls/policy/CallingPolicy.ts"
import { budgets } from "../../../src/domain/limits/Budgets.ts"
import { enforcedPolicy, keptDays } from "../../../src/domain/limits/SandboxLimits.ts"
import { keptBytes } from "../../../src/domain/storage/Tiers.ts"
import { planStorage } from "../../../src/domain/storage/PlanStorage.ts"
import { freeStorage, usageMark } from "../../../src/domain/storage/Storage.ts"
import { bytesOfTier, tiers_mb } from "../../../src/domain/storage/Tiers.ts"
import { toWorkspaceId } from "../../../src/domain/BrandedIds.ts"

const live = toWorkspaceId("0190f5fe-7c00-7a00-8000-00000000000a")
const sandbox = toWorkspaceId("7e577e57-7c00-7a00-8000-00000000000a")
const most = budgets.sandbox_stored_bytes.limit

describe("what a sandbox may use", () => {
  it.each([
    [1, 1, 1, 1],
    [20, 5, 20, 5],
    [1_000_000, 1_000_000, 20, 5]
  ])("is the lower of its policy and its limit: %i calls, %i a second", (concurrent, second, ...expected) => {
    const calling_policy = { ...default_policy, max_concurrent_calls: concurrent, calls_per_second: second }
    const of = (id: string) => {
      const { calls_per_second, max_concurrent_calls } = enforcedPolicy({ id, calling_policy })
      return [max_concurrent_calls, calls_per_second]
    }
    assert.deepStrictEqual(of(sandbox), expected)
    assert.deepStrictEqual(of(live), [concurrent, second])
  })

  it("is a hundred MiB of recordings for a week, whatever it has bought and set", () => {
    for (const tier_mb of tiers_mb) {
      assert.strictEqual(keptBytes(sandbox, tier_mb), most)
      assert.strictEqual(keptBytes(live, tier_mb), bytesOfTier(tier_mb))
    }
    assert.deepStrictEqual(
      [1, 7, 90].map((days) => [keptDays(sandbox, days), keptDays(live, days)]),
      [
        [1, 1],
        [7, 7],
        [7, 90]
      ]
    )
  })

  it("makes its storage delete the oldest, and warn before", () => {
    const storage = { ...freeStorage(sandbox), tier_mb: 256_000, used_bytes: most + 1 }
    assert.deepInclude(
      planStorage(storage).map(({ key }) => key),
      "evict:0:256000"
    )
    assert.deepStrictEqual(
      planStorage(storage).flatMap((work) => ("work" in work && work.work._tag === "EvictOldest" ? [work.work] : [])),
      [{ _tag: "EvictOldest", size_bytes: most }]
    )
    assert.deepStrictEqual(planStorage({ ...storage, id: live }), [])
    assert.deepStrictEqual(
      [0.79, 0.8, 1].map((part) => usageMark(storage, most * part)),
      [0, 80, 100]
    )
  })
})
