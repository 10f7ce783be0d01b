import { Link } from "@tanstack/react-router"
import { useRead } from "../../api/Hooks.ts"
import type { HoldRecord } from "../../api/Types.ts"
import { Card } from "../../ui/Card.tsx"
import { Loaded, State } from "../../ui/States.tsx"
import { type Column, Table, wholeCell } from "../../ui/Table.tsx"
import { Money, Time } from "../../ui/Values.tsx"

const columns: ReadonlyArray<Column<HoldRecord>> = [
  { title: "Since", cell: ({ placed_at }) => <Time at={placed_at} /> },
  {
    title: "For the call",
    cell: ({ call_id }) => (
      <Link to="/calls/$id" params={{ id: call_id }} className={wholeCell}>
        …{call_id.slice(-8)}
      </Link>
    )
  },
  { title: "Set aside", cell: ({ amount_minor }) => <Money minor={amount_minor} />, end: true }
]

/** The money that is set aside for calls under way. */
export const Holds = ({ currency }: { currency: string | undefined }) => {
  const read = useRead<ReadonlyArray<HoldRecord>>("/v1/wallet/holds", { query: { limit: 20 }, every_ms: 3_000 })
  return (
    <Card title="Set aside now" note={currency && `in ${currency}`} bare>
      <Loaded read={read} what="What is set aside">
        {(holds) =>
          holds.length === 0 ? (
            <State icon="coin" title="Nothing is set aside.">
              <p>Each call sets its next minute aside before it starts.</p>
            </State>
          ) : (
            <Table label="Money set aside" columns={columns} rows={holds} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Card>
  )
}
