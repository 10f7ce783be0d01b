// Where the documents of the API break a rule on purpose.

interface Exception {
  readonly rule: string
  /** Where it may be broken: how the pointer begins. */
  readonly place: string
  readonly reason: string
}

const pathOf = (path: string): string => `#/paths/${path.replaceAll("/", "~1")}`

const exceptionsFor = (rule: string, reason: string, paths: ReadonlyArray<string>): ReadonlyArray<Exception> =>
  paths.map((path) => ({ rule, place: pathOf(path), reason }))

const exceptions: ReadonlyArray<Exception> = [
  ...exceptionsFor("no-ambiguous-paths", "The id of a number is a UUID, so that it is never `byo`.", [
    "/v1/numbers/{id}/claim",
    "/v1/numbers/{id}/release",
    "/v1/numbers/{id}/routing",
    "/v1/numbers/{id}/sip-credentials"
  ]),
  ...exceptionsFor("operation-4xx-response", "It takes nothing that could be wrong, and nobody is refused.", [
    "/healthz",
    "/readyz",
    "/openapi.json",
    "/asyncapi.json"
  ]),
  ...exceptionsFor("operation-2xx-response", "It succeeds with a redirect.", [
    "/v1/calls/{id}/recording/download",
    "/v1/auth/idp/start",
    "/v1/auth/idp/link",
    "/v1/auth/idp/callback"
  ]),
  ...exceptionsFor("operation-2xx-response", "It succeeds with 101: the connection becomes a WebSocket.", [
    "/v1/pbx/feed"
  ])
]

const used = new Set<Exception>()

export const exceptionFor = (rule: string, pointer: string): Exception | undefined => {
  const found = exceptions.find((each) => each.rule === rule && pointer.startsWith(each.place))
  if (found !== undefined) used.add(found)
  return found
}

/** The exceptions that no fault has needed so far. */
export const unusedExceptions = (): ReadonlyArray<Exception> => exceptions.filter((each) => !used.has(each))
