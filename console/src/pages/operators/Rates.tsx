import { useState } from "react"
import { usePages } from "../../api/Hooks.ts"
import type { Rate } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { wordsOf } from "../../ui/Format.ts"
import { PagedTable } from "../../ui/PagedTable.tsx"
import { State } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { TextFilter } from "../../ui/TextFilter.tsx"
import { Money, Tag, Time } from "../../ui/Values.tsx"
import { ImportRates } from "./ImportRates.tsx"

const columns: ReadonlyArray<Column<Rate>> = [
  { title: "Prefix", cell: ({ prefix }) => <b className="mono">{prefix}</b> },
  {
    title: "What",
    cell: ({ class: risk, description }) => (
      <span className="row">
        {description}
        {risk !== "normal" && <Tag>{wordsOf(risk)}</Tag>}
      </span>
    )
  },
  {
    title: "Direction",
    cell: ({ direction }) => <span className="dim">{direction}</span>,
    spare: true
  },
  {
    title: "From",
    cell: ({ effective_from }) => <Time at={effective_from} format="date" />,
    spare: true
  },
  {
    title: "A minute",
    cell: ({ currency, per_min_minor }) => <Money minor={per_min_minor} currency={currency} />,
    end: true
  }
]

/** The rates of the platform. */
export const Rates = () => {
  const [prefix, setPrefix] = useState("")
  const [importing, setImporting] = useState(false)
  const read = usePages<Rate>("/v1/admin/rates", { query: { prefix, limit: 100 } })
  return (
    <Card
      title="Rates"
      bare
      acts={
        <div className="row wrap">
          <TextFilter
            label="Prefix"
            placeholder="254"
            value={prefix}
            onChange={(text) => setPrefix(text.replaceAll(/\D/g, ""))}
          />
          <Button icon="download" onClick={() => setImporting(true)}>
            Import a sheet
          </Button>
        </div>
      }
    >
      <PagedTable
        read={read}
        what="The rates"
        columns={columns}
        keyOf={({ id }) => id}
        empty={<State icon="coin" title={prefix === "" ? "There is no rate yet." : "No rate has this prefix."} />}
      />
      {importing && <ImportRates onClose={() => setImporting(false)} />}
    </Card>
  )
}
