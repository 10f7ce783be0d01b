// `trunkline admin`: workspaces, their gateways and their money.
import { Argument, Command, Flag } from "effect/cli"
import { Option } from "effect"
import { createHash } from "node:crypto"
import type { PolicyCeilings, Trunkline, Workspace } from "../client/Client.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { confirm } from "./Confirm.ts"
import { asOperator } from "./Handler.ts"
import { byShortId, minorOf, money, shortId, table } from "./Output.ts"

/** How many workspaces are searched for a name or the end of an id. */
const searched = 2_000

/** The workspace with this id, id ending or name. Throws CommandFailure if there is none, or more than one. */
export const workspaceOf = async (client: Trunkline, text: string): Promise<Workspace> => {
  const all = await client.adminWorkspaces.list({ limit: 200 }).toArray({ max: searched })
  const named = all.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  const found = byShortId(all, text) ?? (named.length === 1 ? named[0] : undefined)
  if (found !== undefined) return found
  throw new CommandFailure({
    exit: "refused",
    message: `No workspace, or more than one, is called ${text}, or has an id that ends so.`,
    help: "trunkline admin workspaces"
  })
}

const workspaceArgument = Argument.String("workspace").pipe(
  Argument.withDescription("The name of the workspace, its id, or the last eight digits of the id")
)

const yes = Flag.Boolean("yes").pipe(Flag.withDescription("Do not ask"), Flag.withDefault(false))

const suspend = Command.make(
  "suspend",
  {
    workspace: workspaceArgument,
    reason: Flag.String("reason").pipe(Flag.withDescription("The reason, which the workspace can read")),
    yes
  },
  ({ reason, workspace, yes }) =>
    asOperator(async (context) => {
      const { client, out } = context
      const { id, name } = await workspaceOf(client, workspace)
      await confirm(context, `Refuse every change and every new call in ${name} (${shortId(id)})?`, yes)
      const suspended = await client.adminWorkspaces.suspend(id, { reason })
      out.line(out.json ? JSON.stringify(suspended) : `✓ ${name} (${shortId(id)}) is suspended`)
    })
).pipe(Command.withDescription("Refuse every change and every new call in a workspace"))

const reinstate = Command.make("reinstate", { workspace: workspaceArgument }, ({ workspace }) =>
  asOperator(async ({ client, out }) => {
    const { id, name } = await workspaceOf(client, workspace)
    const reinstated = await client.adminWorkspaces.reinstate(id)
    out.line(out.json ? JSON.stringify(reinstated) : `✓ ${name} (${shortId(id)}) is ${reinstated.status} again`)
  })
).pipe(Command.withDescription("End a suspension"))

const most = <const Name extends string>(name: Name, what: string) =>
  Flag.Int(name).pipe(Flag.withDescription(`The most ${what} that its admins may allow`), Flag.optional)

const amountFlag = Flag.String("daily-spend").pipe(
  Flag.withDescription("The most that its admins may set as daily spend, in whole units: 500 or 500.50"),
  Flag.optional
)

/** Every ceiling lifted. The compiler names one that the contract adds. */
const lifted = {
  daily_spend_limit_minor: null,
  max_concurrent_calls: null,
  calls_per_second: null,
  max_calls_per_destination_per_hour: null,
  max_calls_to_new_country: null,
  max_calls_per_hour_on_first_day: null,
  max_concurrent_high_risk_calls: null
} satisfies Record<keyof PolicyCeilings, null>

const ceilingRows = (ceilings: PolicyCeilings, currency: string | null) => {
  const { daily_spend_limit_minor: spend = null, ...counts } = ceilings
  const shownSpend = spend === null ? "-" : currency === null ? `${spend}` : money(currency, spend)
  return [
    ["daily_spend_limit_minor", shownSpend],
    ...Object.entries(counts).map(([member, most]) => [member, most === null ? "-" : `${most}`])
  ]
}

const ceilings = Command.make(
  "ceilings",
  {
    workspace: workspaceArgument,
    dailySpend: amountFlag,
    concurrentCalls: most("concurrent-calls", "concurrent calls"),
    callsPerSecond: most("calls-per-second", "calls per second"),
    highRiskCalls: most("high-risk-calls", "concurrent high-risk and premium calls"),
    lift: Flag.Boolean("lift").pipe(Flag.withDescription("Lift all ceilings first"), Flag.withDefault(false))
  },
  ({ callsPerSecond, concurrentCalls, dailySpend, highRiskCalls, lift, workspace }) =>
    asOperator(async ({ client, out }) => {
      const { currency, id } = await workspaceOf(client, workspace)
      const change = {
        ...(lift && lifted),
        ...(Option.isSome(dailySpend) && { daily_spend_limit_minor: minorOf(dailySpend.value) }),
        ...(Option.isSome(concurrentCalls) && { max_concurrent_calls: concurrentCalls.value }),
        ...(Option.isSome(callsPerSecond) && { calls_per_second: callsPerSecond.value }),
        ...(Option.isSome(highRiskCalls) && { max_concurrent_high_risk_calls: highRiskCalls.value })
      }
      const now =
        Object.keys(change).length === 0
          ? await client.adminWorkspaces.ceilings(id)
          : await client.adminWorkspaces.changeCeilings(id, change)
      if (out.json) return out.line(JSON.stringify(now))
      for (const line of table([["LIMIT", "AT MOST"], ...ceilingRows(now, currency)], [1])) out.line(line)
    })
).pipe(Command.withDescription("Show or change how far the admins of a workspace may raise its limits"))

export const workspaces = Command.make(
  "workspaces",
  { limit: Flag.Int("limit").pipe(Flag.withDescription("How many, newest first"), Flag.withDefault(50)) },
  ({ limit }) =>
    asOperator(async ({ client, out }) => {
      const all = await client.adminWorkspaces.list({ limit: Math.min(limit, 200) }).toArray({ max: limit })
      if (out.json) return all.forEach((workspace) => out.line(JSON.stringify(workspace)))
      const rows = all.map(({ created_at, currency, id, name, number_mode, status }) => [
        shortId(id),
        name,
        status,
        currency ?? "-",
        number_mode,
        created_at.slice(0, 10)
      ])
      for (const line of table([["ID", "NAME", "STATUS", "MONEY", "NUMBERS", "SINCE"], ...rows])) out.line(line)
    })
).pipe(Command.withDescription("List workspaces"), Command.withSubcommands([suspend, reinstate, ceilings]))

const assign = Command.make(
  "assign",
  {
    gateway: Argument.String("gateway").pipe(Argument.withDescription("The name with which the gateway connects")),
    workspace: Flag.String("workspace").pipe(
      Flag.withDescription("The workspace: its name, its id, or the last eight digits of the id")
    )
  },
  ({ gateway, workspace }) =>
    asOperator(async ({ client, out }) => {
      const { id, name } = await workspaceOf(client, workspace)
      const assigned = await client.adminGateways.assign(id, { gateway_id: gateway })
      out.line(out.json ? JSON.stringify(assigned) : `✓ Calls of ${name} (${shortId(id)}) go through ${gateway}`)
    })
).pipe(Command.withDescription("Let a gateway carry the calls of a workspace"))

export const gateways = Command.make("gateways", {}, () =>
  asOperator(async ({ client, out }) => {
    const all = await client.adminGateways.list().toArray({ max: 1_000 })
    if (out.json) return all.forEach((gateway) => out.line(JSON.stringify(gateway)))
    const rows = all.map(({ connections, gateway_id, since, state, workspaces }) => [
      gateway_id,
      state,
      since?.slice(0, 16).replace("T", " ") ?? "-",
      `${workspaces}`,
      `${connections}`
    ])
    for (const line of table([["GATEWAY", "STATE", "SINCE (UTC)", "WORKSPACES", "CONNECTIONS"], ...rows], [3, 4]))
      out.line(line)
    return all.every(({ state, workspaces }) => state === "connected" || workspaces === 0)
  })
).pipe(Command.withDescription("List PBX gateways"), Command.withSubcommands([assign]))

/** Keys are ASCII of at most 255 characters; references are not. */
const creditKey = (workspace_id: string, reference: string): string =>
  `credit ${createHash("sha256").update(`${workspace_id} ${reference}`).digest("hex")}`

export const credit = Command.make(
  "credit",
  {
    workspace: workspaceArgument,
    sum: Argument.String("amount").pipe(Argument.withDescription("In whole units of its currency: 500 or 500.50")),
    kind: Flag.Literals("kind", ["manual_credit", "refund", "fee_waiver"]).pipe(
      Flag.withDefault("manual_credit" as const)
    ),
    note: Flag.String("note").pipe(Flag.withDescription("The reason; the workspace reads it on its statement")),
    reference: Flag.String("reference").pipe(
      Flag.withDescription("The ticket, invoice or payment that it is for; within a day it is credited once")
    ),
    yes
  },
  ({ kind, note, reference, sum, workspace, yes }) =>
    asOperator(async (context) => {
      const { client, out } = context
      const amount_minor = minorOf(sum)
      const { currency, id, name } = await workspaceOf(client, workspace)
      if (currency === null)
        throw new CommandFailure({ exit: "refused", message: `${name} has not chosen a currency yet.` })
      await confirm(context, `Give ${name} (${shortId(id)}) ${money(currency, amount_minor)}?`, yes)
      const entry = await client.adminWallets.adjust(
        id,
        { kind, amount_minor, currency, note, reference },
        { idempotencyKey: creditKey(id, reference) }
      )
      out.line(
        out.json
          ? JSON.stringify(entry)
          : `✓ ${money(currency, amount_minor)} for ${name}, which has ${money(currency, entry.balance_after_minor)}`
      )
    })
).pipe(Command.withDescription("Put money into the wallet of a workspace"))

const release = Command.make(
  "release",
  {
    receipt: Argument.String("receipt").pipe(Argument.withDescription("The receipt of the payment")),
    workspace: Flag.String("workspace").pipe(Flag.withDescription("The workspace that is credited")),
    yes
  },
  ({ receipt, workspace, yes }) =>
    asOperator(async (context) => {
      const { client, out } = context
      const { id, name } = await workspaceOf(client, workspace)
      await confirm(context, `Credit payment ${receipt} to ${name} (${shortId(id)})?`, yes)
      const topUp = await client.adminWallets.release(receipt, { workspace_id: id })
      out.line(
        out.json ? JSON.stringify(topUp) : `✓ ${money(topUp.currency, topUp.amount_minor)} of ${receipt} for ${name}`
      )
    })
).pipe(Command.withDescription("Credit a payment in suspense to a workspace"))

export const payIns = Command.make("payins", {}, () =>
  asOperator(async ({ client, out }) => {
    const all = await client.adminWallets.payIns({ limit: 200 }).toArray({ max: 1_000 })
    if (out.json) return all.forEach((payment) => out.line(JSON.stringify(payment)))
    if (all.length === 0) return out.line("✓ No payment waits for its workspace")
    const rows = all.map(({ account_ref, amount_minor, currency, id, paid_at }) => [
      id,
      paid_at.slice(0, 16).replace("T", " "),
      money(currency, amount_minor),
      account_ref ?? "-"
    ])
    for (const line of table([["RECEIPT", "PAID (UTC)", "AMOUNT", "REFERENCE GIVEN"], ...rows], [2])) out.line(line)
  })
).pipe(Command.withDescription("List payments whose workspace is not known"), Command.withSubcommands([release]))

export const topUpLimits = Command.make("topup-limits", {}, () =>
  asOperator(async ({ client, out }) => {
    const { limits } = await client.adminWallets.listLimits()
    if (out.json) return limits.forEach((limit) => out.line(JSON.stringify(limit)))
    const rows = limits.map(({ currency, maximum_minor, minimum_minor }) => [
      currency,
      money(currency, minimum_minor),
      money(currency, maximum_minor)
    ])
    for (const line of table([["MONEY", "LEAST", "MOST"], ...rows], [1, 2])) out.line(line)
  })
).pipe(Command.withDescription("List the least and the most of a top-up"))
