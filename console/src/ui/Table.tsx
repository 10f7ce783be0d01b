import type { ReactNode } from "react"
import styles from "./Table.module.css"

export interface Column<Row> {
  readonly title: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** Aligned to the end, for figures. */
  readonly end?: boolean
  /** Left out on narrow screens. */
  readonly spare?: boolean
}

const classOf = ({ end = false, spare = false }: Pick<Column<never>, "end" | "spare">): string | undefined =>
  [end && styles.end, spare && styles.spare].filter(Boolean).join(" ") || undefined

/** A plain table. `label` says what its rows are. */
export const Table = <Row,>(props: {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  readonly isOn?: (row: Row) => boolean
}) => (
  // The scroller takes the focus, so that the keyboard can scroll it.
  <div className={styles.scroll} tabIndex={0} role="group" aria-label={props.label}>
    <table className={styles.table}>
      <thead>
        <tr>
          {props.columns.map((column, index) => (
            <th key={index} scope="col" className={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <tr key={props.keyOf(row)} className={props.isOn?.(row) ? styles.on : undefined}>
            {props.columns.map((column, index) => (
              <td key={index} className={classOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

export const wholeCell = styles.whole
export const tableFoot = styles.foot
