// `trunkline keys` and `doctor`.
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { ApiKeyRequest } from "../client/Client.ts"
import { CommandFailure, failureOf } from "./CommandFailure.ts"
import { confirm, consent, isGiven } from "./Confirm.ts"
import { asMember, type Context, withKey } from "./Handler.ts"
import { byShortId, money, shortId, table } from "./Output.ts"

const day = (instant: string): string => instant.slice(0, 10)

const createKey = Command.make(
  "create",
  {
    label: Argument.String("label").pipe(Argument.withDescription("A name for people")),
    scopes: Flag.String("scopes").pipe(
      Flag.withDescription("What the key may do, with commas: calls.read,calls.write")
    ),
    mode: Flag.Literals("mode", ["live", "test"]).pipe(
      Flag.withDescription("A live key spends money; default: test"),
      Flag.optional
    ),
    live: Flag.Boolean("live").pipe(
      Flag.withDescription("As --mode live, without a question"),
      Flag.withDefault(false)
    ),
    yes: consent.yes,
    expires: Flag.String("expires").pipe(
      Flag.withDescription("When it expires, RFC 3339; default: in a year"),
      Flag.optional
    )
  },
  ({ expires, label, live, mode, scopes, yes }) =>
    asMember(async (context) => {
      const { client, out } = context
      const env = Option.getOrElse(mode, () => (live ? "live" : "test"))
      if (live && env === "test")
        throw new CommandFailure({ exit: "usage", message: "Give one of --live and --mode test." })
      if (env === "live")
        await confirm(context, `Make ${label} a live key, which can spend money?`, isGiven({ live, yes }), "add --live")
      const request: ApiKeyRequest = {
        label,
        env,
        scopes: scopes.split(",").map((scope) => scope.trim()),
        ...(Option.isSome(expires) && { expires_at: expires.value })
      }
      const made = await client.keys.create(request)
      out.line(out.json ? JSON.stringify(made) : made.key)
      out.note(
        `✓ Key ${label} (${shortId(made.id)}, ${made.env}, until ${day(made.expires_at)}) was printed to stdout, this once`
      )
    })
).pipe(Command.withDescription("Make a test key, or with --live a live one, and print it once"))

const revokeKey = Command.make(
  "revoke",
  { id: Argument.String("id").pipe(Argument.withDescription("The id of the key, or its last eight digits")) },
  ({ id }) =>
    asMember(async ({ client, out }) => {
      const key = byShortId(await client.keys.list({ limit: 200 }).toArray({ max: 200 }), id)
      if (key === undefined)
        throw new CommandFailure({
          exit: "refused",
          message: `No key, or more than one, ends with ${id}.`,
          help: "trunkline keys"
        })
      const revoked = await client.keys.revoke(key.id)
      out.line(out.json ? JSON.stringify(revoked) : `✓ Key ${revoked.label} (${shortId(revoked.id)}) is revoked`)
    })
).pipe(Command.withDescription("Revoke a key"))

export const keys = Command.make("keys", {}, () =>
  asMember(async ({ client, out }) => {
    const all = await client.keys.list({ limit: 200 }).toArray({ max: 1_000 })
    if (out.json) return all.forEach((key) => out.line(JSON.stringify(key)))
    const rows = all.map(({ env, expires_at, id, label, revoked, scopes }) => [
      shortId(id),
      label,
      env,
      revoked ? "revoked" : day(expires_at),
      scopes.length > 3 ? `${scopes.length} scopes` : scopes.join(",")
    ])
    for (const line of table([["ID", "LABEL", "MODE", "UNTIL", "SCOPES"], ...rows])) out.line(line)
  })
).pipe(Command.withDescription("List API keys; only members can"), Command.withSubcommands([createKey, revokeKey]))

interface Check {
  readonly part: string
  readonly ok: boolean
  readonly text: string
}

const checkEngine = async ({ baseUrl, signal }: Context): Promise<ReadonlyArray<Check>> => {
  const began = performance.now()
  const response = await fetch(new URL("/readyz", baseUrl), {
    signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)])
  }).catch(() => {
    throw new CommandFailure({
      exit: "unavailable",
      message: `No engine answers at ${baseUrl}.`,
      help: "trunkline start"
    })
  })
  const ms = Math.round(performance.now() - began)
  const skew_s = Date.parse(response.headers.get("date") ?? "") / 1000 - Date.now() / 1000
  return [
    {
      part: "engine",
      ok: response.ok,
      text: response.ok ? `${baseUrl}, ready, ${ms} ms` : `${baseUrl} answers ${response.status}: it is not ready`
    },
    // The header has whole seconds.
    ...(Number.isNaN(skew_s)
      ? []
      : [{ part: "clock", ok: Math.abs(skew_s) < 5, text: `${Math.round(skew_s)} s from ours` }])
  ]
}

/** The command that fills an empty wallet. */
const moneyCommand = { live: "trunkline wallet topup", test: "trunkline wallet credit 500" } as const

const checkKey = async ({ client, source }: Context): Promise<ReadonlyArray<Check>> => {
  try {
    const { env, expires_at, label, scopes, workspace_name } = await client.keys.current()
    const key = {
      part: "key",
      ok: true,
      text: `${label} of ${workspace_name}, ${env}, ${scopes.length} scopes, until ${day(expires_at)}, from ${source}`
    }
    const active = await client.numbers.list({ status: "active" }).toArray({ max: 50 })
    const { available_minor, currency } = await client.wallet.balance()
    return [
      key,
      {
        part: "numbers",
        ok: active.length > 0,
        text:
          active.length > 0
            ? active
                .map(({ number }) => number)
                .slice(0, 3)
                .join(", ")
            : "none is active: trunkline numbers available"
      },
      {
        part: "wallet",
        ok: available_minor > 0,
        text: `${money(currency, available_minor)} available${available_minor > 0 ? "" : `: ${moneyCommand[env]}`}`
      }
    ]
  } catch (error) {
    return [{ part: "key", ok: false, text: `${failureOf(error).message} (from ${source})` }]
  }
}

export const doctor = Command.make("doctor", {}, () =>
  withKey(async (context) => {
    const { out } = context
    const checks = [...(await checkEngine(context)), ...(await checkKey(context))]
    if (out.json) out.line(JSON.stringify(checks))
    else for (const { ok, part, text } of checks) out.line(`${ok ? "✓" : "✗"} ${part.padEnd(8)}  ${text}`)
    return checks.every(({ ok }) => ok)
  })
).pipe(Command.withDescription("Check the engine, the key, the clock, numbers and money; changes nothing"))
