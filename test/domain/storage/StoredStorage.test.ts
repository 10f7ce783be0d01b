import { assert, it } from "@effect/vitest"
import { restoreStorage, storageState } from "../../../src/domain/storage/Storage.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("Storage", {
  state: storageState,
  restore: restoreStorage,
  stateOf: storageState.write,
  expected: ({ v: _, ...stored }) => stored,
  damages: [
    ["a price that is no whole number", '"price_minor":100000', '"price_minor":0.1', "/charge/price_minor"],
    ["a charge of text", '"amount_minor":', '"amount_minor":"5","amount":', "/charge/amount_minor"],
    ["a mark that does not exist", '"warned_percent":80', '"warned_percent":90', "/warned_percent"],
    ["a charge of an unknown kind", '"kind":"upgrade"', '"kind":"gift"', "/charge/kind"],
    ["no tier", '"tier_mb":', '"tier":', "/tier_mb"]
  ]
})

it("restores a storage of version 0 that did not count evictions", () => {
  const stored =
    '{"id":"w","tier_mb":1024,"price_minor":0,"currency":null,"pending_tier_mb":null,"renews_at":null,' +
    '"past_due_since":null,"check_at":null,"charge":null,"recounts":3,"counted":2,"used_bytes":44,"warned_percent":0,"sequence":0}'
  assert.deepInclude(storageState.read(stored), { evictions: 0, recounts: 3, used_bytes: 44 })
})
