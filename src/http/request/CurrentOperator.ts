import { Context } from "effect"
import type { Session } from "../../domain/access/Session.ts"

/** The operator of the platform who makes the request being served. */
export class CurrentOperator extends Context.Service<CurrentOperator, Session>()("trunkline/http/CurrentOperator") {}
