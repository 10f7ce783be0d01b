import { useRead } from "../../api/Hooks.ts"
import type { Gateway } from "../../api/Types.ts"
import { Card } from "../../ui/Card.tsx"
import { countText } from "../../ui/Format.ts"
import { Loaded, State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Values.tsx"

const columns: ReadonlyArray<Column<Gateway>> = [
  { title: "State", cell: ({ state }) => <Status of={state} /> },
  { title: "Gateway", cell: ({ gateway_id }) => <b className="mono">{gateway_id}</b> },
  {
    title: "Since",
    cell: ({ since }) => since !== null && <Time at={since} format="both" />,
    spare: true
  },
  {
    title: "Connected so often",
    cell: ({ connections }) => countText(connections),
    end: true,
    spare: true
  },
  { title: "Workspaces", cell: ({ workspaces }) => countText(workspaces), end: true }
]

/** The PBX gateways, and whether they are connected. */
export const Gateways = () => {
  const read = useRead<ReadonlyArray<Gateway>>("/v1/admin/gateways", { every_ms: 3_000 })
  return (
    <Card title="Gateways" note={read.data?.length} bare>
      <Loaded read={read} what="The gateways">
        {(all) =>
          all.length === 0 ? (
            <State icon="server" title="No gateway is known yet." />
          ) : (
            <Table label="Gateways" columns={columns} rows={all} keyOf={({ gateway_id }) => gateway_id} />
          )
        }
      </Loaded>
    </Card>
  )
}
