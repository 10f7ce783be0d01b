// Choices that are ticked, and texts that list several values.
import styles from "./Choices.module.css"

export const Tick = (props: {
  readonly label: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}) => (
  <label className={styles.tick}>
    <input type="checkbox" checked={props.on} onChange={({ target }) => props.onChange(target.checked)} />
    {props.label}
  </label>
)

/** Any of a few values, in the order of `all`. */
export const Ticks = <A extends string>(props: {
  readonly legend: string
  readonly all: ReadonlyArray<readonly [value: A, word: string]>
  readonly chosen: ReadonlyArray<string>
  readonly onChange: (chosen: ReadonlyArray<A>) => void
}) => (
  <fieldset className={styles.ticks}>
    <legend>{props.legend}</legend>
    {props.all.map(([value, word]) => (
      <Tick
        key={value}
        label={word}
        on={props.chosen.includes(value)}
        onChange={(on) =>
          props.onChange(
            props.all.flatMap(([each]) => ((each === value ? on : props.chosen.includes(each)) ? [each] : []))
          )
        }
      />
    ))}
  </fieldset>
)

/** The values of a text that separates them by commas or blanks. */
export const valuesOf = (text: string): ReadonlyArray<string> => text.split(/[\s,]+/).filter((value) => value !== "")
