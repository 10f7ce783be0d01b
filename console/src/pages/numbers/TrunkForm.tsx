import { useState } from "react"
import { useChange } from "../../api/Hooks.ts"
import type { SipTrunk } from "../../api/Types.ts"
import { Field } from "../../ui/Field.tsx"
import { FormModal } from "../../ui/FormModal.tsx"
import styles from "./Numbers.module.css"
import { draftOf, type Mode, modeWords, requestOf, type TrunkDraft, usesAddresses, usesPassword } from "./TrunkDraft.ts"

const modes = Object.entries(modeWords) as ReadonlyArray<[Mode, string]>
const transports = ["udp", "tcp", "tls"] as const

interface PartProps {
  readonly draft: TrunkDraft
  readonly set: (change: Partial<TrunkDraft>) => void
}

const Place = ({ draft, set }: PartProps) => (
  <>
    <Field
      label={draft.auth_mode === "registration" ? "Registrar" : "Host"}
      hint="A name or an IP address of your side."
    >
      <input required value={draft.host} onChange={({ target }) => set({ host: target.value })} />
    </Field>
    <div className={styles.pair}>
      <Field label="Port">
        <input
          inputMode="numeric"
          required
          pattern="\d{1,5}"
          value={draft.port}
          onChange={({ target }) => set({ port: target.value })}
        />
      </Field>
      <Field label="Transport">
        <select
          value={draft.transport}
          onChange={({ target }) => {
            const transport = transports.find((each) => each === target.value) ?? "udp"
            set({ transport, port: transport === "tls" ? "5061" : "5060" })
          }}
        >
          {transports.map((each) => (
            <option key={each} value={each}>
              {each.toUpperCase()}
            </option>
          ))}
        </select>
      </Field>
    </div>
  </>
)

const Proof = ({ draft, set }: PartProps) => (
  <>
    {usesAddresses(draft.auth_mode) && (
      <Field
        label="Addresses that your calls come from"
        hint="IP addresses or ranges such as 203.0.113.0/29, by commas."
      >
        <input
          required={draft.auth_mode !== "digest"}
          value={draft.allowed_ips}
          onChange={({ target }) => set({ allowed_ips: target.value })}
        />
      </Field>
    )}
    {usesPassword(draft.auth_mode) && (
      <div className={styles.pair}>
        <Field label="Name">
          <input
            required
            autoComplete="off"
            value={draft.username}
            onChange={({ target }) => set({ username: target.value })}
          />
        </Field>
        <Field label="Password" hint="It is never shown again.">
          <input
            type="password"
            required
            autoComplete="new-password"
            value={draft.password}
            onChange={({ target }) => set({ password: target.value })}
          />
        </Field>
      </div>
    )}
    <Field label="E-mail address of your engineers">
      <input
        type="email"
        required={draft.auth_mode === "signaling"}
        value={draft.contact_email}
        onChange={({ target }) => set({ contact_email: target.value })}
      />
    </Field>
  </>
)

const Limits = ({ draft, set }: PartProps) => (
  <div className={styles.pair}>
    <Field label="Calls at once" hint="Empty: no limit.">
      <input
        inputMode="numeric"
        pattern="\d{1,5}"
        value={draft.max_channels}
        onChange={({ target }) => set({ max_channels: target.value })}
      />
    </Field>
    <Field label="New calls a second" hint="Empty: no limit.">
      <input
        inputMode="numeric"
        pattern="\d{1,4}"
        value={draft.max_cps}
        onChange={({ target }) => set({ max_cps: target.value })}
      />
    </Field>
  </div>
)

/** Connects the trunk, or changes it. */
export const TrunkForm = ({ onClose, trunk }: { trunk: SipTrunk | undefined; onClose: () => void }) => {
  const [draft, setDraft] = useState(() => draftOf(trunk))
  const change = useChange(["/v1/sip-trunk"])
  const set = (part: Partial<TrunkDraft>) => setDraft({ ...draft, ...part })
  const parts = { draft, set }
  return (
    <FormModal
      title={trunk === undefined ? "Connect a trunk" : "Change the trunk"}
      text="It becomes active as soon as your side answers. Then this workspace cannot claim numbers any more."
      act={trunk === undefined ? "Connect it" : "Change it"}
      pending={change.isPending}
      error={change.error}
      onClose={onClose}
      onSubmit={() =>
        change.mutate(
          { method: trunk === undefined ? "POST" : "PUT", path: "/v1/sip-trunk", body: requestOf(draft, trunk) },
          { onSuccess: onClose }
        )
      }
    >
      <Field label="How each side proves itself">
        <select
          value={draft.auth_mode}
          onChange={({ target }) => set({ auth_mode: modes.find(([mode]) => mode === target.value)?.[0] ?? "digest" })}
        >
          {modes.map(([mode, word]) => (
            <option key={mode} value={mode}>
              {word}
            </option>
          ))}
        </select>
      </Field>
      <Place {...parts} />
      <Proof {...parts} />
      <Limits {...parts} />
      <Field label="Name of the trunk">
        <input maxLength={100} value={draft.label} onChange={({ target }) => set({ label: target.value })} />
      </Field>
    </FormModal>
  )
}
