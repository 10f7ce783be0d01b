// The promises about the wallet and its statement.
import {
  type Area,
  currencies,
  expected,
  is,
  isInstant,
  isInteger,
  isText,
  isUuid,
  member,
  oneOf,
  promise,
  refused
} from "../Kept.ts"
import { answered, chargesOf } from "../PlacedCalls.ts"
import type { Json, World } from "../World.ts"

const balance = (world: World) =>
  world.shared("the balance", async () => (await world.ask("GET", "/v1/wallet/balance")).body)

const statement = (world: World) =>
  world.shared("the statement", async (): Promise<ReadonlyArray<Json>> => {
    await answered(world)
    const { body } = await world.ask("GET", "/v1/wallet/statements?limit=50")
    return Array.isArray(body) ? body : []
  })

const newest = async (world: World): Promise<Json> => (await statement(world))[0]

const charge = async (world: World): Promise<Json> => (await chargesOf(world, await answered(world)))[0]

const inOrder = promise("The statement lists the newest entry first.", async (world) => {
  const sequences = (await statement(world)).map(({ sequence }) => sequence)
  return expected(
    sequences.length > 1 && sequences.every((each, index) => index === 0 || each < sequences[index - 1]),
    `the numbers are ${sequences.join(", ")}`
  )
})

const chained = promise("Each entry's balance is that of the entry before it and its own amount.", async (world) => {
  const entries = await statement(world)
  const wrong = entries.find(
    (entry, index) =>
      index + 1 < entries.length &&
      entry.balance_after_minor !== entries[index + 1].balance_after_minor + entry.amount_minor
  )
  return expected(entries.length > 1 && wrong === undefined, `entry ${wrong?.sequence} does not add up`)
})

const balances = promise("The balance is that of the newest entry of the statement.", async ({ ask }) => {
  const { body: wallet } = await ask("GET", "/v1/wallet/balance")
  const { body: entries } = await ask("GET", "/v1/wallet/statements?limit=1")
  const { body: after } = await ask("GET", "/v1/wallet/balance")
  const stated = entries?.[0]?.balance_after_minor
  return expected(
    wallet?.balance_minor === stated || after?.balance_minor === stated,
    `the balance is ${wallet?.balance_minor}, the entry says ${stated}`
  )
})

const threshold = promise("The threshold of the low balance can be changed, and is read again.", async (world) => {
  const { ask } = world
  const { body: before } = await ask("GET", "/v1/wallet/balance")
  const wanted = 12_345
  const changed = await ask("PATCH", "/v1/wallet", { body: { low_balance_threshold_minor: wanted } })
  const { body: after } = await ask("GET", "/v1/wallet/balance")
  await ask("PATCH", "/v1/wallet", {
    body: { low_balance_threshold_minor: before?.low_balance_threshold_minor ?? 0 }
  })
  return expected(
    changed.status === 200 && after?.low_balance_threshold_minor === wanted,
    `${changed.status} came, and it is ${after?.low_balance_threshold_minor}`
  )
})

const filtered = promise("The statement can be filtered by kind.", async (world) => {
  await answered(world)
  const { body } = await world.ask("GET", "/v1/wallet/statements?kind=call_charge&limit=20")
  return expected(
    Array.isArray(body) && body.length > 0 && body.every(({ kind }: Json) => kind === "call_charge"),
    "there are other kinds, or none"
  )
})

const limited = promise("The statement has as many entries as `limit` says.", async (world) => {
  await answered(world)
  const { body } = await world.ask("GET", "/v1/wallet/statements?limit=1")
  return expected(Array.isArray(body) && body.length === 1, `${body?.length} came`)
})

export const wallet: Area = {
  name: "wallet",
  promises: [
    member("A wallet says which workspace it belongs to.", balance, "workspace_id", isUuid),
    member("A balance is a whole number of minor units.", balance, "balance_minor", isInteger),
    member("A wallet has one of seven currencies.", balance, "currency", oneOf(...currencies)),
    member(
      "The threshold of the low balance is not negative.",
      balance,
      "low_balance_threshold_minor",
      (value) => isInteger(value) && value >= 0
    ),
    balances,
    threshold,
    refused("A negative threshold is refused.", ["PATCH", "/v1/wallet"], [422, "wallet.invalid_amount"], {
      body: { low_balance_threshold_minor: -1 }
    }),
    inOrder,
    chained,
    filtered,
    limited,
    refused(
      "An unknown kind of entry is refused.",
      ["GET", "/v1/wallet/statements?kind=nothing"],
      [400, "validation.bad_request"]
    ),
    member("An entry of the statement has a UUID.", newest, "id", isUuid),
    member("An entry has a kind.", newest, "kind", isText),
    member("The amount of an entry is a whole number of minor units.", newest, "amount_minor", isInteger),
    member("An entry says its currency.", newest, "currency", oneOf(...currencies)),
    member("An entry says when it was made.", newest, "created_at", isInstant),
    member("A charge of a call is an entry of kind `call_charge`.", charge, "kind", is("call_charge")),
    member("A charge takes money.", charge, "amount_minor", (value) => isInteger(value) && value < 0)
  ]
}
