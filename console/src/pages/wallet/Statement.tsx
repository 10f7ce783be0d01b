// Each movement of the money, newest first, with the balance after it.
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { usePages } from "../../api/Hooks.ts"
import { requestPage } from "../../api/Request.ts"
import type { StatementEntry } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { csvOf, saveFile } from "../../ui/Csv.ts"
import { Field } from "../../ui/Field.tsx"
import { wordsOf } from "../../ui/Format.ts"
import { Failed, Loading, Refused, State } from "../../ui/States.tsx"
import { type Column, Table, tableFoot, wholeCell } from "../../ui/Table.tsx"
import { Money, Time } from "../../ui/Values.tsx"
import styles from "./Wallet.module.css"
import { statementKinds, type WalletSearch } from "./WalletSearch.ts"

const path = "/v1/wallet/statements"
/** What a file holds at most, so that no export runs for ever. */
const max_rows = 50_000

const exportStatement = async (search: WalletSearch): Promise<void> => {
  const entries: Array<StatementEntry> = []
  let cursor: string | undefined
  do {
    const page = await requestPage<StatementEntry>(path, { ...search, limit: 200, cursor })
    entries.push(...page.items)
    cursor = page.next
  } while (cursor !== undefined && entries.length < max_rows)
  const columns = [
    "sequence",
    "id",
    "created_at",
    "kind",
    "amount_minor",
    "balance_after_minor",
    "currency",
    "reference_type",
    "reference_id",
    "description"
  ] as const
  saveFile(`statement-${new Date().toISOString().slice(0, 10)}.csv`, csvOf(columns, entries))
}

const Reference = ({ entry }: { entry: StatementEntry }) =>
  entry.reference_type === "call" ? (
    <Link to="/calls/$id" params={{ id: entry.reference_id }} className={wholeCell}>
      {wordsOf(entry.kind)}
    </Link>
  ) : (
    wordsOf(entry.kind)
  )

const columns: ReadonlyArray<Column<StatementEntry>> = [
  { title: "When", cell: ({ created_at }) => <Time at={created_at} format="both" /> },
  { title: "What", cell: (entry) => <Reference entry={entry} /> },
  { title: "Description", cell: ({ description }) => <span className="dim">{description}</span>, spare: true },
  { title: "Amount", cell: ({ amount_minor }) => <Money minor={amount_minor} sign />, end: true },
  {
    title: "Balance after",
    cell: ({ balance_after_minor }) => <Money minor={balance_after_minor} />,
    end: true,
    spare: true
  }
]

const Export = ({ search }: { search: WalletSearch }) => {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false })
  const save = () => {
    setState({ busy: true })
    exportStatement(search).then(
      () => setState({ busy: false }),
      (error: unknown) => setState({ busy: false, error })
    )
  }
  return (
    <>
      <Button icon="download" disabled={state.busy} onClick={save}>
        {state.busy ? "Reading all entries" : "Save as CSV"}
      </Button>
      <Refused error={state.error} />
    </>
  )
}

export const Statement = (props: { search: WalletSearch; onChange: (search: WalletSearch) => void }) => {
  const { onChange, search } = props
  const read = usePages<StatementEntry>(path, { query: { ...search, limit: 50 } })
  const entries = read.data?.pages.flatMap(({ items }) => items)
  return (
    <Card
      title="Statement"
      note={entries?.[0] && `in ${entries[0].currency}`}
      bare
      acts={
        <div className={styles.acts}>
          <Field label="Kind">
            <select
              value={search.kind ?? ""}
              onChange={({ target }) => {
                const kind = statementKinds.find((each) => each === target.value)
                onChange(kind === undefined ? {} : { kind })
              }}
            >
              <option value="">Every kind</option>
              {statementKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {wordsOf(kind)}
                </option>
              ))}
            </select>
          </Field>
          <Export search={search} />
        </div>
      }
    >
      {entries === undefined ? (
        read.error ? (
          <Failed error={read.error} what="The statement" again={() => void read.refetch()} />
        ) : (
          <Loading />
        )
      ) : entries.length === 0 ? (
        <State
          icon="wallet"
          title={search.kind === undefined ? "No money has moved yet." : "There is no entry of this kind."}
        />
      ) : (
        <>
          <Table label="Statement" columns={columns} rows={entries} keyOf={({ id }) => id} />
          {read.hasNextPage && (
            <div className={tableFoot}>
              <Button disabled={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
                Show older entries
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  )
}
