// `trunkline admin`: what an operator of the platform does. Without a subcommand it says what is still missing.
import { Command } from "effect/cli"
import type { Trunkline } from "../client/Client.ts"
import { adminCallerIds } from "./AdminCallerIds.ts"
import { prices, providers, rates, series } from "./AdminNumbers.ts"
import { credit, gateways, payIns, topUpLimits, workspaces } from "./AdminWorkspaces.ts"
import { asOperator } from "./Handler.ts"

/** How many of each are counted at most. */
const counted = 1_000

interface Finding {
  readonly part: string
  readonly ok: boolean
  readonly text: string
  /** The command that helps. */
  readonly next?: string
}

const many = (count: number, one: string): string =>
  `${count < counted ? count : `at least ${counted}`} ${one}${count === 1 ? "" : "s"}`

const withoutRates = (currency: string): Finding => ({
  part: "rates",
  ok: false,
  text: `no rates in ${currency}: its workspaces can call nobody`,
  next: `trunkline admin rates import rates-${currency.toLowerCase()}.csv --dry-run`
})

/** What is there, and what workspaces still lack. */
const findings = async (client: Trunkline): Promise<ReadonlyArray<Finding>> => {
  const [all, allSeries, allGateways, payments] = await Promise.all([
    client.adminWorkspaces.list({ limit: 200 }).toArray({ max: counted }),
    client.adminNumbers.listSeries({ limit: 200 }).toArray({ max: counted }),
    client.adminGateways.list().toArray({ max: counted }),
    client.adminWallets.payIns({ limit: 200 }).toArray({ max: counted })
  ])
  const currencies = [...new Set(all.flatMap(({ currency }) => currency ?? []))].sort()
  const rateFindings = await Promise.all(
    currencies.map(async (currency): Promise<Finding> => {
      const found = await client.adminRates
        .list({ currency, direction: "outbound", limit: 200 })
        .toArray({ max: counted })
      return found.length > 0
        ? { part: "rates", ok: true, text: `${many(found.length, "rate")} in ${currency}` }
        : withoutRates(currency)
    })
  )
  const open = allSeries.filter(({ status }) => status === "active")
  const unpriced = currencies.filter(
    (currency) => open.length > 0 && !open.some(({ prices }) => prices.some((price) => price.currency === currency))
  )
  const silent = allGateways.filter(({ state, workspaces }) => state !== "connected" && workspaces > 0)
  return [
    { part: "workspaces", ok: true, text: many(all.length, "workspace") },
    {
      part: "series",
      ok: open.length > 0,
      text: open.length > 0 ? `${open.length} active series of numbers` : "no active series: nobody can claim a number",
      ...(open.length === 0 && { next: "POST /v1/admin/number-series (docs/numbers.md)" })
    },
    ...unpriced.map((currency) => ({
      part: "prices",
      ok: false,
      text: `no number has a price in ${currency}`,
      next: "POST /v1/admin/prices (docs/numbers.md)"
    })),
    ...rateFindings,
    ...silent.map(({ gateway_id, state, workspaces }) => ({
      part: "gateways",
      ok: false,
      text: `gateway ${gateway_id} is ${state.replaceAll("_", " ")}; ${many(workspaces, "workspace")} cannot call`,
      next: "trunkline admin gateways"
    })),
    ...(silent.length > 0 ? [] : [{ part: "gateways", ok: true, text: many(allGateways.length, "gateway") }]),
    ...(payments.length === 0
      ? []
      : [
          {
            part: "payins",
            ok: false,
            text: `${many(payments.length, "payment")} without a known workspace`,
            next: "trunkline admin payins"
          }
        ])
  ]
}

export const admin = Command.make("admin", {}, () =>
  asOperator(async ({ client, out }) => {
    const found = await findings(client)
    if (out.json) out.line(JSON.stringify(found))
    else for (const { ok, text } of found) out.line(`${ok ? "✓" : "✗"} ${text}`)
    const next = found.find(({ next }) => next !== undefined)?.next
    if (next !== undefined) out.note(`Next: ${next}`)
    return found.every(({ ok }) => ok)
  })
).pipe(
  Command.withDescription("What an operator of the platform still has to set up"),
  Command.withSubcommands([
    workspaces,
    adminCallerIds,
    rates,
    prices,
    series,
    providers,
    gateways,
    credit,
    payIns,
    topUpLimits
  ])
)
