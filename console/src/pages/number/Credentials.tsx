// The phones that register with the number: their extensions, and what is registered now.
import { useState } from "react"
import { useChange, useRead } from "../../api/Hooks.ts"
import type { SipCredential, SipCredentialWithPassword } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { CopyText } from "../../ui/CopyText.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { Field } from "../../ui/Field.tsx"
import { FormModal } from "../../ui/FormModal.tsx"
import { ShownOnce } from "../../ui/ShownOnce.tsx"
import { Loaded, State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { Time } from "../../ui/Values.tsx"
import styles from "./Number.module.css"

/** What a phone has to be told, with the password that is shown once. */
const NewPassword = ({ onClose, shown }: { shown: SipCredentialWithPassword; onClose: () => void }) => (
  <ShownOnce
    title={`Extension ${shown.extension}`}
    label="password"
    text="Enter it in the phone."
    secret={shown.password}
    onClose={onClose}
  >
    <Facts
      facts={[
        ["Server", <CopyText key="domain" text={shown.domain} label="server" />],
        ["User name", <CopyText key="name" text={shown.username} label="user name" />]
      ]}
    />
    <span className="label">Password</span>
  </ShownOnce>
)

const NewCredential = ({ onClose, path }: { path: string; onClose: () => void }) => {
  const [extension, setExtension] = useState("")
  const [label, setLabel] = useState("")
  const create = useChange<SipCredentialWithPassword>([path])
  if (create.data) return <NewPassword shown={create.data} onClose={onClose} />
  return (
    <FormModal
      title="Add a phone"
      act="Add it, and show its password"
      pending={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() =>
        create.mutate({
          method: "POST",
          path,
          body: { extension, ...(label !== "" && { label, display_name: label }) }
        })
      }
    >
      <Field label="Extension" hint="Four digits, by which other phones of the workspace call it.">
        <input
          inputMode="numeric"
          required
          pattern="\d{4}"
          maxLength={4}
          placeholder="1001"
          value={extension}
          onChange={({ target }) => setExtension(target.value)}
        />
      </Field>
      <Field label="Name" hint="Phones that it calls show this name.">
        <input maxLength={64} value={label} onChange={({ target }) => setLabel(target.value)} />
      </Field>
    </FormModal>
  )
}

const Registered = ({ credential }: { credential: SipCredential }) => {
  const { last_registered_at, registrations } = credential
  if (registrations.length > 0) {
    return (
      <ul>
        {registrations.map(({ contact, expires_at, transport, user_agent }) => (
          <li key={contact} className="dim" title={contact}>
            <Status of="active" word={user_agent ?? "A phone"} />{" "}
            {transport !== null && `by ${transport.toUpperCase()}, `}
            until <Time at={expires_at} format="minute" />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <span className="faint">
      {last_registered_at === null ? (
        "No phone has registered yet."
      ) : (
        <>
          No phone is registered. The last one was <Time at={last_registered_at} format="both" />.
        </>
      )}
    </span>
  )
}

interface RowProps {
  readonly credential: SipCredential
  readonly path: string
}

const Row = ({ credential, path }: RowProps) => {
  const { admin } = usePermissions()
  const [revoking, setRevoking] = useState(false)
  const own = `${path}/${credential.id}`
  const rotate = useChange<SipCredentialWithPassword>([path])
  return (
    <li className={styles.credential}>
      <div className="row wrap">
        <b className="num">{credential.extension}</b>
        {credential.label !== null && <span>{credential.label}</span>}
        <span className="faint mono">{credential.username}</span>
        <span className="grow" />
        {credential.status === "revoked" ? (
          <Status of="revoked" />
        ) : (
          admin && (
            <>
              <Button
                small
                disabled={rotate.isPending}
                onClick={() => rotate.mutate({ method: "POST", path: `${own}/rotate`, body: {} })}
              >
                New password
              </Button>
              <Button small onClick={() => setRevoking(true)}>
                Revoke
              </Button>
            </>
          )
        )}
      </div>
      {credential.status === "active" && <Registered credential={credential} />}
      {rotate.data && <NewPassword shown={rotate.data} onClose={() => rotate.reset()} />}
      {revoking && (
        <Confirm
          title={`Revoke extension ${credential.extension}?`}
          text="Its phones cannot register or call any more. This cannot be undone."
          act="Revoke it"
          method="POST"
          path={`${own}/revoke`}
          stale={[path]}
          onClose={() => setRevoking(false)}
        />
      )}
    </li>
  )
}

export const Credentials = ({ id }: { id: string }) => {
  const path = `/v1/numbers/${id}/sip-credentials`
  const { admin } = usePermissions()
  const [adding, setAdding] = useState(false)
  const read = useRead<ReadonlyArray<SipCredential>>(path, { every_ms: 5_000 })
  return (
    <Card
      title="Phones"
      note={read.data?.filter(({ status }) => status === "active").length}
      acts={
        admin && (
          <Button small icon="plus" onClick={() => setAdding(true)}>
            Add a phone
          </Button>
        )
      }
    >
      {adding && <NewCredential path={path} onClose={() => setAdding(false)} />}
      <Loaded read={read} what="The phones">
        {(all) =>
          all.length === 0 ? (
            <State icon="phone" title="No phone registers with this number.">
              <p>An extension is a user name and a password for a desk phone, a softphone or a browser.</p>
            </State>
          ) : (
            <ul className={styles.credentials}>
              {all.map((credential) => (
                <Row key={credential.id} credential={credential} path={path} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
