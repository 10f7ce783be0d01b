// Keeps an invitation's token in a cookie while the invited person signs in.
import type { HttpServerRequest } from "effect/http"
import { cookieOf, setCookie } from "../request/SessionCookie.ts"

const name = "invitation"
const maxAge_ms = 30 * 60_000

export const keepInvitation = (token: string) => setCookie(name, token, maxAge_ms)

export const keptInvitation = (request: HttpServerRequest.HttpServerRequest, secure: boolean): string | undefined =>
  cookieOf(request, name, secure)

export const forgetInvitation = setCookie(name, "", 0)
