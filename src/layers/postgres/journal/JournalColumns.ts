// Encodes rows for PostgreSQL: each column is one array parameter in the binary format.
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/** A type on the wire. `cast` is the column's type if arrays of that type cannot be sent. */
export interface ColumnType {
  readonly oid: number
  readonly sql: string
  readonly cast?: string
  readonly wire?: (value: unknown) => unknown
}

/** An element of an array literal (PostgreSQL manual, 8.15.6): only the quote and the backslash are special. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

export const uuid: ColumnType = { oid: PgTypes.OID.uuid, sql: "uuid" }
export const text: ColumnType = { oid: PgTypes.OID.text, sql: "text" }
export const bool: ColumnType = { oid: PgTypes.OID.bool, sql: "bool" }
export const int4: ColumnType = { oid: PgTypes.OID.int4, sql: "int4" }
export const int8: ColumnType = {
  oid: PgTypes.OID.int8,
  sql: "int8",
  wire: (value) => (typeof value === "number" ? BigInt(value) : value)
}
/** Epoch milliseconds. */
export const instant: ColumnType = { oid: PgTypes.OID.timestamptz, sql: "timestamptz" }
/** JSON text, sent unchanged. Needs a connection with `wireTypes`. */
export const json: ColumnType = { oid: PgTypes.OID.json, sql: "json" }
/** The built-in types, but JSON as text, so that it is neither parsed nor serialised here. */
export const wireTypes = PgTypes.makeRegistry()
wireTypes.register<string>(PgTypes.OID.json, {
  encode: (text) => Result.succeed(new TextEncoder().encode(text)),
  decode: (bytes) => Result.succeed(new TextDecoder().decode(bytes)),
  write: (sink, text) => Result.succeed(sink.utf8(text))
})

/** A list of texts. `unnest` would flatten an array of arrays, so each list is sent as an array literal. */
export const texts: ColumnType = {
  oid: PgTypes.OID.text,
  sql: "text",
  cast: "text[]",
  wire: (value) => (Array.isArray(value) ? `{${value.map(quoted).join(",")}}` : value)
}

export interface Column<Row> {
  readonly name: string
  readonly type: ColumnType
  readonly of: (row: Row) => unknown
}

type Field<Row> = readonly [type: ColumnType, of?: (row: Row) => unknown]

/** A column whose value is the row's property of the same name. */
export const column = <Row>(name: string & keyof Row, type: ColumnType): Column<Row> => ({
  name,
  type,
  of: (row) => row[name]
})

/** Columns by name. A value is the row's property of that name, unless the field has a function for it. */
export const columns = <Row>(fields: Readonly<Record<string, Field<Row>>>): ReadonlyArray<Column<Row>> =>
  Object.entries(fields).map(([name, [type, of]]) => ({
    name,
    type,
    of: of ?? ((row) => (row as Readonly<Record<string, unknown>>)[name])
  }))

/**
 * SQL for the rows as a relation; `$first` is its first parameter. `unnest` in the select list streams the rows, while
 * `FROM unnest(a, b, …)` would first copy each array (a tenth of the batch's time).
 */
export const relation = (columns: ReadonlyArray<Column<never>>, first: number): string =>
  `(SELECT ${columns
    .map(
      ({ name, type }, index) =>
        `unnest($${first + index}::${type.sql}[])${type.cast === undefined ? "" : `::${type.cast}`} AS ${name}`
    )
    .join(", ")}) AS r`

/** One parameter per column. Throws if a value does not have its column's type. */
export const parameters = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>
): ReadonlyArray<PgTypes.Parameter> =>
  columns.map(({ of, type: { oid, wire } }) => {
    const values = rows.map((row) => {
      const value = of(row) ?? null
      return value === null || wire === undefined ? value : wire(value)
    })
    return Result.getOrThrow(PgTypes.array(values, oid))
  })
