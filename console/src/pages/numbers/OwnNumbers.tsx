import { Link } from "@tanstack/react-router"
import { usePages } from "../../api/Hooks.ts"
import type { NumberRecord } from "../../api/Types.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { PagedTable, rowsOf } from "../../ui/PagedTable.tsx"
import { State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { type Column, wholeCell } from "../../ui/Table.tsx"
import { Money, Phone, Tag, Time } from "../../ui/Values.tsx"
import { routeText } from "./RouteText.ts"

const columns: ReadonlyArray<Column<NumberRecord>> = [
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    title: "Number",
    cell: ({ id, label, number, source }) => (
      <span className="row">
        <Link to="/numbers/$id" params={{ id }} className={wholeCell}>
          <Phone number={number} />
        </Link>
        {label !== null && <span className="dim">{label}</span>}
        {source === "byo" && <Tag title="It comes over your SIP trunk.">yours</Tag>}
      </span>
    )
  },
  {
    title: "When it is called",
    cell: ({ routing }) => <span className="dim">{routeText(routing)}</span>,
    spare: true
  },
  {
    title: "A month",
    cell: ({ currency, monthly_price_minor }) =>
      monthly_price_minor === null ? "" : <Money minor={monthly_price_minor} currency={currency} />,
    end: true,
    spare: true
  },
  {
    title: "Renews",
    cell: ({ renews_at }) => renews_at !== null && <Time at={renews_at} format="date" />,
    end: true,
    spare: true
  }
]

export const OwnNumbers = () => {
  const read = usePages<NumberRecord>("/v1/numbers", { query: { limit: 50 } })
  return (
    <Card title="Your numbers" note={rowsOf(read)?.length} bare>
      <PagedTable
        read={read}
        what="Your numbers"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <State icon="numbers" title="This workspace has no number yet.">
            <p>Claim one to place calls from it and to be called on it.</p>
            <ButtonLink kind="main" to="/numbers" search={{ tab: "available" }}>
              See what is available
            </ButtonLink>
          </State>
        }
      />
    </Card>
  )
}
