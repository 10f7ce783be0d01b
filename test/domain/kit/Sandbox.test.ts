import { assert, describe, it } from "@effect/vitest"
import { accountOf, sandboxIdOf } from "../../../src/domain/kit/Sandbox.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { workspaceId } from "../../support/Ids.ts"

describe("a workspace and its sandbox", () => {
  it("are counted as one, and apart from all others", () => {
    const { named } = SystemIds
    const [one, other] = [workspaceId("w1"), workspaceId("w2")]
    assert.strictEqual(accountOf(named, one), accountOf(named, sandboxIdOf(named, one)))
    assert.notStrictEqual(accountOf(named, one), accountOf(named, other))
  })
})
