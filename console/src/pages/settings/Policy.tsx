// What the workspace's calls may do.
import { type FormEvent, useState } from "react"
import { useChange, useRead } from "../../api/Hooks.ts"
import type { CallingPolicy } from "../../api/Types.ts"
import { usePermissions, useWorkspace } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Tick } from "../../ui/Choices.tsx"
import { Field } from "../../ui/Field.tsx"
import { Loaded, Note, Refused } from "../../ui/States.tsx"
import { Phone, Time } from "../../ui/Values.tsx"
import { changeOf, draftOf, limits, type PolicyDraft } from "./PolicyDraft.ts"
import styles from "./Settings.module.css"

const path = "/v1/workspace/calling-policy"

interface PartProps {
  readonly draft: PolicyDraft
  readonly set: (change: Partial<PolicyDraft>) => void
}

type UnprovedRows = NonNullable<CallingPolicy["unproved_caller_ids"]>

const Destinations = ({ draft, set, unproved }: PartProps & { readonly unproved: UnprovedRows | undefined }) => (
  <>
    <Field label="Countries that may be called" hint="Codes such as KE, by commas. Calls to others are refused.">
      <input value={draft.countries} onChange={({ target }) => set({ countries: target.value })} />
    </Field>
    <Field label="Prefixes that may not be called" hint="Digits with the country code, by commas.">
      <input value={draft.prefixes} onChange={({ target }) => set({ prefixes: target.value })} />
    </Field>
    <Field label="SIP hosts that actions may dial" hint="sip.example.com, or *.example.com for all names under it.">
      <input value={draft.sip} onChange={({ target }) => set({ sip: target.value })} />
    </Field>
    <Field label="Caller ids beside your own numbers" hint="Numbers with the country code, by commas.">
      <input value={draft.caller_ids} onChange={({ target }) => set({ caller_ids: target.value })} />
    </Field>
    {unproved && <Unproved rows={unproved} />}
    <Tick
      label="Allow destinations of high risk and premium rates"
      on={draft.allow_high_risk}
      onChange={(allow_high_risk) => set({ allow_high_risk })}
    />
  </>
)

const Unproved = ({ rows }: { rows: UnprovedRows }) => (
  <Note tone="wait">
    <p>Nobody has proved these caller ids. Prove them under Numbers, Caller ids:</p>
    <ul>
      {rows.map(({ number, shown_until }) => (
        <li key={number}>
          <Phone number={number} />
          {shown_until === null ? (
            ", not shown: it is a number of the platform or of another workspace"
          ) : (
            <>
              , shown until <Time at={shown_until} format="date" />
            </>
          )}
        </li>
      ))}
    </ul>
  </Note>
)

const Limits = ({ currency, draft, set }: PartProps & { readonly currency: string }) => (
  <div className={styles.limits}>
    <Field label={`Spent on calls a day, in ${currency}`} hint="Empty: no limit.">
      <input
        inputMode="decimal"
        pattern="\d{1,9}(\.\d{1,2})?"
        value={draft.spend}
        onChange={({ target }) => set({ spend: target.value })}
      />
    </Field>
    <Field label={`Highest price of a minute, in ${currency}`} hint="Empty: no limit.">
      <input
        inputMode="decimal"
        pattern="\d{1,9}(\.\d{1,2})?"
        value={draft.rate}
        onChange={({ target }) => set({ rate: target.value })}
      />
    </Field>
    {limits.map(([name, label, needed]) => (
      <Field key={name} label={label} {...(!needed && { hint: "Empty: no limit." })}>
        <input
          inputMode="numeric"
          pattern="\d{1,9}"
          required={needed}
          value={draft.limits[name]}
          onChange={({ target }) => set({ limits: { ...draft.limits, [name]: target.value } })}
        />
      </Field>
    ))}
  </div>
)

const Editor = ({ policy }: { policy: CallingPolicy }) => {
  const { admin } = usePermissions()
  const { data: workspace } = useWorkspace()
  const [draft, setDraft] = useState(() => draftOf(policy))
  const change = useChange<CallingPolicy>([path])
  const set = (part: Partial<PolicyDraft>) => {
    setDraft({ ...draft, ...part })
    change.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!change.isPending) change.mutate({ method: "PATCH", path, body: changeOf(draft, policy) })
  }
  return (
    <form className="stack loose" onSubmit={submit}>
      <Destinations draft={draft} set={set} unproved={policy.unproved_caller_ids} />
      <Limits draft={draft} set={set} currency={workspace?.currency ?? ""} />
      {admin ? (
        <div>
          <Button type="submit" kind="main" disabled={change.isPending}>
            Save the policy
          </Button>
        </div>
      ) : (
        <Note>Owners and admins change it. Your role can look.</Note>
      )}
      {change.isSuccess && <Note tone="good">It is saved. It applies to the next call.</Note>}
      <Refused error={change.error} />
    </form>
  )
}

export const Policy = () => {
  const read = useRead<CallingPolicy>(path)
  return (
    <Card title="Calling policy">
      <Loaded read={read} what="The calling policy" rows={8}>
        {(policy) => <Editor policy={policy} />}
      </Loaded>
    </Card>
  )
}
