// A phone in the page: an extension of the workspace, on the client for browsers.
import { useEffect, useState, useSyncExternalStore } from "react"
import { useChange, useRead } from "../../api/Hooks.ts"
import type { NumberRecord, SipCredential } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Field } from "../../ui/Field.tsx"
import { PageHead } from "../../ui/PageHead.tsx"
import { Loaded, Note, Refused, State } from "../../ui/States.tsx"
import { Devices } from "./Devices.tsx"
import { PhoneCard } from "./PhoneCard.tsx"
import { Telephone } from "./Telephone.ts"
import { TryCalls } from "./TryCalls.tsx"

const firstExtension = "1001"

const useTelephone = (extension: string): Telephone | undefined => {
  const [telephone, setTelephone] = useState<Telephone>()
  useEffect(() => {
    const made = new Telephone(extension)
    setTelephone(made)
    return () => made.destroy()
  }, [extension])
  return telephone
}

const Desk = ({ extension, from, telephone }: { extension: string; from: string; telephone: Telephone }) => {
  const view = useSyncExternalStore(telephone.subscribe, telephone.view)
  return (
    <div className="cols aside">
      <PhoneCard telephone={telephone} view={view} extension={extension} />
      <div className="stack loose">
        <TryCalls from={from} telephone={telephone} view={view} />
        <Devices telephone={telephone} />
      </div>
    </div>
  )
}

const Connected = ({ extension, from }: { extension: string; from: string }) => {
  const telephone = useTelephone(extension)
  return telephone && <Desk key={extension} extension={extension} from={from} telephone={telephone} />
}

/** A number without an extension has nothing that could ring. */
const NewExtension = ({ number }: { number: NumberRecord }) => {
  const path = `/v1/numbers/${number.id}/sip-credentials`
  const create = useChange([path])
  return (
    <Card title="Make this browser a phone">
      <div className="stack loose">
        <p>
          A phone is an extension of a number. The browser needs no password for it, and calls to {number.number} ring
          it, unless the number is routed elsewhere.
        </p>
        <Button
          kind="main"
          icon="phone"
          disabled={create.isPending}
          onClick={() => create.mutate({ method: "POST", path, body: { extension: firstExtension } })}
        >
          Create extension {firstExtension}
        </Button>
        <Refused error={create.error} />
      </div>
    </Card>
  )
}

const Extensions = ({ number }: { number: NumberRecord }) => {
  const read = useRead<ReadonlyArray<SipCredential>>(`/v1/numbers/${number.id}/sip-credentials`)
  const [chosen, setChosen] = useState<string>()
  return (
    <Loaded read={read} what="The extensions" rows={6}>
      {(credentials) => {
        const active = credentials.filter(({ status }) => status === "active")
        const credential = active.find(({ extension }) => extension === chosen) ?? active[0]
        if (credential === undefined) return <NewExtension number={number} />
        return (
          <div className="stack loose">
            {active.length > 1 && (
              <Field label="Extension">
                <select value={credential.extension} onChange={({ target }) => setChosen(target.value)}>
                  {active.map(({ display_name, extension }) => (
                    <option key={extension} value={extension}>
                      {display_name ? `${extension}, ${display_name}` : extension}
                    </option>
                  ))}
                </select>
              </Field>
            )}
            <Connected extension={credential.extension} from={number.number} />
          </div>
        )
      }}
    </Loaded>
  )
}

const Numbers = ({ numbers }: { numbers: ReadonlyArray<NumberRecord> }) => {
  const [chosen, setChosen] = useState<string>()
  const number = numbers.find(({ id }) => id === chosen) ?? numbers[0]
  if (number === undefined) {
    return (
      <State icon="numbers" title="This workspace has no number that a phone could belong to.">
        <p>Claim one, and come back: a phone in the browser is an extension of a number.</p>
        <ButtonLink to="/numbers" kind="main">
          Claim a number
        </ButtonLink>
      </State>
    )
  }
  return (
    <div className="stack loose">
      {numbers.length > 1 && (
        <Field label="Number">
          <select value={number.id} onChange={({ target }) => setChosen(target.value)}>
            {numbers.map(({ id, number }) => (
              <option key={id} value={id}>
                {number}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Extensions key={number.id} number={number} />
    </div>
  )
}

/** Browsers give the microphone to secure pages only. */
const isInsecure = !("mediaDevices" in navigator)

const SoftphonePage = () => {
  const read = useRead<ReadonlyArray<NumberRecord>>("/v1/numbers", { query: { limit: 200 } })
  const { call } = usePermissions()
  return (
    <>
      <PageHead title="Softphone" text="Calls with your own voice, from this page." />
      {!call ? (
        <State icon="lock" title="Your role cannot place calls.">
          <p>Owners, admins and members can. Ask one of them to change your role.</p>
        </State>
      ) : isInsecure ? (
        <Note tone="bad">
          <p>
            <b>The browser gives the microphone to pages over HTTPS and on localhost only.</b> Open the console by one
            of them.
          </p>
        </Note>
      ) : (
        <Loaded read={read} what="The numbers" rows={6}>
          {(numbers) => (
            <Numbers numbers={numbers.filter(({ status }) => status === "active" || status === "past_due")} />
          )}
        </Loaded>
      )}
    </>
  )
}

export default SoftphonePage
