// An OpenID provider over HTTP, and a person who signs in there with a browser.
import { Effect } from "effect"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Provider } from "oidc-provider"

export const client = { client_id: "trunkline", client_secret: "a-secret-of-the-test" }

/** `ann` is ann@example.com; the address of `shy` is not verified. */
const accountOf = (name: string) => ({
  accountId: name,
  claims: () => ({ sub: name, email: `${name}@example.com`, email_verified: name !== "shy" })
})

const listen = (server: Server) =>
  Effect.callback<number>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
  })

/** `redirect_uri` is the URL that people return to. */
export const openIdServer = Effect.fnUntraced(function* (redirect_uri: string) {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => createServer()),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  const issuer = `http://127.0.0.1:${yield* listen(server)}`
  const provider = new Provider(issuer, {
    clients: [
      { ...client, redirect_uris: [redirect_uri], response_types: ["code"], grant_types: ["authorization_code"] }
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    findAccount: (_: unknown, name: string) => accountOf(name),
    cookies: { keys: ["a key of the test"] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 }
  })
  server.on("request", provider.callback())
  return issuer
})

/** Follows redirects and fills in forms as `name` until the provider redirects back. Returns that URL. */
export const signInAt = (url: string, name: string, redirect_uri: string) =>
  Effect.promise(async () => {
    const jar = new Map<string, string>()
    let next = url
    let form: URLSearchParams | undefined
    for (let step = 0; step < 12; step++) {
      if (next.startsWith(redirect_uri)) return next
      const response = await fetch(next, {
        method: form === undefined ? "GET" : "POST",
        redirect: "manual",
        headers: { cookie: [...jar].map(([key, value]) => `${key}=${value}`).join("; ") },
        ...(form && { body: form })
      })
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";")
        jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1))
      }
      const location = response.headers.get("location")
      const text = await response.text()
      if (location !== null) {
        next = new URL(location, next).href
        form = undefined
      } else {
        const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1]
        if (action === undefined)
          throw new Error(`The provider shows no form: ${response.status} ${text.slice(0, 300)}`)
        form = new URLSearchParams(
          text.includes('name="login"') ? { prompt: "login", login: name, password: "x" } : { prompt: "consent" }
        )
        next = new URL(action, next).href
      }
    }
    throw new Error("The provider sends the person in circles.")
  })
