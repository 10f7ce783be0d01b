// The field of a telephone number with its country code.
import { Field } from "./Field.tsx"

export const PhoneField = (props: { readonly value: string; readonly onChange: (text: string) => void }) => (
  <Field label="Number" hint="With its country code.">
    <input
      type="tel"
      required
      placeholder="+254 …"
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
    />
  </Field>
)
