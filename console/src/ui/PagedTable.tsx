// A list that is read page after page, in each of its states.
import type { UseInfiniteQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { Page } from "../api/Request.ts"
import { Button } from "./Button.tsx"
import { Failed, Loading } from "./States.tsx"
import { type Column, Table, tableFoot } from "./Table.tsx"

interface Props<Row> {
  readonly read: UseInfiniteQueryResult<{ readonly pages: ReadonlyArray<Page<Row>> }>
  /** What the rows are, as the beginning of a sentence: "The members". */
  readonly what: string
  /** Shown when there is no row. */
  readonly empty: ReactNode
  readonly columns: ReadonlyArray<Column<Row>>
  readonly keyOf: (row: Row) => string
  readonly isOn?: (row: Row) => boolean
  /** The words of the button that reads on. Default: "Show more". */
  readonly more?: string
}

/** All rows that were read; undefined before the first page. */
export const rowsOf = <Row,>(read: Props<Row>["read"]): ReadonlyArray<Row> | undefined =>
  read.data?.pages.flatMap(({ items }) => items)

export const PagedTable = <Row,>(props: Props<Row>) => {
  const { columns, empty, isOn, keyOf, more = "Show more", read, what } = props
  const rows = rowsOf(read)
  if (rows === undefined) {
    return read.error ? <Failed error={read.error} what={what} again={() => void read.refetch()} /> : <Loading />
  }
  if (rows.length === 0) return empty
  return (
    <>
      <Table label={what} columns={columns} rows={rows} keyOf={keyOf} {...(isOn && { isOn })} />
      {read.hasNextPage && (
        <div className={tableFoot}>
          <Button disabled={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
            {more}
          </Button>
        </div>
      )}
    </>
  )
}
