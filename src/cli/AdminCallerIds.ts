// `trunkline admin caller-ids`: which numbers of others a workspace may show.
import { Argument, Command, Flag } from "effect/cli"
import { workspaceOf } from "./AdminWorkspaces.ts"
import { callerIdRows, mostCallerIds } from "./CallerIdCommands.ts"
import { confirm } from "./Confirm.ts"
import { asOperator } from "./Handler.ts"
import { shortId } from "./Output.ts"

const workspaceFlag = Flag.String("workspace").pipe(
  Flag.withDescription("The workspace: its name, its id, or the last eight digits of the id")
)

const change = {
  number: Argument.String("number").pipe(Argument.withDescription("The number, in E.164 form")),
  workspace: workspaceFlag,
  yes: Flag.Boolean("yes").pipe(Flag.withDescription("Do not ask"), Flag.withDefault(false))
}

const approve = Command.make("approve", change, ({ number, workspace, yes }) =>
  asOperator(async (context) => {
    const { client, out } = context
    const { id, name } = await workspaceOf(client, workspace)
    await confirm(context, `Let calls of ${name} (${shortId(id)}) show ${number}?`, yes)
    const approved = await client.adminWorkspaces.approveCallerId(id, number)
    const until = approved.expires_at?.slice(0, 10)
    out.line(out.json ? JSON.stringify(approved) : `✓ Calls of ${name} may show ${approved.number} until ${until}`)
  })
).pipe(Command.withDescription("Prove a number for a workspace, without a call"))

const revoke = Command.make("revoke", change, ({ number, workspace, yes }) =>
  asOperator(async (context) => {
    const { client, out } = context
    const { id, name } = await workspaceOf(client, workspace)
    await confirm(context, `Forbid ${name} (${shortId(id)}) to show ${number}?`, yes)
    const revoked = await client.adminWorkspaces.revokeCallerId(id, number)
    out.line(out.json ? JSON.stringify(revoked) : `✓ ${name} may not show ${revoked.number} until it is approved`)
  })
).pipe(Command.withDescription("Forbid a workspace to show a number or to prove it again"))

export const adminCallerIds = Command.make("caller-ids", { workspace: workspaceFlag }, ({ workspace }) =>
  asOperator(async ({ client, out }) => {
    const { id, name } = await workspaceOf(client, workspace)
    const all = await client.adminWorkspaces.callerIds(id).toArray({ max: mostCallerIds })
    if (out.json) return all.forEach((each) => out.line(JSON.stringify(each)))
    if (all.length === 0) return out.line(`${name} has no caller ids`)
    for (const line of callerIdRows(all)) out.line(line)
  })
).pipe(Command.withDescription("List the caller ids of a workspace"), Command.withSubcommands([approve, revoke]))
