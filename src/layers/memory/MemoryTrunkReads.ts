// Trunks and the workspaces of gateways over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import { type GatewayId, toGatewayId, toNumberId, toWorkspaceId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { GatewayTenants } from "../../domain/ports/pbx/GatewayTenants.ts"
import { TrunkReads } from "../../domain/ports/pbx/TrunkReads.ts"
import { Trunks } from "../../domain/ports/pbx/Trunks.ts"
import { trunkState } from "../../domain/trunks/Trunk.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import { isHeld, storedNumbers } from "./MemoryNumberReads.ts"
import { rowsOf } from "./MemoryRows.ts"

const tenants = (journal: MemoryJournal): Layer.Layer<GatewayTenants> => {
  const gatewayOf = (columns: Readonly<Record<string, unknown>>): GatewayId =>
    toGatewayId(String(columns["gateway_id"]))
  const carried = (gateway_id: GatewayId): number =>
    rowsOf(journal, "Workspace").filter(
      ({ columns }) => gatewayOf(columns) === gateway_id && columns["status"] !== "closed"
    ).length
  return Layer.succeed(GatewayTenants)({
    carried: (gateway_id) => Effect.sync(() => carried(gateway_id)),
    all: Effect.sync(() => {
      const assigned = rowsOf(journal, "Workspace").map(({ columns }) => gatewayOf(columns))
      const connected = rowsOf(journal, "Gateway").map(({ actor_id }) => toGatewayId(actor_id))
      return [...new Set([...assigned, ...connected])]
        .sort()
        .map((gateway_id) => ({ gateway_id, workspaces: carried(gateway_id) }))
    }),
    provisioned: (gateway_id) =>
      Effect.sync(() =>
        rowsOf(journal, "Workspace")
          .filter(({ columns }) => gatewayOf(columns) === gateway_id)
          .map(({ actor_id }) => toWorkspaceId(actor_id))
          .filter((id) =>
            ["SipCredentials", "SipTrunk"].some((type) => journal.tables.snapshot(type, id) !== undefined)
          )
      ),
    chatAppNumbers: (gateway_id) =>
      Effect.sync(() =>
        rowsOf(journal, "ChatApp")
          .filter(
            ({ workspace_id }) =>
              workspace_id !== null &&
              journal.tables.snapshot("Workspace", workspace_id)?.columns["gateway_id"] === gateway_id
          )
          .map(({ actor_id }) => toNumberId(actor_id))
      )
  })
}

export const layer = (journal: MemoryJournal): Layer.Layer<TrunkReads | Trunks | GatewayTenants> => {
  const trunkRows = () => rowsOf(journal, "SipTrunk")
  const hasOwnNumber = (workspace_id: WorkspaceId): boolean =>
    storedNumbers(journal).some(
      (number) => number.data.workspace_id === workspace_id && number.data.source === "byo" && isHeld(number)
    )
  const reads = Layer.succeed(TrunkReads)({
    standing: (workspace_id) =>
      Effect.sync(() => ({
        locked: journal.tables.snapshot("Workspace", workspace_id)?.columns["number_mode"] === "platform",
        in_use: hasOwnNumber(workspace_id)
      })),
    servingPlaces: Effect.sync(() =>
      trunkRows().flatMap(({ state, workspace_id }) => {
        const serving = trunkState.view(state).trunk?.serving ?? null
        if (serving === null || workspace_id === null || isSandbox(workspace_id)) return []
        const { allowed_ips, auth_mode, host } = serving.definition
        return [{ workspace_id, auth_mode, host, addresses: serving.addresses ?? [], allowed_ips }]
      })
    ),
    providerHosts: Effect.succeed([]),
    workspaceOf: (trunk_id) =>
      Effect.sync(() => trunkRows().find(({ columns }) => columns["trunk_id"] === trunk_id)?.workspace_id ?? undefined)
  })
  const trunks = Layer.succeed(Trunks)({
    active: (workspace_id) =>
      Effect.sync(() => journal.tables.snapshot("SipTrunk", workspace_id)?.columns["serving"] === true)
  })
  return Layer.mergeAll(reads, trunks, tenants(journal))
}
