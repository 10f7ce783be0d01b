// What was done in the workspace, by whom, and whether the log is whole.
import { useState } from "react"
import { usePages } from "../../api/Hooks.ts"
import { request } from "../../api/Request.ts"
import type { AuditEntry, AuditVerdict } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { CopyText } from "../../ui/CopyText.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { countText, wordsOf } from "../../ui/Format.ts"
import { Json } from "../../ui/Json.tsx"
import { Modal } from "../../ui/Modal.tsx"
import { PagedTable } from "../../ui/PagedTable.tsx"
import { Note, Refused, State } from "../../ui/States.tsx"
import { type Column, wholeCell } from "../../ui/Table.tsx"
import { Time } from "../../ui/Values.tsx"

const actorText = ({ actor: { id, label, type } }: AuditEntry): string =>
  label ?? (type === "system" ? "the engine" : type === "ops" ? "an operator" : (id ?? type))

const columnsOf = (onOpen: (entry: AuditEntry) => void): ReadonlyArray<Column<AuditEntry>> => [
  { title: "When", cell: ({ created_at }) => <Time at={created_at} format="both" /> },
  {
    title: "What",
    cell: (entry) => (
      <button type="button" className={wholeCell} onClick={() => onOpen(entry)}>
        {wordsOf(entry.action_kind)}
      </button>
    )
  },
  { title: "By", cell: (entry) => <span className="dim">{actorText(entry)}</span>, spare: true },
  {
    title: "To",
    cell: ({ target }) => <span className="faint">{wordsOf(target.type)}</span>,
    spare: true
  },
  { title: "From", cell: ({ ip }) => <span className="faint">{ip}</span>, spare: true },
  { title: "No.", cell: ({ sequence }) => sequence, end: true, spare: true }
]

const Details = ({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) => (
  <Modal open wide onClose={onClose} title={wordsOf(entry.action_kind)}>
    <Facts
      facts={[
        ["When", <Time key="when" at={entry.created_at} format="both" />],
        ["By", actorText(entry)],
        ["To", <CopyText key="to" text={entry.target.id} label={`id of the ${entry.target.type}`} />],
        ["From", entry.ip ?? undefined],
        ["Client", entry.user_agent ?? undefined],
        [
          "Request",
          entry.request_id === null ? undefined : <CopyText key="id" text={entry.request_id} label="request id" />
        ],
        ["Hash", <CopyText key="hash" text={entry.hash} label="hash" />]
      ]}
    />
    {entry.before !== null && (
      <div className="stack">
        <h3>Before</h3>
        <Json label="Before" value={entry.before} />
      </div>
    )}
    {entry.after !== null && (
      <div className="stack">
        <h3>After</h3>
        <Json label="After" value={entry.after} />
      </div>
    )}
  </Modal>
)

const Verdict = ({ verdict }: { verdict: AuditVerdict }) =>
  verdict.valid ? (
    <Note tone="good">
      <p>
        <b>The log is whole.</b> {countText(verdict.entries)} entries were checked. Store this hash elsewhere: if the
        one of entry {verdict.last_sequence ?? 0} is ever different, the log was rewritten.
      </p>
      {verdict.last_hash !== null && <CopyText text={verdict.last_hash} label="hash" />}
    </Note>
  ) : (
    <Note tone="bad">
      <b>The log was changed.</b> Entry {verdict.broken_at?.sequence} does not fit the one before it. Contact support.
    </Note>
  )

const Verify = () => {
  const [state, setState] = useState<{ busy: boolean; verdict?: AuditVerdict; error?: unknown }>({
    busy: false
  })
  const verify = () => {
    setState({ busy: true })
    request<AuditVerdict>("GET", "/v1/audit/verify").then(
      (verdict) => setState({ busy: false, verdict }),
      (error: unknown) => setState({ busy: false, error })
    )
  }
  return (
    <>
      <div>
        <Button icon="check" disabled={state.busy} onClick={verify}>
          {state.busy ? "Checking each entry" : "Verify the log"}
        </Button>
      </div>
      {state.verdict && <Verdict verdict={state.verdict} />}
      <Refused error={state.error} />
    </>
  )
}

const Log = () => {
  const [open, setOpen] = useState<AuditEntry>()
  const read = usePages<AuditEntry>("/v1/audit", { query: { limit: 50 } })
  return (
    <>
      <Verify />
      <Card title="Audit log" bare>
        <PagedTable
          read={read}
          what="The audit log"
          columns={columnsOf(setOpen)}
          keyOf={({ id }) => id}
          more="Show older entries"
          empty={<State icon="lock" title="Nothing was done yet." />}
        />
      </Card>
      {open && <Details entry={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

export const Audit = () =>
  usePermissions().admin ? (
    <Log />
  ) : (
    <State icon="lock" title="Your role cannot see the audit log.">
      <p>Owners and admins can. Ask one of them.</p>
    </State>
  )
