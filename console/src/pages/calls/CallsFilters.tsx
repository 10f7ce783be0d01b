import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { wordOf } from "../../ui/Status.tsx"
import { TextFilter } from "../../ui/TextFilter.tsx"
import styles from "./Calls.module.css"
import { type CallsSearch, callStatuses } from "./CallsSearch.ts"

const without = (search: CallsSearch, name: keyof CallsSearch): CallsSearch => {
  const { [name]: _, ...rest } = search
  return rest
}

export const CallsFilters = (props: {
  readonly search: CallsSearch
  readonly onChange: (search: CallsSearch) => void
}) => {
  const { onChange, search } = props
  const set = (name: keyof CallsSearch) => (value: string) =>
    onChange(value === "" ? without(search, name) : { ...search, [name]: value })
  return (
    <search className={styles.filters} aria-label="Filters">
      <Field label="Status">
        <select value={search.status ?? ""} onChange={(event) => set("status")(event.target.value)}>
          <option value="">Every status</option>
          {callStatuses.map((status) => (
            <option key={status} value={status}>
              {wordOf(status)}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Direction">
        <select value={search.direction ?? ""} onChange={(event) => set("direction")(event.target.value)}>
          <option value="">Both</option>
          <option value="outbound">Outbound</option>
          <option value="inbound">Inbound</option>
        </select>
      </Field>
      <TextFilter label="To" placeholder="+254…" value={search.to} onChange={set("to")} />
      <TextFilter label="From" placeholder="+254…" value={search.from} onChange={set("from")} />
      <TextFilter label="Your reference" value={search.client_reference} onChange={set("client_reference")} />
      <Field label="From the day">
        <input type="date" value={search.since ?? ""} onChange={(event) => set("since")(event.target.value)} />
      </Field>
      <Field label="To the day">
        <input type="date" value={search.until ?? ""} onChange={(event) => set("until")(event.target.value)} />
      </Field>
      {Object.keys(search).length > 0 && (
        <Button kind="bare" icon="cross" onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </search>
  )
}
