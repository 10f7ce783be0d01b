// A directory that is given as data: for tests, and for engines that run as a library.
import { Effect, Layer } from "effect"
import { Directory, type OwnedNumber, type Rate, type Workspace } from "../../domain/ports/Directory.ts"

export interface DirectoryData {
  readonly workspaces: ReadonlyArray<Workspace & { readonly numbers: ReadonlyArray<OwnedNumber> }>
  readonly rates: ReadonlyArray<Rate & { readonly currency: string }>
}

export const layer = ({ rates, workspaces }: DirectoryData): Layer.Layer<Directory> =>
  Layer.succeed(Directory)({
    workspace: (workspace_id) => Effect.sync(() => workspaces.find(({ id }) => id === workspace_id)),
    workspaceOfPbx: (tenant_pbx_id) => Effect.sync(() => workspaces.find((workspace) => workspace.tenant_pbx_id === tenant_pbx_id)),
    number: (workspace_id, e164) =>
      Effect.sync(() => workspaces.find(({ id }) => id === workspace_id)?.numbers.find(({ number }) => number === e164)),
    rate: (currency, _direction, digits) =>
      Effect.sync(() =>
        rates
          .filter((rate) => rate.currency === currency && digits.startsWith(rate.prefix))
          .sort((a, b) => b.prefix.length - a.prefix.length)[0]
      )
  })
