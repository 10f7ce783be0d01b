// Promises about calls and their money, kept by calls to the test network.
import { randomUUID } from "node:crypto"
import type { CallRecord } from "../../client/Client.ts"
import { expected, type Kept, type World } from "./World.ts"

const phones = { answers: "+99900000001", busy: "+99900000002", silent: "+99900000003" }
const actions = [{ say: { text: "Goodbye." } }, { hangup: {} }]

const place = async ({ client, from }: World, to: string, timeout_seconds = 30): Promise<CallRecord> =>
  await client.calls.originate({ from, to, actions, timeout_seconds })

const ended = async (world: World, to: string, timeout_seconds?: number): Promise<CallRecord> => {
  const { id } = await place(world, to, timeout_seconds)
  return await world.client.calls.waitUntil(id, "ended", { signal: world.signal })
}

const currencies = ["KES", "UGX", "TZS", "RWF", "ZAR", "GHS", "NGN"]

const charges = async ({ client }: World, call: CallRecord) =>
  (await client.wallet.statements({ kind: "call_charge", limit: 50 }).toArray({ max: 50 })).filter(
    ({ reference_id }) => reference_id === call.id
  )

const money: ReadonlyArray<Kept> = [
  {
    area: "money",
    says: "a balance is whole minor units of one of seven currencies",
    check: async ({ client }) => {
      const { balance_minor, currency } = await client.wallet.balance()
      return expected(
        Number.isSafeInteger(balance_minor) && currencies.includes(currency),
        `${balance_minor} ${currency} came`
      )
    }
  },
  {
    area: "money",
    says: "the balance is that of the newest entry of the statement",
    check: async ({ client }) => {
      const { balance_minor } = await client.wallet.balance()
      const [newest] = await client.wallet.statements({ limit: 1 }).toArray({ max: 1 })
      const { balance_after_minor = 0 } = newest ?? {}
      return expected(
        balance_minor === balance_after_minor,
        `the balance is ${balance_minor}, the entry says ${balance_after_minor}`
      )
    }
  },
  {
    area: "money",
    says: "an answered call costs its started minutes, and is charged once",
    check: async (world) => {
      const before = await world.client.wallet.balance()
      const call = await ended(world, phones.answers)
      if (call.status !== "completed") return `the call ended ${call.status}`
      const minutes = Math.ceil((call.duration_seconds ?? 0) / 60)
      if (call.cost_minor !== minutes * call.rate_per_min_minor) return `${minutes} minutes cost ${call.cost_minor}`
      const found = await charges(world, call)
      if (found.length !== 1) return `it was charged ${found.length} times`
      if (found[0]?.amount_minor !== -call.cost_minor)
        return `it cost ${call.cost_minor}, and ${found[0]?.amount_minor} was charged`
      const after = await world.client.wallet.balance()
      return expected(
        before.balance_minor - after.balance_minor >= call.cost_minor,
        "the balance did not fall by its cost"
      )
    }
  },
  ...(
    [
      ["busy", phones.busy],
      ["no_answer", phones.silent]
    ] as const
  ).map(([status, to]): Kept => ({
    area: "money",
    says: `a call that ends ${status} costs nothing`,
    check: async (world) => {
      const call = await ended(world, to, 5)
      if (call.status !== status) return `the call ended ${call.status}`
      if (call.cost_minor !== 0) return `it cost ${call.cost_minor}`
      return expected((await charges(world, call)).length === 0, "it was charged")
    }
  }))
]

const repeated: ReadonlyArray<Kept> = [
  {
    area: "repeats",
    says: "the same request with the same Idempotency-Key places one call",
    check: async ({ ask, from }) => {
      const headers = { "idempotency-key": randomUUID() }
      const body = { from, to: phones.busy, actions }
      const first = await ask("POST", "/v1/calls/originate", { body, headers })
      const second = await ask("POST", "/v1/calls/originate", { body, headers })
      if (first.status !== 201) return `${first.status} came`
      return expected(first.body?.id === second.body?.id, `${first.body?.id}, then ${second.body?.id ?? second.status}`)
    }
  },
  {
    area: "repeats",
    says: "another request with the same Idempotency-Key is a conflict",
    check: async ({ ask, from }) => {
      const headers = { "idempotency-key": randomUUID() }
      await ask("POST", "/v1/calls/originate", { body: { from, to: phones.busy, actions }, headers })
      const other = { from, to: phones.busy, actions, client_reference: "other" }
      const { body, status } = await ask("POST", "/v1/calls/originate", { body: other, headers })
      return expected(
        status === 409 && body?.error?.code === "idempotency.conflict",
        `${status} ${String(body?.error?.code)} came`
      )
    }
  },
  {
    area: "repeats",
    says: "a call can be ended twice",
    check: async (world) => {
      const { id } = await place(world, phones.silent)
      const answers = [
        await world.ask("POST", `/v1/calls/${id}/terminate`),
        await world.ask("POST", `/v1/calls/${id}/terminate`)
      ]
      if (answers.some(({ status }) => status !== 200)) return answers.map(({ status }) => status).join(", then ")
      const { status } = await world.client.calls.waitUntil(id, "ended", { signal: world.signal })
      return expected(status === "canceled", `the call ended ${status}`)
    }
  }
]

const followed: ReadonlyArray<Kept> = [
  {
    area: "events",
    says: "the events of a call begin with ringing, end with its end, and are counted from 1",
    check: async (world) => {
      const call = await ended(world, phones.busy)
      const events = await world.client.calls.events(call.id).toArray({ max: 50 })
      const kinds = events.map(({ kind }) => kind)
      if (kinds[0] !== "call.ringing" || kinds.at(-1) !== "call.busy") return kinds.join(", ")
      return expected(
        events.every(({ sequence }, index) => index === 0 || sequence > (events[index - 1]?.sequence ?? 0)),
        "their sequence does not rise"
      )
    }
  },
  {
    area: "events",
    says: "a live stream opens with the comment `: ready` and closes at the end of the call",
    check: async (world) => {
      const { id } = await place(world, phones.busy)
      const { status, text } = await world.ask("GET", `/v1/calls/${id}/stream`, {
        headers: { accept: "text/event-stream" }
      })
      if (status !== 200) return `${status} came`
      if (!text.startsWith(": ready")) return `it opened with ${JSON.stringify(text.slice(0, 20))}`
      return expected(text.includes("call.busy"), "it did not tell the end")
    }
  },
  {
    area: "events",
    says: "the stream of a call that does not exist is not found",
    check: async ({ ask }) => {
      const { status } = await ask("GET", `/v1/calls/${randomUUID()}/stream`)
      return expected(status === 404, `${status} came`)
    }
  },
  {
    area: "webhooks",
    says: "the secret of a webhook is shown once",
    check: async ({ ask, client }) => {
      const created = await client.webhooks.create({ url: "https://example.com/hooks", events: ["call.*"] })
      const { text } = await ask("GET", `/v1/webhooks/${created.id}`)
      const deleted = await ask("DELETE", `/v1/webhooks/${created.id}`)
      const gone = await ask("GET", `/v1/webhooks/${created.id}`)
      if (text.includes(created.secret)) return "it is shown again"
      return expected(deleted.status === 204 && gone.status === 404, "the webhook cannot be deleted")
    }
  }
]

export const callPromises: ReadonlyArray<Kept> = [...money, ...repeated, ...followed]
