// `trunkline caller-ids`: numbers that are not on the platform, which calls may show once they are proved.
import { Argument, Command } from "effect/cli"
import type { CallerId } from "../client/Client.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { type Context, withKey } from "./Handler.ts"
import { byShortId, shortId, table } from "./Output.ts"

/** How many are listed at most. A workspace has 100, and those that operators forbid. */
export const mostCallerIds = 1_000

const day = (instant: string | null): string => instant?.slice(0, 10) ?? "-"

/** The caller id with this number, id or id ending. Throws CommandFailure if there is none. */
const own = async ({ client }: Context, text: string): Promise<CallerId> => {
  const all = await client.callerIds.list().toArray({ max: mostCallerIds })
  const found = all.find(({ number }) => number === text) ?? byShortId(all, text)
  if (found !== undefined) return found
  throw new CommandFailure({ exit: "refused", message: `You have no caller id ${text}.`, help: "trunkline caller-ids" })
}

export const callerIdRows = (all: ReadonlyArray<CallerId>): ReadonlyArray<string> =>
  table([
    ["NUMBER", "ID", "STATUS", "PROVED BY", "UNTIL"],
    ...all.map(({ expires_at, id, number, status, verified_by }) => [
      number,
      shortId(id),
      status,
      verified_by ?? "-",
      day(expires_at)
    ])
  ])

const ownArgument = Argument.String("number").pipe(Argument.withDescription("The number, or the end of its id"))

const add = Command.make(
  "add",
  { number: Argument.String("number").pipe(Argument.withDescription("A number that you answer, in E.164 form")) },
  ({ number }) =>
    withKey(async ({ client, out }) => {
      const asked = await client.callerIds.request({ number })
      if (out.json) return out.line(JSON.stringify(asked))
      out.line(`✓ ${asked.number} is called now and hears a code of six digits`)
      out.note(`Next: trunkline caller-ids verify ${shortId(asked.id)} CODE`)
    })
).pipe(Command.withDescription("Have a code spoken at a number"))

const verify = Command.make(
  "verify",
  { number: ownArgument, code: Argument.String("code").pipe(Argument.withDescription("The six digits")) },
  ({ code, number }) =>
    withKey(async (context) => {
      const { client, out } = context
      const { id } = await own(context, number)
      const proved = await client.callerIds.verify(id, { code })
      out.line(out.json ? JSON.stringify(proved) : `✓ Calls may show ${proved.number} until ${day(proved.expires_at)}`)
    })
).pipe(Command.withDescription("Enter the code that was heard"))

const shownMembers = ({ code_expires_at, expires_at, failure, guesses_left, verified_at, verified_by }: CallerId) => [
  ...(verified_at === null ? [] : [`proved by ${verified_by} on ${day(verified_at)}, until ${day(expires_at)}`]),
  ...(code_expires_at === null
    ? []
    : [`the code can be entered until ${code_expires_at.slice(0, 19).replace("T", " ")} UTC, ${guesses_left} times`]),
  ...(failure === null ? [] : [`not called: ${failure}`])
]

const show = Command.make("show", { number: ownArgument }, ({ number }) =>
  withKey(async (context) => {
    const { out } = context
    const found = await own(context, number)
    if (out.json) return out.line(JSON.stringify(found))
    out.line(`${found.number}  ${shortId(found.id)}  ${found.status}`)
    for (const line of shownMembers(found)) out.line(`  ${line}`)
  })
).pipe(Command.withDescription("Show one, with what is left of its code"))

const withdraw = Command.make("withdraw", { number: ownArgument }, ({ number }) =>
  withKey(async (context) => {
    const { client, out } = context
    const found = await own(context, number)
    await client.callerIds.withdraw(found.id)
    out.line(out.json ? JSON.stringify(found) : `✓ The next call cannot show ${found.number}`)
  })
).pipe(Command.withDescription("Give up a caller id"))

export const callerIds = Command.make("caller-ids", {}, () =>
  withKey(async ({ client, out }) => {
    const all = await client.callerIds.list().toArray({ max: mostCallerIds })
    if (out.json) return all.forEach((each) => out.line(JSON.stringify(each)))
    if (all.length === 0) return out.line("No number was proved yet. Next: trunkline caller-ids add NUMBER")
    for (const line of callerIdRows(all)) out.line(line)
  })
).pipe(
  Command.withDescription("List numbers that are not on the platform, and that calls may show once proved"),
  Command.withSubcommands([add, verify, show, withdraw])
)
