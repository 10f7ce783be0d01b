// Calls of the number in the chat app: what is stored, what the provider reports, and the provider's trunk.
import { useState } from "react"
import { useChange, useRead } from "../../api/Hooks.ts"
import { ApiError } from "../../api/Request.ts"
import type { ChatAppCallSettings, ChatAppCallSettingsShown, ChatAppTrunk } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { wordsOf } from "../../ui/Format.ts"
import { Loaded, Note, Refused } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { Time } from "../../ui/Values.tsx"
import { ChatAppForm } from "./ChatAppForm.tsx"

const onOff = (status: string) => (
  <Status of={status === "ENABLED" ? "active" : "closed"} word={status === "ENABLED" ? "On" : "Off"} />
)

const hoursText = ({ call_hours: { status, timezone_id, weekly_operating_hours } }: ChatAppCallSettings): string =>
  status !== "ENABLED"
    ? "At any time"
    : `${weekly_operating_hours
        .map(
          ({ close_time, day_of_week, open_time }) =>
            `${wordsOf(day_of_week.slice(0, 3).toLowerCase())} ${open_time}–${close_time}`
        )
        .join(", ")} (${timezone_id})`

const Settings = ({ settings }: { settings: ChatAppCallSettings }) => {
  const countries = settings.call_icons.restrict_to_user_countries
  const { status, triggers } = settings.voicemail
  return (
    <Facts
      facts={[
        ["Calls", onOff(settings.status)],
        [
          "Call button",
          settings.call_icon_visibility === "DEFAULT"
            ? `shown ${countries.length === 0 ? "in all countries" : `in ${countries.join(", ")}`}`
            : "hidden"
        ],
        ["Hours", hoursText(settings)],
        ["Asks to call back", onOff(settings.callback_permission_status)],
        ["Voicemail", status === "ENABLED" ? `after ${triggers.map(wordsOf).join(", ").toLowerCase()}` : onOff(status)]
      ]}
    />
  )
}

const Shown = ({ path, shown }: { shown: ChatAppCallSettingsShown; path: string }) => {
  const { admin } = usePermissions()
  const [editing, setEditing] = useState(false)
  const differs = shown.live !== undefined && JSON.stringify(shown.live) !== JSON.stringify(shown.stored)
  return (
    <div className="stack loose">
      <Settings settings={shown.stored} />
      {shown.live_error !== undefined && (
        <Note tone="wait">
          <b>The provider does not say what it has.</b> {shown.live_error}
        </Note>
      )}
      {differs && <Note tone="wait">The provider has other settings than these. {shown.propagation_note}</Note>}
      {shown.restrictions.map(({ expiration, reason, type }) => (
        <Note key={type} tone="bad">
          <b>{wordsOf(type)}.</b> {reason}, until <Time at={expiration * 1000} format="both" />.
        </Note>
      ))}
      {admin && (
        <div>
          <Button onClick={() => setEditing(true)}>Change the settings</Button>
        </div>
      )}
      {editing && <ChatAppForm stored={shown.stored} path={path} onClose={() => setEditing(false)} />}
    </div>
  )
}

const TrunkPart = ({ id }: { id: string }) => {
  const path = `/v1/numbers/${id}/chatapp/trunk`
  const { admin } = usePermissions()
  const read = useRead<ChatAppTrunk>(path, { every_ms: 5_000 })
  const ask = useChange([path])
  const none = read.error instanceof ApiError && read.error.status === 404
  if (none) {
    return (
      <div className="stack">
        <p className="dim">The provider does not send calls of this number here yet.</p>
        {admin && (
          <div>
            <Button disabled={ask.isPending} onClick={() => ask.mutate({ method: "POST", path })}>
              Ask for its calls
            </Button>
          </div>
        )}
        <Refused error={ask.error} />
      </div>
    )
  }
  return (
    <Loaded read={read} what="The provider's trunk" rows={2}>
      {({ attempts, next_retry_at, sip_host, status, status_reason }) => (
        <div className="stack">
          <Facts
            facts={[
              ["Trunk of the provider", <Status key="status" of={status} />],
              ["Why", status_reason ?? undefined],
              ["Its calls come to", sip_host ?? undefined],
              ["Attempts", attempts],
              [
                "Next attempt",
                next_retry_at === null ? undefined : <Time key="next" at={next_retry_at} format="both" />
              ]
            ]}
          />
          {admin && status === "failed" && (
            <div>
              <Button
                icon="retry"
                disabled={ask.isPending}
                onClick={() => ask.mutate({ method: "POST", path: `${path}/retry` })}
              >
                Try again
              </Button>
            </div>
          )}
          <Refused error={ask.error} />
        </div>
      )}
    </Loaded>
  )
}

export const ChatApp = ({ id }: { id: string }) => {
  const path = `/v1/numbers/${id}/chatapp/call-settings`
  const read = useRead<ChatAppCallSettingsShown>(path)
  return (
    <Card title="Calls in the chat app">
      <div className="cols halves">
        <Loaded read={read} what="The settings">
          {(shown) => <Shown shown={shown} path={path} />}
        </Loaded>
        <TrunkPart id={id} />
      </div>
    </Card>
  )
}
