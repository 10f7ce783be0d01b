// A Directory from fixed data, for tests and for engines used as a library.
import { Effect, Layer } from "effect"
import { type CallingPolicy, default_policy } from "../../domain/calls/policy/CallingPolicy.ts"
import { type Extension, extensionsBy, noExtensions } from "../../domain/credentials/Extension.ts"
import { type Routing, routingOf } from "../../domain/numbers/Routing.ts"
import { defaultRetention_days, type Workspace } from "../../domain/workspace/Workspace.ts"
import type { ServingTrunk } from "../../domain/trunks/TrunkCapacity.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import type { OwnedNumber } from "../../domain/numbers/OwnedNumber.ts"
import type { Rate } from "../../domain/numbers/Rate.ts"

/** `routing` overrides the defaults of a number. */
export interface NumberData extends Omit<OwnedNumber, "routing" | "inbound_per_min_minor" | "source"> {
  readonly inbound_per_min_minor?: number | null
  readonly routing?: Partial<Routing>
  readonly source?: OwnedNumber["source"]
}

/** Absent members get their defaults: calling policy, retention and number mode. */
export interface WorkspaceData extends Omit<Workspace, "calling_policy" | "retention_days" | "number_mode"> {
  readonly retention_days?: number
  readonly number_mode?: Workspace["number_mode"]
  readonly calling_policy?: Partial<CallingPolicy>
  readonly numbers: ReadonlyArray<NumberData>
  readonly extensions?: ReadonlyArray<Extension>
  /** The workspace's serving trunk. */
  readonly trunk?: ServingTrunk
}

export interface DirectoryData {
  readonly workspaces: ReadonlyArray<WorkspaceData>
  readonly rates: ReadonlyArray<Rate & { readonly currency: string }>
}

export const layer = ({ rates, workspaces }: DirectoryData): Layer.Layer<Directory> =>
  Layer.sync(Directory, () => {
    const all = workspaces.map((given) => ({
      number_mode: "unset" as const,
      ...given,
      calling_policy: { ...default_policy, ...given.calling_policy },
      retention_days: given.retention_days ?? defaultRetention_days
    }))
    const numbers = all.flatMap(({ id: workspace_id, numbers }) =>
      numbers.map(({ inbound_per_min_minor = null, routing = {}, source = "platform", ...number }) => ({
        ...number,
        source,
        workspace_id,
        inbound_per_min_minor,
        routing: routingOf(routing)
      }))
    )
    const extensions = new Map(all.map((workspace) => [workspace.id, extensionsBy(workspace.extensions ?? [])]))
    const byId = new Map(all.map((workspace) => [workspace.id, workspace]))
    const byPbx = new Map(all.map((workspace) => [workspace.tenant_pbx_id, workspace]))
    const longestFirst = [...rates].sort((a, b) => b.prefix.length - a.prefix.length)
    return Directory.of({
      caughtUp: () => Effect.void,
      workspace: (workspace_id) => Effect.succeed(byId.get(workspace_id)),
      workspaceOfPbx: (tenant_pbx_id) => Effect.succeed(byPbx.get(tenant_pbx_id)),
      number: (workspace_id, e164) =>
        Effect.succeed(numbers.find((of) => of.workspace_id === workspace_id && of.number === e164)),
      numberOf: (e164) =>
        Effect.succeed(
          numbers.find(({ number, status }) => number === e164 && status !== "released" && status !== "retired")
        ),
      countries: (workspace_id) =>
        Effect.sync(() => {
          const own = numbers.filter(
            ({ status, workspace_id: owner }) => owner === workspace_id && status !== "released" && status !== "retired"
          )
          return [...new Set(own.map(({ country }) => country))].sort()
        }),
      extensions: (workspace_id) => Effect.succeed(extensions.get(workspace_id) ?? noExtensions),
      trunk: (workspace_id) => Effect.succeed(byId.get(workspace_id)?.trunk),
      rate: (currency, _direction, digits, _at, source = "platform") =>
        Effect.succeed(
          longestFirst.find(
            (rate) =>
              rate.currency === currency &&
              digits.startsWith(rate.prefix) &&
              (rate.class === "byo") === (source === "byo")
          )
        )
    })
  })
