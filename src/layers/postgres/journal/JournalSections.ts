// The parts of the journal's statement: each writes the rows of one kind.
import type { PgTypes } from "@effect/sql-pg"
import type { Batch } from "./JournalBatch.ts"
import { type Column, parameters, relation } from "./JournalColumns.ts"

/** A common table expression that writes rows of one kind. `sql` receives the rows as a relation named `r`. */
export interface Section {
  readonly name: string
  readonly width: number
  readonly sql: (first: number) => string
  readonly parameters: (batch: Batch) => ReadonlyArray<PgTypes.Parameter>
}

export const section = <Row>(
  name: string,
  columns: ReadonlyArray<Column<Row>>,
  rows: (batch: Batch) => ReadonlyArray<Row>,
  sql: (relation: string) => string
): Section => {
  const none = parameters(columns, [])
  return {
    name,
    width: columns.length,
    sql: (first) => sql(relation(columns, first)),
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
