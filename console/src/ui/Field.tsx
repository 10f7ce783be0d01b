import { cloneElement, type ReactElement, type ReactNode, useId } from "react"
import styles from "./Field.module.css"

interface ControlProps {
  readonly id?: string
  readonly className?: string | undefined
  readonly "aria-describedby"?: string | undefined
}

/** A label above its control, with a hint below. The control is the only child. */
export const Field = (props: {
  readonly label: string
  readonly hint?: ReactNode
  readonly children: ReactElement<ControlProps>
}) => {
  const { children, hint, label } = props
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, {
        id,
        className: children.props.className ?? (children.type === "select" ? styles.select : styles.input),
        ...(hint !== undefined && { "aria-describedby": `${id}-hint` })
      })}
      {hint !== undefined && (
        <span className={styles.hint} id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}

export const largeClass = `${styles.input} ${styles.large}`
export const areaClass = styles.area

/** Two to five choices beside each other. */
export const Segmented = <A extends string>(props: {
  readonly label: string
  readonly options: ReadonlyArray<readonly [value: A, word: string]>
  readonly value: A
  readonly onChange: (value: A) => void
}) => (
  <div className={styles.segmented} role="group" aria-label={props.label}>
    {props.options.map(([value, word]) => (
      <button key={value} type="button" aria-pressed={value === props.value} onClick={() => props.onChange(value)}>
        {word}
      </button>
    ))}
  </div>
)
