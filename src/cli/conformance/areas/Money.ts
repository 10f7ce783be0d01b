// The promises about what calls cost.
import { type Area, expected, type Kept, promise } from "../Kept.ts"
import { answered, busy, canceled, chargesOf, type Ended, failed, silent } from "../PlacedCalls.ts"
import type { World } from "../World.ts"

const free = (end: string, call: (world: World) => Promise<Ended>): Kept =>
  promise(`A call that ends ${end} costs nothing.`, async (world) => {
    const ended = await call(world)
    if (ended.record.status !== end) return `the call ended ${ended.record.status}`
    if (ended.record.cost_minor !== 0) return `it cost ${ended.record.cost_minor}`
    return expected((await chargesOf(world, ended)).length === 0, "it was charged")
  })

const minutes = promise("A call costs its started minutes at its rate.", async (world) => {
  const { record } = await answered(world)
  const cost = Math.ceil(record.duration_seconds / 60) * record.rate_per_min_minor
  return expected(record.cost_minor === cost && cost > 0, `${record.duration_seconds} s cost ${record.cost_minor}`)
})

const once = promise("An answered call is charged once.", async (world) => {
  const found = await chargesOf(world, await answered(world))
  return expected(found.length === 1, `it was charged ${found.length} times`)
})

const same = promise("What is charged is the cost of the call's record.", async (world) => {
  const call = await answered(world)
  const [charge] = await chargesOf(world, call)
  return expected(
    charge?.amount_minor === -call.record.cost_minor,
    `it cost ${call.record.cost_minor}, and ${charge?.amount_minor} was charged`
  )
})

const explained = promise("The bill of a call shows its cost, and the formula.", async (world) => {
  const { id, record } = await answered(world)
  const { body } = await world.ask("GET", `/v1/calls/${id}/charge`)
  return expected(
    body?.cost_minor === record.cost_minor && String(body?.formula).endsWith(`= ${record.cost_minor}`),
    `the bill says ${body?.cost_minor}: ${body?.formula}`
  )
})

const holds = promise("The money that was set aside for a call is taken or released at its end.", async (world) => {
  const { id } = await answered(world)
  const { body } = await world.ask("GET", `/v1/calls/${id}/charge`)
  const open = Array.isArray(body?.holds)
    ? body.holds.filter(({ status }: { status: string }) => status === "open")
    : null
  return expected(open?.length === 0 && body.holds.length > 0, `the holds are ${JSON.stringify(body?.holds)}`)
})

export const money: Area = {
  name: "money",
  promises: [
    minutes,
    once,
    same,
    explained,
    holds,
    free("busy", busy),
    free("no_answer", silent),
    free("failed", failed),
    free("canceled", canceled)
  ]
}
