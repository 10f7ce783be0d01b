// The places of trunks near a target: none that the judgement would need is left out.
import { expect, it } from "@effect/vitest"
import { ServingPlaces } from "../../../src/domain/trunks/ServingPlaces.ts"
import { workspaceId } from "../../support/Ids.ts"

const place = (
  n: number,
  host: string,
  addresses: ReadonlyArray<string> = [],
  allowed_ips: ReadonlyArray<string> = []
) => ({
  workspace_id: workspaceId(`00000000-0000-8000-8000-00000000000${n}`),
  auth_mode: "ip",
  host,
  addresses,
  allowed_ips
})
const places = [
  place(1, "SIP.one.example", ["8.8.8.8"]),
  place(2, "8.8.4.4", [], ["9.9.0.0/16", "2620:fe::/48"]),
  place(3, "sip.three.example", ["2620:fe::9"], ["0.0.0.0/1"]),
  place(4, "1.1.1.1")
]
const [one, two, three, four] = places
const near = (host: string, addresses: ReadonlyArray<string> = [], ranges: ReadonlyArray<string> = []) =>
  new ServingPlaces(places).othersNear(four!.workspace_id, { host, addresses, ranges }).toSorted()

it("are found by name, by address and by range, and wider ones always", () => {
  expect(near("sip.one.example.")).toEqual([three, one])
  expect(near("a.example", ["8.8.200.1"])).toEqual(expect.arrayContaining([one, two, three]))
  expect(near("a.example", [], ["9.9.9.0/24"])).toEqual([three, two])
  expect(near("a.example", ["2620:fe:0:1::1"])).toEqual(expect.arrayContaining([two, three]))
  expect(near("a.example", ["::ffff:8.8.8.8"])).toEqual(expect.arrayContaining([one, two, three]))
  expect(near("1.1.1.1", ["1.1.1.1"])).toEqual([three])
})

it("are one's own separately", () => {
  const all = new ServingPlaces(places)
  expect(all.ownOf(four!.workspace_id)).toBe(four)
  expect(all.ownOf(workspaceId("00000000-0000-8000-8000-000000000009"))).toBeUndefined()
})
