// A value as indented JSON, with its parts in the colours of their kinds. It is text: nothing in it is read as HTML.
import type { ReactNode } from "react"
import styles from "./Json.module.css"

const kindOf = (value: unknown): string | undefined =>
  typeof value === "string" ? styles.string : typeof value === "number" ? styles.number : styles.other

const listed = (value: ReadonlyArray<unknown>, depth: number): ReactNode =>
  value.length === 0 ? (
    "[]"
  ) : (
    <>
      {"["}
      {value.map((each, index) => (
        <span key={index}>
          {`\n${"  ".repeat(depth + 1)}`}
          {node(each, depth + 1)}
          {index < value.length - 1 && ","}
        </span>
      ))}
      {`\n${"  ".repeat(depth)}]`}
    </>
  )

const membered = (value: object, depth: number): ReactNode => {
  const members = Object.entries(value)
  if (members.length === 0) return "{}"
  return (
    <>
      {"{"}
      {members.map(([name, each], index) => (
        <span key={name}>
          {`\n${"  ".repeat(depth + 1)}`}
          <span className={styles.name}>{JSON.stringify(name)}</span>
          {": "}
          {node(each, depth + 1)}
          {index < members.length - 1 && ","}
        </span>
      ))}
      {`\n${"  ".repeat(depth)}}`}
    </>
  )
}

const node = (value: unknown, depth: number): ReactNode => {
  if (Array.isArray(value)) return listed(value, depth)
  if (typeof value === "object" && value !== null) return membered(value, depth)
  return <span className={kindOf(value)}>{JSON.stringify(value) ?? "null"}</span>
}

export const Json = ({ label, value }: { value: unknown; label: string }) => (
  <pre className={styles.code} tabIndex={0} role="group" aria-label={label}>
    {node(value, 0)}
  </pre>
)

/** A document that may not be JSON, such as what a receiver has answered. */
export const Document = ({ label, text }: { text: string; label: string }) => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return (
      <pre className={styles.code} tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
    )
  }
  return <Json label={label} value={value} />
}
