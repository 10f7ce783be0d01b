// Sign-in by a link in a mail, through the identity provider, or, in development, by one click.
import { useQueryClient } from "@tanstack/react-query"
import { Link, useLocation } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { useChange, useRead } from "../api/Hooks.ts"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { Note, Refused } from "../ui/States.tsx"
import { sessionPath, useSessionRead } from "./Session.tsx"
import styles from "./SignInPage.module.css"
import { Welcome } from "./Welcome.tsx"

interface SignInOptions {
  readonly identity_provider: boolean
  /** Whom one click signs in as; empty in production. */
  readonly demo: ReadonlyArray<"owner" | "operator">
}

const useOptions = () => useRead<SignInOptions>("/sign-in/options")

const demoWords = { owner: "the owner of the demo workspace", operator: "an operator of the platform" } as const

const DemoEntrance = ({ demo }: Pick<SignInOptions, "demo">) => {
  const client = useQueryClient()
  const enter = useChange<void>([])
  if (demo.length === 0) return null
  const click = (as: "owner" | "operator") =>
    enter.mutate(
      { method: "POST", path: "/sign-in/demo", body: { as } },
      { onSuccess: () => client.resetQueries({ queryKey: [sessionPath] }) }
    )
  return (
    <section className={styles.demo} aria-label="Development">
      <p>
        <b>This engine runs in development.</b> Enter with one click as
      </p>
      <div className={styles.demoButtons}>
        {demo.map((as) => (
          <Button key={as} kind={as === "owner" ? "main" : undefined} onClick={() => click(as)} wide>
            {demoWords[as]}
          </Button>
        ))}
      </div>
      <Refused error={enter.error} />
    </section>
  )
}

const Mailed = ({ email, onAgain }: { email: string; onAgain: () => void }) => {
  // The link is opened in another tab. This one notices.
  useSessionRead(3_000)
  return (
    <>
      <Note tone="good">
        <p>
          <b>A mail is on its way to {email}.</b> Its link works once, for 15 minutes. Open it in this browser: this
          page goes on by itself.
        </p>
      </Note>
      <Button onClick={onAgain}>Use another address</Button>
    </>
  )
}

const words = {
  in: { title: "Sign in", act: "Mail me a link", path: "/v1/auth/magic-link" },
  up: { title: "Create an account", act: "Create the account", path: "/v1/auth/signup" }
} as const

const EmailForm = ({ way }: { way: "in" | "up" }) => {
  const [email, setEmail] = useState("")
  const ask = useChange([])
  if (ask.isSuccess) return <Mailed email={email} onAgain={() => ask.reset()} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate({ method: "POST", path: words[way].path, body: { email } })
  }
  return (
    <form className="stack loose" onSubmit={submit}>
      <Field label="E-mail address">
        <input
          type="email"
          name="email"
          autoComplete="email"
          required
          maxLength={320}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Button type="submit" kind="main" wide disabled={ask.isPending}>
        {words[way].act}
      </Button>
      <Refused error={ask.error} />
    </form>
  )
}

/** `ended`: there was a session in this page before. */
const SignInPage = ({ ended = false }: { ended?: boolean }) => {
  const { pathname } = useLocation()
  const options = useOptions()
  const way = pathname === "/sign-up" ? "up" : "in"
  const { demo = [], identity_provider = false } = options.data ?? {}
  return (
    <Welcome title={words[way].title}>
      {ended && <Note tone="wait">Your session has ended. After you sign in, this page continues where it was.</Note>}
      <DemoEntrance demo={demo} />
      <EmailForm key={way} way={way} />
      {identity_provider && (
        <a className={styles.provider} href={`/v1/auth/idp/start?return_to=${encodeURIComponent(pathname)}`}>
          Continue with your identity provider
        </a>
      )}
      <p className="dim">
        {way === "in" ? "No account yet? " : "You have an account? "}
        {way === "in" ? <Link to="/sign-up">Create one</Link> : <Link to="/">Sign in</Link>}
      </p>
    </Welcome>
  )
}

export default SignInPage
