// Providers of numbers and their series.
import { usePages, useRead } from "../../api/Hooks.ts"
import type { Provider, Series } from "../../api/Types.ts"
import { Card } from "../../ui/Card.tsx"
import { countText, wordsOf } from "../../ui/Format.ts"
import { PagedTable } from "../../ui/PagedTable.tsx"
import { Loaded, State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Money } from "../../ui/Values.tsx"

const providerColumns: ReadonlyArray<Column<Provider>> = [
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  { title: "Name", cell: ({ name }) => <b>{name}</b> },
  {
    title: "Reached at",
    cell: ({ sip }) => <span className="dim">{`${sip.host}:${sip.port}, ${sip.transport.toUpperCase()}`}</span>,
    spare: true
  },
  {
    title: "Calls at once",
    cell: ({ max_channels }) => countText(max_channels),
    end: true,
    spare: true
  },
  {
    title: "New calls a second",
    cell: ({ max_cps }) => countText(max_cps),
    end: true,
    spare: true
  }
]

const pad = (suffix: number, length: number): string => String(suffix).padStart(length, "0")

const seriesColumns: ReadonlyArray<Column<Series>> = [
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    title: "Numbers",
    cell: ({ end_suffix, prefix, start_suffix, suffix_length }) => (
      <b className="num">
        {prefix} {pad(start_suffix, suffix_length)}–{pad(end_suffix, suffix_length)}
      </b>
    )
  },
  {
    title: "Kind",
    cell: ({ country, locality, type }) => (
      <span className="dim">
        {wordsOf(type)}, {locality ?? country}
      </span>
    ),
    spare: true
  },
  {
    title: "Can",
    cell: ({ capabilities }) => <span className="dim">{capabilities.join(", ")}</span>,
    spare: true
  },
  {
    title: "A month",
    cell: ({ prices: [price] }) =>
      price === undefined ? (
        <span className="faint">no price</span>
      ) : (
        <Money minor={price.monthly_price_minor} currency={price.currency} />
      ),
    end: true,
    spare: true
  }
]

export const Inventory = () => {
  const providers = useRead<ReadonlyArray<Provider>>("/v1/admin/providers")
  const series = usePages<Series>("/v1/admin/number-series", { query: { limit: 50 } })
  return (
    <>
      <Card title="Providers" note={providers.data?.length} bare>
        <Loaded read={providers} what="The providers">
          {(all) =>
            all.length === 0 ? (
              <State icon="server" title="There is no provider: calls go over the platform's default." />
            ) : (
              <Table label="Providers" columns={providerColumns} rows={all} keyOf={({ id }) => id} />
            )
          }
        </Loaded>
      </Card>
      <Card title="Series" bare>
        <PagedTable
          read={series}
          what="The series"
          columns={seriesColumns}
          keyOf={({ id }) => id}
          empty={<State icon="numbers" title="There is no series yet." />}
        />
      </Card>
    </>
  )
}
