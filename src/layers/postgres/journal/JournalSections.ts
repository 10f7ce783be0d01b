// The parts of the journal's statement: each writes the rows of one kind.
import type { PgTypes } from "@effect/sql-pg"
import type { Batch } from "./JournalBatch.ts"
import { type Column, parameters, relation } from "./JournalColumns.ts"

/** A common table expression that writes rows of one kind. */
export interface Section {
  readonly name: string
  /** The number of its parameters. */
  readonly width: number
  /** Its text; `first` is the number of its first parameter, `fansOut` says whether the statement has the fan-out. */
  readonly sql: (first: number, fansOut: boolean) => string
  /** Whether the batch has rows for it. */
  readonly has: (batch: Batch) => boolean
  readonly parameters: (batch: Batch) => ReadonlyArray<PgTypes.Parameter>
}

/** `sql` receives the rows as a relation named `r`. */
export const section = <Row>(
  name: string,
  columns: ReadonlyArray<Column<Row>>,
  rows: (batch: Batch) => ReadonlyArray<Row>,
  sql: (relation: string, fansOut: boolean) => string
): Section => {
  const none = parameters(columns, [])
  return {
    name,
    width: columns.length,
    sql: (first, fansOut) => sql(relation(columns, first), fansOut),
    has: (batch) => rows(batch).length > 0,
    parameters: (batch) => {
      const present = rows(batch)
      return present.length === 0 ? none : parameters(columns, present)
    }
  }
}

export const names = (columns: ReadonlyArray<Column<never>>): string => columns.map(({ name }) => name).join(", ")

/** Inserts new rows into the columns of the same names. */
export const insertion = <Row>(
  name: string,
  table: string,
  columns: ReadonlyArray<Column<Row>>,
  rows: (batch: Batch) => ReadonlyArray<Row>,
  conflict = ""
): Section =>
  section(
    name,
    columns,
    rows,
    (r) => `INSERT INTO ${table} (${names(columns)}) SELECT ${names(columns)} FROM ${r} ${conflict}`
  )

/** A section that must write all of its rows, and returns one for each, or the batch is refused. */
export interface CountedSection extends Section {
  /** The type of its first column, whose values are counted. */
  readonly counts: string
}

export const counted = <Row>(
  name: string,
  columns: readonly [Column<Row>, ...ReadonlyArray<Column<Row>>],
  rows: (batch: Batch) => ReadonlyArray<Row>,
  sql: (relation: string) => string
): CountedSection => ({ ...section(name, columns, rows, sql), counts: columns[0].type.sql })
