// An invitation is kept in a cookie while its reader signs in.
import type { HttpServerRequest } from "effect/http"
import { cookieOf, setCookie } from "../request/SessionCookie.ts"

const name = "invitation"
const kept_ms = 30 * 60_000

export const keepInvitation = (token: string) => setCookie(name, token, kept_ms)

export const keptInvitation = (request: HttpServerRequest.HttpServerRequest): string | undefined =>
  cookieOf(request, name)

export const forgetInvitation = setCookie(name, "", 0)
