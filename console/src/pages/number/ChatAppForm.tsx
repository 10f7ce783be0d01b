// The call settings of the chat app, as a form.
import { useState } from "react"
import { useChange } from "../../api/Hooks.ts"
import type { ChatAppCallSettings } from "../../api/Types.ts"
import { Tick, Ticks } from "../../ui/Choices.tsx"
import { Field } from "../../ui/Field.tsx"
import { wordsOf } from "../../ui/Format.ts"
import { FormModal } from "../../ui/FormModal.tsx"
import { type ChatAppDraft, draftOf, settingsOf, weekdays } from "./ChatAppDraft.ts"
import styles from "./Number.module.css"

const triggers = [
  ["no_answer", "No answer"],
  ["declined", "Declined"],
  ["outside_hours", "Outside of the hours"],
  ["busy", "Busy"]
] as const
const codecs = [
  ["PCMA", "PCMA"],
  ["PCMU", "PCMU"]
] as const

interface PartProps {
  readonly draft: ChatAppDraft
  readonly set: (change: Partial<ChatAppDraft>) => void
}

/** One pair of times a day. A second pair of a day, which the API knows, stays as it is. */
const WeekHours = ({ draft, set }: PartProps) => (
  <div className={styles.days} role="group" aria-label="Hours of the week">
    {weekdays.map((day) => {
      const index = draft.hours.findIndex((each) => each.day === day)
      const now = draft.hours[index]
      const word = wordsOf(day.toLowerCase())
      const change = (part: { open?: string; close?: string }) =>
        set({ hours: draft.hours.map((each, place) => (place === index ? { ...each, ...part } : each)) })
      return [
        <Tick
          key={day}
          label={word}
          on={now !== undefined}
          onChange={(on) =>
            set({
              hours: on
                ? [...draft.hours, { day, open: "09:00", close: "17:00" }]
                : draft.hours.filter((each) => each.day !== day)
            })
          }
        />,
        <input
          key={`${day}-open`}
          type="time"
          aria-label={`${word} from`}
          disabled={now === undefined}
          value={now?.open ?? ""}
          onChange={({ target }) => change({ open: target.value })}
        />,
        <input
          key={`${day}-close`}
          type="time"
          aria-label={`${word} until`}
          disabled={now === undefined}
          value={now?.close ?? ""}
          onChange={({ target }) => change({ close: target.value })}
        />
      ]
    })}
  </div>
)

const HoursPart = ({ draft, set }: PartProps) => (
  <>
    <Tick label="Take calls at certain hours only" on={draft.hours_on} onChange={(hours_on) => set({ hours_on })} />
    {draft.hours_on && (
      <>
        <Field label="Time zone" hint="Of the IANA database, such as Africa/Nairobi.">
          <input required value={draft.zone} onChange={({ target }) => set({ zone: target.value })} />
        </Field>
        <WeekHours draft={draft} set={set} />
      </>
    )}
  </>
)

const VoicemailPart = ({ draft, set }: PartProps) => (
  <>
    <Tick label="Offer voicemail" on={draft.voicemail} onChange={(voicemail) => set({ voicemail })} />
    {draft.voicemail && (
      <>
        <Ticks legend="When" all={triggers} chosen={draft.triggers} onChange={(chosen) => set({ triggers: chosen })} />
        <Field label="After so many seconds">
          <input
            type="number"
            min={5}
            max={60}
            required
            value={draft.timeout}
            onChange={({ target }) => set({ timeout: target.value })}
          />
        </Field>
      </>
    )}
  </>
)

interface FormProps {
  readonly stored: ChatAppCallSettings
  readonly path: string
  readonly onClose: () => void
}

export const ChatAppForm = ({ onClose, path, stored }: FormProps) => {
  const [draft, setDraft] = useState(() => draftOf(stored))
  const change = useChange([path])
  const set = (part: Partial<ChatAppDraft>) => setDraft({ ...draft, ...part })
  const parts = { draft, set }
  return (
    <FormModal
      title="Calls in the chat app"
      text="The settings are stored when the provider has accepted them. Phones may show a change days later."
      act="Save"
      wide
      pending={change.isPending}
      error={change.error}
      onClose={onClose}
      onSubmit={() => change.mutate({ method: "PUT", path, body: settingsOf(draft, stored) }, { onSuccess: onClose })}
    >
      <Tick label="People can call this number in the chat app" on={draft.on} onChange={(on) => set({ on })} />
      <Tick label="Show the call button" on={draft.icon} onChange={(icon) => set({ icon })} />
      <Field label="Countries in which the button is shown" hint="Codes such as KE, by commas. Empty: all countries.">
        <input value={draft.countries} onChange={({ target }) => set({ countries: target.value })} />
      </Field>
      <HoursPart {...parts} />
      <Tick
        label="Ask callers for permission to call them back"
        on={draft.callback}
        onChange={(callback) => set({ callback })}
      />
      <VoicemailPart {...parts} />
      <Ticks
        legend="Further codecs"
        all={codecs}
        chosen={draft.codecs}
        onChange={(chosen) => set({ codecs: chosen })}
      />
    </FormModal>
  )
}
