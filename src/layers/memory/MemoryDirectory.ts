// A directory that is given as data: for tests, and for engines that run as a library.
import { Effect, Layer } from "effect"
import { type CallingPolicy, default_policy } from "../../domain/calls/CallingPolicy.ts"
import { Directory, type OwnedNumber, type Rate, type Workspace } from "../../domain/ports/Directory.ts"

/** A policy is the default but for what is given of it. */
export interface WorkspaceData extends Omit<Workspace, "calling_policy"> {
  readonly calling_policy?: Partial<CallingPolicy>
  readonly numbers: ReadonlyArray<OwnedNumber>
}

export interface DirectoryData {
  readonly workspaces: ReadonlyArray<WorkspaceData>
  readonly rates: ReadonlyArray<Rate & { readonly currency: string }>
}

export const layer = ({ rates, workspaces }: DirectoryData): Layer.Layer<Directory> =>
  Layer.sync(Directory, () => {
    const all = workspaces.map((given) => ({ ...given, calling_policy: { ...default_policy, ...given.calling_policy } }))
    const byId = new Map(all.map((workspace) => [workspace.id, workspace]))
    const byPbx = new Map(all.map((workspace) => [workspace.tenant_pbx_id, workspace]))
    const longestFirst = [...rates].sort((a, b) => b.prefix.length - a.prefix.length)
    return Directory.of({
      workspace: (workspace_id) => Effect.succeed(byId.get(workspace_id)),
      workspaceOfPbx: (tenant_pbx_id) => Effect.succeed(byPbx.get(tenant_pbx_id)),
      number: (workspace_id, e164) => Effect.succeed(byId.get(workspace_id)?.numbers.find(({ number }) => number === e164)),
      rate: (currency, _direction, digits) =>
        Effect.succeed(longestFirst.find((rate) => rate.currency === currency && digits.startsWith(rate.prefix)))
    })
  })
