// A request is pasted, and the page says whether its signature is right, and if not, why. Nothing leaves the browser.
import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { areaClass, Field } from "../../ui/Field.tsx"
import { Note } from "../../ui/States.tsx"
import { type Finding, findMistake } from "./FindMistake.ts"

const empty = { signature: "", body: "", secret: "", computed: "" }

const Result = ({ finding }: { finding: Finding }) => (
  <Note tone={finding.good ? "good" : "bad"}>
    <p>
      <b>{finding.what}</b> {finding.advice}
    </p>
  </Note>
)

export const Verifier = () => {
  const [request, setRequest] = useState(empty)
  const [finding, setFinding] = useState<Finding>()
  const set = (part: Partial<typeof empty>) => {
    setRequest({ ...request, ...part })
    setFinding(undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void findMistake(request).then(setFinding)
  }
  const unable = typeof crypto.subtle === "undefined"
  return (
    <Card title="Check a signature" note="it stays in this browser">
      <form className="stack loose" onSubmit={submit}>
        <Field label="X-Service-Signature">
          <input
            required
            placeholder="t=1790856000,v1=4f2d…"
            value={request.signature}
            onChange={({ target }) => set({ signature: target.value })}
          />
        </Field>
        <Field label="Body" hint="As it came, byte for byte.">
          <textarea
            required
            rows={8}
            className={areaClass}
            spellCheck={false}
            value={request.body}
            onChange={({ target }) => set({ body: target.value })}
          />
        </Field>
        <Field label="Secret of the endpoint">
          <input
            required
            type="password"
            autoComplete="off"
            placeholder="whsec_…"
            value={request.secret}
            onChange={({ target }) => set({ secret: target.value })}
          />
        </Field>
        <Field
          label="What your program computed"
          hint="64 hex digits. With it the page can name your program's mistake."
        >
          <input value={request.computed} onChange={({ target }) => set({ computed: target.value })} />
        </Field>
        {unable && <Note tone="wait">The browser can check signatures over https or on localhost only.</Note>}
        <div>
          <Button type="submit" kind="main" disabled={unable}>
            Check it
          </Button>
        </div>
        <div role="status">{finding && <Result finding={finding} />}</div>
      </form>
    </Card>
  )
}
