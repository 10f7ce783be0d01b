// The SIP trunk over which the workspace brings its own numbers: its state, changing it, and its numbers.
import { useState } from "react"
import { useRead } from "../../api/Hooks.ts"
import { ApiError } from "../../api/Request.ts"
import type { SipTrunk } from "../../api/Types.ts"
import { usePermissions, useWorkspace } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { Loaded, Note, State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { Time } from "../../ui/Values.tsx"
import { BringNumber } from "./BringNumber.tsx"
import { modeWords } from "./TrunkDraft.ts"
import { TrunkForm } from "./TrunkForm.tsx"

const path = "/v1/sip-trunk"

const reachability = ({ last_checked_at, last_sip_code, reachable }: SipTrunk["health"]) =>
  last_checked_at === null || reachable === null ? (
    <span className="faint">Not probed yet</span>
  ) : (
    <>
      <Status of={reachable ? "succeeded" : "failed"} word={reachable ? "It answers" : "It does not answer"} />{" "}
      <span className="dim">
        {last_sip_code !== null && `${last_sip_code}, `}
        <Time at={last_checked_at} format="both" />
      </span>
    </>
  )

const limitText = (limit: number | null): string => (limit === null ? "no limit" : String(limit))

const Details = ({ trunk }: { trunk: SipTrunk }) => (
  <Facts
    facts={[
      ["Mode", modeWords[trunk.auth_mode]],
      ["Your side", `${trunk.host ?? trunk.registrar ?? ""}:${trunk.port}, ${trunk.transport.toUpperCase()}`],
      ["Your addresses", trunk.allowed_ips.length === 0 ? undefined : trunk.allowed_ips.join(", ")],
      ["Name", trunk.username ?? undefined],
      ["Answer to the last probe", reachability(trunk.health)],
      [
        "Registered until",
        trunk.health.registered_until === null ? undefined : (
          <Time key="until" at={trunk.health.registered_until} format="both" />
        )
      ],
      ["Calls at once", limitText(trunk.max_channels)],
      ["New calls a second", limitText(trunk.max_cps)],
      ["Codecs", trunk.codecs.join(", ")],
      ["Digits, encryption", `${trunk.dtmf}, SRTP ${trunk.srtp}`],
      ["Changed", <Time key="changed" at={trunk.updated_at} format="both" />]
    ]}
  />
)

type Dialog = "change" | "remove" | "bring"

const Connected = ({ trunk }: { trunk: SipTrunk }) => {
  const { admin } = usePermissions()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  return (
    <Card
      title={trunk.label ?? "SIP trunk"}
      note={<Status of={trunk.status} />}
      acts={
        admin && (
          <div className="row wrap">
            {trunk.status === "active" && (
              <Button kind="main" icon="plus" onClick={() => setDialog("bring")}>
                Bring a number
              </Button>
            )}
            <Button onClick={() => setDialog("change")}>Change</Button>
            <Button onClick={() => setDialog("remove")}>Disconnect</Button>
          </div>
        )
      }
    >
      <div className="stack loose">
        {trunk.status_reason !== null && (
          <Note tone={trunk.status === "failed" ? "bad" : "wait"}>{trunk.status_reason}</Note>
        )}
        <Details trunk={trunk} />
      </div>
      {dialog === "bring" && <BringNumber onClose={close} />}
      {dialog === "change" && <TrunkForm trunk={trunk} onClose={close} />}
      {dialog === "remove" && (
        <Confirm
          title="Disconnect the trunk?"
          text="Calls over it end. It is refused while numbers of yours come over it."
          act="Disconnect it"
          method="DELETE"
          path={path}
          stale={[path, "/v1/numbers"]}
          onClose={close}
        />
      )}
    </Card>
  )
}

const NoTrunk = () => {
  const { admin } = usePermissions()
  const { data: workspace } = useWorkspace()
  const [connecting, setConnecting] = useState(false)
  const locked = workspace?.number_mode === "platform"
  return (
    <Card title="SIP trunk">
      <State icon="numbers" title={locked ? "This workspace uses numbers of the platform." : "No trunk is connected."}>
        <p>
          {locked
            ? "The first claim has decided that for ever: a trunk of your own cannot become active here."
            : "Over a trunk to your own PBX or carrier you use numbers that you have already. That excludes claiming numbers, for ever."}
        </p>
        {admin && !locked && (
          <Button kind="main" onClick={() => setConnecting(true)}>
            Connect a trunk
          </Button>
        )}
        {!admin && !locked && <p className="faint">Owners and admins can connect one.</p>}
      </State>
      {connecting && <TrunkForm trunk={undefined} onClose={() => setConnecting(false)} />}
    </Card>
  )
}

export const Trunk = () => {
  const read = useRead<SipTrunk>(path, { every_ms: 5_000 })
  if (read.error instanceof ApiError && read.error.status === 404) return <NoTrunk />
  return (
    <Loaded read={read} what="The trunk">
      {(trunk) => <Connected trunk={trunk} />}
    </Loaded>
  )
}
