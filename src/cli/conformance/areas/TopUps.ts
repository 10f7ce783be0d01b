// The promises about top-ups. A test key pays with simulated money.
import {
  type Area,
  currencies,
  is,
  isInstant,
  isText,
  isUuid,
  type Kept,
  member,
  notStatus,
  oneOf,
  promise,
  refused
} from "../Kept.ts"
import { type Json, Skipped, type World } from "../World.ts"

const path = "/v1/topups"
const wanted = { provider: "mobilemoney", amount_minor: 10_000, currency: "KES" }

/** A phone that no other run prompts at the same time. */
const phone = ({ random }: World) => `+2547${String(Math.floor(100_000 + random() * 900_000))}00`

const topUp = (world: World) =>
  world.shared("a top-up", async () => {
    if (world.env === "live") throw new Skipped("a live key would take money")
    const { body: wallet } = await world.ask("GET", "/v1/wallet/balance")
    if (currencies.includes(wallet?.currency) && wallet.currency !== "KES")
      throw new Skipped("the wallet is not in KES")
    const phone_e164 = phone(world)
    const answer = await world.ask("POST", path, { body: { ...wanted, phone_e164 } })
    return { phone_e164, answer, record: answer.body as Json }
  })

const record = async (world: World): Promise<Json> => (await topUp(world)).record

const paid = (world: World) =>
  world.shared("a paid top-up", async () => {
    const { topup_id } = await record(world)
    return await world.wait("the end of the top-up", async () => {
      const { body } = await world.ask("GET", `${path}/${topup_id}`)
      return body?.status === "pending" ? undefined : (body as Json)
    })
  })

const wrong = (sentence: string, status: number, code: string, change: object): Kept =>
  refused(sentence, ["POST", path], [status, code], (world) => ({
    body: { ...wanted, phone_e164: phone(world), ...change }
  }))

const otherCurrency = refused(
  "A top-up in another currency than the wallet's is refused.",
  ["POST", path],
  [422, "wallet.currency_mismatch"],
  async (world) => {
    const { body } = await world.ask("GET", "/v1/wallet/balance")
    return { body: { ...wanted, currency: body?.currency === "KES" ? "UGX" : "KES", phone_e164: phone(world) } }
  }
)

const credited = promise("A paid top-up is an entry of the statement with its amount.", async (world) => {
  const { amount_minor, topup_id } = await paid(world)
  const { body } = await world.ask("GET", "/v1/wallet/statements?limit=50")
  const entry = (Array.isArray(body) ? body : []).find(({ reference_id }: Json) => reference_id === topup_id)
  return entry?.amount_minor === amount_minor ? undefined : `the entry is ${JSON.stringify(entry)}`
})

const reference = promise("The pay-in reference of a workspace stays the same.", async (world) => {
  const { mobilemoney_account_ref } = await record(world)
  const { body } = await world.ask("GET", "/v1/wallet/payin-reference")
  return Object.values(body ?? {}).includes(mobilemoney_account_ref)
    ? undefined
    : `${mobilemoney_account_ref} is not in ${JSON.stringify(body)}`
})

export const topups: Area = {
  name: "topups",
  promises: [
    promise("A top-up by mobile money is accepted with 201.", async (world) =>
      notStatus((await topUp(world)).answer, 201)
    ),
    member("A top-up has an id.", record, "topup_id", isUuid),
    member("A top-up shows the reference by which it can be paid by hand.", record, "mobilemoney_account_ref", isText),
    member("A top-up says its provider.", record, "provider", is("mobilemoney")),
    member("A top-up says its amount.", record, "amount_minor", is(wanted.amount_minor)),
    member("A top-up says its currency.", record, "currency", is("KES")),
    member("A top-up begins as pending.", record, "status", is("pending")),
    member("A top-up says when it was made.", record, "created_at", isInstant),
    promise("A top-up names the phone that is prompted, which need not be the workspace's.", async (world) => {
      const { phone_e164, record: made } = await topUp(world)
      return made.phone_e164 === phone_e164 ? undefined : `${made.phone_e164} came`
    }),
    member("A top-up can be read again, and ends.", paid, "status", oneOf("succeeded")),
    credited,
    reference,
    wrong("A top-up of nothing is refused.", 422, "wallet.invalid_amount", { amount_minor: 0 }),
    wrong("A negative top-up is refused.", 422, "wallet.invalid_amount", { amount_minor: -100 }),
    wrong("A top-up below the minimum of its currency is refused.", 422, "wallet.topup_below_minimum", {
      amount_minor: 100
    }),
    wrong("A top-up in an unknown currency is refused.", 422, "currency.unsupported", { currency: "USD" }),
    otherCurrency,
    wrong("A top-up by a provider that is not enabled is refused.", 422, "cardprovider.unavailable", {
      provider: "shells"
    }),
    wrong("Mobile money needs a phone to prompt.", 400, "validation.bad_request", { phone_e164: undefined }),
    wrong("A top-up needs an amount.", 400, "validation.bad_request", { amount_minor: undefined }),
    wrong("A top-up needs a provider.", 400, "validation.bad_request", { provider: undefined }),
    refused(
      "A top-up that does not exist is not found.",
      ["GET", `${path}/00000000-0000-4000-8000-000000000000`],
      [404, "topup.not_found"]
    )
  ]
}
