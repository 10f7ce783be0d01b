// What can be claimed, with its prices.
import { useState } from "react"
import { usePages } from "../../api/Hooks.ts"
import type { AvailableNumber } from "../../api/Types.ts"
import { usePermissions, useWorkspace } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Field } from "../../ui/Field.tsx"
import { wordsOf } from "../../ui/Format.ts"
import { PagedTable } from "../../ui/PagedTable.tsx"
import { Note, State } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { TextFilter } from "../../ui/TextFilter.tsx"
import { Money, Phone } from "../../ui/Values.tsx"
import { ClaimNumber } from "./ClaimNumber.tsx"
import styles from "./Numbers.module.css"
import { type NumbersSearch, numberTypes } from "./NumbersSearch.ts"

const columnsOf = (
  onClaim: ((number: AvailableNumber) => void) | undefined
): ReadonlyArray<Column<AvailableNumber>> => [
  { title: "Number", cell: ({ number }) => <Phone number={number} /> },
  {
    title: "Kind",
    cell: ({ country, locality, type }) => (
      <span className="dim">
        {wordsOf(type)}, {locality === null ? country : `${locality}, ${country}`}
      </span>
    ),
    spare: true
  },
  { title: "Can", cell: ({ capabilities }) => <span className="dim">{capabilities.join(", ")}</span>, spare: true },
  {
    title: "A minute in",
    cell: ({ currency, inbound_per_min_minor }) => <Money minor={inbound_per_min_minor} currency={currency} />,
    end: true,
    spare: true
  },
  {
    title: "A month",
    cell: ({ currency, monthly_price_minor }) => <Money minor={monthly_price_minor} currency={currency} />,
    end: true
  },
  {
    title: <span className="unseen">Claim</span>,
    cell: (number) =>
      onClaim && (
        <Button small onClick={() => onClaim(number)}>
          Claim
        </Button>
      ),
    end: true
  }
]

interface FilterProps {
  readonly search: NumbersSearch
  readonly onSearch: (search: NumbersSearch) => void
}

const Filters = ({ onSearch, search }: FilterProps) => {
  const { contains, country, type } = search
  const now = {
    ...(country !== undefined && { country }),
    ...(type !== undefined && { type }),
    ...(contains !== undefined && { contains })
  }
  const without = (name: keyof typeof now): NumbersSearch => {
    const { [name]: _, ...rest } = now
    return rest
  }
  return (
    <search className={styles.filters} aria-label="Filters">
      <TextFilter
        label="Country"
        placeholder="KE"
        value={country}
        onChange={(text) =>
          onSearch(text === "" ? without("country") : { ...now, country: text.toUpperCase().slice(0, 2) })
        }
      />
      <Field label="Kind">
        <select
          value={type ?? ""}
          onChange={({ target }) => {
            const chosen = numberTypes.find((each) => each === target.value)
            onSearch(chosen === undefined ? without("type") : { ...now, type: chosen })
          }}
        >
          <option value="">Every kind</option>
          {numberTypes.map((each) => (
            <option key={each} value={each}>
              {wordsOf(each)}
            </option>
          ))}
        </select>
      </Field>
      <TextFilter
        label="Digits"
        placeholder="555"
        value={contains}
        onChange={(text) => {
          const digits = text.replaceAll(/\D/g, "")
          onSearch(digits === "" ? without("contains") : { ...now, contains: digits })
        }}
      />
      {Object.keys(now).length > 0 && (
        <Button kind="bare" icon="cross" onClick={() => onSearch({})}>
          Clear
        </Button>
      )}
    </search>
  )
}

export const AvailableNumbers = (props: FilterProps) => {
  const { contains, country, type } = props.search
  const { admin } = usePermissions()
  const { data: workspace } = useWorkspace()
  const [claimed, setClaimed] = useState<AvailableNumber>()
  const query = { country, type, contains, limit: 50 }
  const read = usePages<AvailableNumber>("/v1/numbers/available", { query })
  const locked = workspace?.number_mode === "byoc"
  const filtered = country !== undefined || type !== undefined || contains !== undefined
  return (
    <>
      {locked && (
        <Note>
          <b>This workspace brings its own numbers.</b> That is decided for ever, so none of these can be claimed.
        </Note>
      )}
      {!admin && <Note>Owners and admins claim numbers. Your role can look.</Note>}
      {claimed && <ClaimNumber number={claimed} onClose={() => setClaimed(undefined)} />}
      <Card title="Available" bare>
        <Filters {...props} />
        <PagedTable
          read={read}
          what="The available numbers"
          columns={columnsOf(admin && !locked ? setClaimed : undefined)}
          keyOf={({ inventory_id }) => inventory_id}
          empty={
            <State
              icon="numbers"
              title={filtered ? "No available number has all of these." : "No number is available."}
            >
              {filtered && <Button onClick={() => props.onSearch({})}>Clear the filters</Button>}
            </State>
          }
        />
      </Card>
    </>
  )
}
