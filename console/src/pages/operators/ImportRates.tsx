// Importing a rate sheet: it is read, what it changes is shown, and only then is it sent.
import { useState } from "react"
import { useChange } from "../../api/Hooks.ts"
import { requestPage } from "../../api/Request.ts"
import type { Rate, RateRequest } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { areaClass, Field } from "../../ui/Field.tsx"
import { countText } from "../../ui/Format.ts"
import { FormModal } from "../../ui/FormModal.tsx"
import { Modal } from "../../ui/Modal.tsx"
import { Note, Refused } from "../../ui/States.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Money } from "../../ui/Values.tsx"
import { changesOf, maxRates, type RateChange, readSheet } from "../../../../src/client/RateSheet.ts"

const path = "/v1/admin/rates"
/** A preview shows at most so many changes. */
const shown = 200

/** All rates of the currencies that the sheet names. */
const currentRates = async (sheet: ReadonlyArray<RateRequest>): Promise<ReadonlyArray<Rate>> => {
  const rates: Array<Rate> = []
  for (const currency of new Set(sheet.map((rate) => rate.currency))) {
    let cursor: string | undefined
    do {
      const page = await requestPage<Rate>(path, { currency, limit: 200, cursor })
      rates.push(...page.items)
      cursor = page.next
    } while (cursor !== undefined)
  }
  return rates
}

const columns: ReadonlyArray<Column<RateChange>> = [
  { title: "Prefix", cell: ({ rate }) => <span className="mono">{rate.prefix}</span> },
  {
    title: "What",
    cell: ({ rate }) => <span className="dim">{rate.description ?? rate.direction}</span>,
    spare: true
  },
  {
    title: "From",
    cell: ({ rate }) => rate.effective_from?.slice(0, 10) ?? "now"
  },
  {
    title: "Before",
    cell: ({ before, rate }) =>
      before === undefined ? <span className="faint">new</span> : <Money minor={before} currency={rate.currency} />,
    end: true
  },
  {
    title: "After",
    cell: ({ rate }) => <Money minor={rate.per_min_minor} currency={rate.currency} />,
    end: true
  }
]

interface PreviewProps {
  readonly changes: ReadonlyArray<RateChange>
  readonly unchanged: number
  readonly onClose: () => void
}

const Preview = ({ changes, onClose, unchanged }: PreviewProps) => {
  const change = useChange([path])
  const tooMany = changes.length > maxRates
  if (changes.length === 0) {
    return (
      <Modal open onClose={onClose} title="Nothing changes" acts={<Button onClick={onClose}>Close</Button>}>
        <Note>All {countText(unchanged)} rates of the sheet apply already.</Note>
      </Modal>
    )
  }
  return (
    <FormModal
      wide
      title="What the sheet changes"
      text={`${ratesText(changes.length)} ${changes.length === 1 ? "changes" : "change"}, ${countText(unchanged)} stay. A price without effective_from applies from now on.`}
      act={`Change ${ratesText(changes.length)}`}
      pending={change.isPending}
      disabled={tooMany}
      error={change.error}
      onClose={onClose}
      onSubmit={() =>
        change.mutate(
          { method: "POST", path, body: { rates: changes.map(({ rate }) => rate) } },
          { onSuccess: onClose }
        )
      }
    >
      {tooMany && <Note tone="bad">One import takes {countText(maxRates)} changes. Divide the sheet.</Note>}
      <Table
        label="Changes"
        columns={columns}
        rows={changes.slice(0, shown)}
        keyOf={({ rate }) => `${rate.currency} ${rate.direction} ${rate.prefix} ${rate.effective_from}`}
      />
      {changes.length > shown && <p className="faint">Only the first {shown} are shown.</p>}
    </FormModal>
  )
}

const ratesText = (count: number): string => `${countText(count)} ${count === 1 ? "rate" : "rates"}`

export const ImportRates = ({ onClose }: { onClose: () => void }) => {
  const [text, setText] = useState("")
  const [state, setState] = useState<{ busy: boolean; preview?: PreviewProps; error?: unknown }>({
    busy: false
  })
  const sheet = readSheet(text)
  const compare = () => {
    setState({ busy: true })
    currentRates(sheet.rates).then(
      (current) => {
        const changes = changesOf(sheet.rates, current, Date.now())
        setState({
          busy: false,
          preview: { changes, unchanged: sheet.rates.length - changes.length, onClose }
        })
      },
      (error: unknown) => setState({ busy: false, error })
    )
  }
  if (state.preview) return <Preview {...state.preview} />
  const ready = sheet.rates.length > 0 && sheet.faults.length === 0
  return (
    <FormModal
      wide
      title="Import rates"
      text="Nothing is changed before you have seen what changes."
      act={state.busy ? "Reading the rates" : "Show what changes"}
      pending={state.busy}
      disabled={!ready}
      error={undefined}
      onClose={onClose}
      onSubmit={compare}
    >
      <Field
        label="Sheet"
        hint="CSV. Its first line names the columns: currency, direction, prefix, per_min_minor, country, description, class, effective_from, effective_to."
      >
        <textarea
          rows={10}
          className={areaClass}
          spellCheck={false}
          placeholder={"currency,direction,prefix,per_min_minor,country,description\nKES,outbound,254,300,KE,Kenya"}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      {text.trim() !== "" && sheet.faults.length > 0 && (
        <Note tone="bad">
          <ul>
            {sheet.faults.slice(0, 8).map(({ line, message }) => (
              <li key={line}>
                <b>Line {line}.</b> {message}
              </li>
            ))}
          </ul>
        </Note>
      )}
      <Refused error={state.error} />
    </FormModal>
  )
}
