import { Context } from "effect"
import type { Session } from "../../domain/access/Session.ts"

/** The session that makes the request being served, whether or not it is in a workspace. */
export class CurrentSession extends Context.Service<CurrentSession, Session>()("trunkline/http/CurrentSession") {}
