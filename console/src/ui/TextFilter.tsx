import { useEffect, useState } from "react"
import { Field } from "./Field.tsx"

/** How long after the last key a filter applies. */
const typing_ms = 350

interface Props {
  readonly label: string
  readonly value: string | undefined
  readonly placeholder?: string
  readonly onChange: (value: string) => void
}

/** A field whose text becomes the filter when typing stops. */
export const TextFilter = ({ label, onChange, placeholder, value = "" }: Props) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), typing_ms)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <Field label={label}>
      <input value={text} maxLength={128} placeholder={placeholder} onChange={(event) => setText(event.target.value)} />
    </Field>
  )
}
