// Which addresses a workspace's trunk is known to have.
import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin as origin } from "../../../src/domain/access/Origin.ts"
import { decideTrunk } from "../../../src/domain/trunks/DecideTrunk.ts"
import { readTrunk } from "../../../src/domain/trunks/ReadTrunk.ts"
import type { TrunkMessage } from "../../../src/domain/trunks/TrunkCommand.ts"
import {
  evolveTrunk,
  initialTrunk,
  restoreTrunk,
  type TrunkState,
  trunkState
} from "../../../src/domain/trunks/Trunk.ts"
import { pbxTrunkId, trunkId, workspaceId } from "../../support/Ids.ts"

const none = initialTrunk(workspaceId("w1"))
const id = trunkId("t")
const definition = Result.getOrThrow(
  readTrunk({ auth_mode: "ip", host: "sip.example.com", allowed_ips: ["8.8.8.8"] }, false)
)
const locate = (generation: number, ...addresses: ReadonlyArray<string>): TrunkMessage => ({
  _tag: "Locate",
  generation,
  addresses
})
const eventsOf = (state: TrunkState, command: TrunkMessage) =>
  Result.getOrThrow(decideTrunk(state, command, 0)).events.map(({ _tag }) => _tag)
const after = (state: TrunkState, ...commands: ReadonlyArray<TrunkMessage>): TrunkState =>
  commands.reduce(
    (current, command) => Result.getOrThrow(decideTrunk(current, command, 0)).events.reduce(evolveTrunk, current),
    state
  )
const addressesOf = ({ trunk }: TrunkState) => [trunk?.serving?.addresses, trunk?.wanted.addresses]

const created = after(none, { _tag: "Create", id, definition, locked: false, origin })
const serving = after(
  created,
  locate(1, "8.8.8.8", "8.8.4.4"),
  { _tag: "ConfirmSetUp", generation: 1 },
  {
    _tag: "Report",
    pbx_trunk_id: pbxTrunkId("t.1"),
    reachable: true,
    sip_code: 200,
    registered_until: null,
    at: 0
  },
  { _tag: "ConfirmNumberMode", generation: 1 }
)
const changing = after(serving, { _tag: "Change", id, definition, locked: false, origin })

it("are those that the PBX was given, from the set-up on", () => {
  assert.deepStrictEqual(addressesOf(created), [undefined, undefined])
  assert.deepStrictEqual(addressesOf(serving), [
    ["8.8.8.8", "8.8.4.4"],
    ["8.8.8.8", "8.8.4.4"]
  ])
  assert.deepStrictEqual(addressesOf(after(serving, locate(1, "9.9.9.9"))), [["9.9.9.9"], ["9.9.9.9"]])
})

it("are those of each version while a new one is set up", () => {
  assert.deepStrictEqual(addressesOf(after(changing, locate(2, "9.9.9.9"))), [["8.8.8.8", "8.8.4.4"], ["9.9.9.9"]])
  assert.deepStrictEqual(addressesOf(after(changing, locate(1, "9.9.9.9"))), [["9.9.9.9"], undefined])
})

it.each<[string, TrunkState, TrunkMessage]>([
  ["they are the same in another order", serving, locate(1, "8.8.4.4", "8.8.8.8")],
  ["they are of a former version", serving, locate(7, "9.9.9.9")],
  ["there is no trunk", none, locate(1, "9.9.9.9")]
])("are not stored if %s", (_, state, command) => assert.deepStrictEqual(eventsOf(state, command), []))

it("are stored, and absent from what older versions stored", () => {
  const stored = (state: TrunkState) => ({ version: 1, alarm: null, state: trunkState.write(state) })
  assert.deepStrictEqual(restoreTrunk(stored(serving) as never, "w1"), serving)
  assert.deepStrictEqual(restoreTrunk(stored(created) as never, "w1"), created)
})
