// The rules for one file that the linter does not know: which folders import which, names, and where time and chance
// come from. TidyTree.ts has the rules that concern several files at once.
import { basename, dirname, join, normalize } from "node:path"

export interface Source {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

interface Floor {
  /** The folders of src that its files may import from. */
  readonly folders: ReadonlyArray<string>
  readonly packages: RegExp
  /** A folder of src that its files may import when they need it, by `import()`. */
  readonly whenNeeded?: string
  /** Whether its files may import rules that import nothing themselves. */
  readonly rulesAlone?: true
}

const floors: Readonly<Record<string, Floor>> = {
  domain: { folders: ["domain"], packages: /^effect$/ },
  actors: { folders: ["domain", "actors"], packages: /^effect(\/(cluster|rpc))?$/ },
  http: { folders: ["domain", "actors", "http"], packages: /^effect(\/(http|http-api|encoding|socket))?$/ },
  layers: { folders: ["domain", "actors", "layers"], packages: /./ },
  web: { folders: ["web"], packages: /^jssip(\/|$)/ },
  client: { folders: ["client"], packages: /^(?!)/, rulesAlone: true },
  cli: {
    folders: ["cli", "client"],
    rulesAlone: true,
    packages: /^(?:effect(?:\/cli)?|@effect\/platform-node\/.*|jsonc-parser|node:.*)$/,
    whenNeeded: "app"
  }
}
const everywhere: Floor = { folders: ["domain", "actors", "http", "layers", "app", "testing"], packages: /./ }
/** Folders of the domain that import nothing, so that programs without the engine share their rules with it. */
const rulesAlone = /^src\/domain\/(signing|text)\//
const compositions = /^src\/((main|index|testing)\.ts$|(app|testing)\/)/

const ambient = new RegExp(
  "\\b(" +
    [
      "Date\\.now",
      "new Date\\(\\)",
      "Math\\.random",
      "process\\.env",
      "set(Timeout|Interval|Immediate)",
      "performance\\.now",
      "console\\.\\w+",
      "random(UUID|Bytes)",
      "getRandomValues"
    ].join("|") +
    ")"
)
const unfinished = /\.(only|skip|todo)\(|\b(TO(?:DO)|FIX(?:ME))\b|\bas any\b(?! \w)|@ts-(ignore|nocheck|expect-error)/

/** Files whose name is a route, the number of a migration or a family of errors, and not the name of an export. */
const namedOtherwise = /^src\/(main|index|testing)\.ts$|\/migrations\/|^src\/http\/(api|handlers)\/|Errors\.ts$/

export const importsOf = (text: string) =>
  [
    ...text.matchAll(
      /^(?:import|export)\b[^"';]*?\bfrom\s+["']([^"']+)["']|^import\s+["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm
    )
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? "")

const importedWhenNeeded = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\bimport\(\s*["']([^"']+)["']/g)].map(([, specifier = ""]) => specifier)

const directions = ({ path, text }: Source): ReadonlyArray<string> => {
  const floor = compositions.test(path) ? everywhere : floors[path.split("/")[1] ?? ""]
  if (floor === undefined) return [`${path} is in no folder of src that the rules know`]
  if (rulesAlone.test(path)) return importsOf(text).map((specifier) => `${path} imports ${specifier}`)
  const whenNeeded = floor.whenNeeded === undefined ? [] : importedWhenNeeded(text)
  return importsOf(text).flatMap((specifier) => {
    if (!specifier.startsWith("."))
      return floor.packages.test(specifier) ? [] : [`${path} imports package ${specifier}`]
    const target = normalize(join(dirname(path), specifier))
    const folder = target.split("/")[1] ?? ""
    if (folder === floor.whenNeeded && whenNeeded.includes(specifier)) return []
    if (floor.rulesAlone === true && rulesAlone.test(target)) return []
    const allowed = floor.folders.includes(folder) && (floor === everywhere || !compositions.test(target))
    return allowed ? [] : [`${path} imports ${target}`]
  })
}

const names = ({ path, text }: Source): ReadonlyArray<string> => {
  if (namedOtherwise.test(path)) return []
  const name = basename(path, ".ts")
  if (!/^([A-Z][a-z0-9]*)+$/.test(name)) return [`${path} is not PascalCase`]
  const words = name.match(/[A-Z][a-z0-9]*/g) ?? []
  const exported = [...text.matchAll(/^export (?:abstract )?(class|const|function) (\w+)/gm)]
  const hasClass = exported.some(([, kind]) => kind === "class")
  const isNamedAfter = !hasClass || exported.some(([, , it = ""]) => words.some((word) => it.includes(word)))
  return isNamedAfter ? [] : [`${path} is named after no class that it exports`]
}

/** A line of a comment, or a line that ends in one. */
const comment = /^\s*(\/\/|\/?\*)|[\s;{}()\]]\/\/ /
const maxColumns = 120

/** Lines with a comment that the formatter leaves longer than the page is wide. */
export const longComments = ({ path, text }: Source): ReadonlyArray<string> =>
  text
    .split("\n")
    .flatMap((line, index) =>
      line.length > maxColumns && comment.test(line)
        ? [`${path}:${index + 1} has a comment of ${line.length} columns`]
        : []
    )

/** `reply._tag` tests, and error codes compared as text: a command's type and the class of an error say both. */
const comparedAsText = /\breply\._tag\b|_tag === "[a-z_]+\.[a-z_]+"/g

/** The runtime alone handles replies and codes whose types it cannot know. */
export const textComparisons = ({ path, text }: Source): ReadonlyArray<string> =>
  !path.startsWith("src/") || path.startsWith("src/actors/runtime/")
    ? []
    : [...text.matchAll(comparedAsText)].map(([found]) => `${path} tests ${found}`)

/**
 * What has a default or may be missing. Where a layer that does something is forgotten, the compiler must say so; only
 * what a request, a command or an endpoint carries may have a default, and a list that works where nobody replaces it.
 */
const defaulted = /Context\.Reference\b|\bserviceOption\(/
const mayHaveDefault =
  /^src\/(actors\/runtime\/Tracing|domain\/access\/CurrentTenant|http\/request\/(EndpointPolicy|RequestId)|layers\/state\/UnreadableRows)\.ts$/

/** `Effect.fn(name)` costs time where nobody traces; `traced(name)` of src/domain/Traced.ts does not. */
const costlySpans = ({ path, text }: Source): ReadonlyArray<string> =>
  path !== "src/domain/Traced.ts" && /\bEffect\.fn\(/.test(text) ? [`${path} uses Effect.fn instead of traced`] : []

/**
 * What runs in a browser or in an application has no services: these files carry out what the pure ones beside them
 * decide.
 */
const ownClock =
  /^src\/(layers\/|app\/|cli\/|testing\/Machine\.ts$|client\/(EventStream|Transport|WebhookVerification)\.ts$|web\/(Client|GateSocket|Line|QualityMonitor|SipCall)\.ts$)/

/**
 * Data types among the ports: they belong to the area that they describe. An interface with a function, an effect or a
 * stream in it is part of a port.
 */
const portData = ({ path, text }: Source): ReadonlyArray<string> =>
  path.startsWith("src/domain/ports/")
    ? [...text.matchAll(/^export (?:(?:const|type) (\w+)|interface (\w+)[^{}]*\{((?:[^{}]|\{[^{}]*\})*)\})/gm)]
        .filter(([, , , members]) => members === undefined || !/=>|\b(Effect|Stream)\./.test(members))
        .map(([, value, type]) => `${path} declares ${value ?? type}, which is no port`)
    : []

/**
 * The files that may switch the type check off with `as never` or `as unknown as`: the runtime, which handles all kinds
 * of actors alike, tables whose entries lose their types, and two gaps in the types of JsSIP.
 */
const mayForceTypes = new RegExp(
  "^src/(" +
    [
      "actors/runtime/\\w+",
      "app/Settings",
      "domain/Command",
      "domain/calls/verbs/(ParseVoiceActions|VoiceAction)",
      "domain/state/StoredState",
      "web/(Line|Listeners|SipCall)"
    ].join("|") +
    ")\\.ts$"
)
const forcedType = /\bas (?:never|unknown as)\b/

/** Every rule that one file breaks. */
export const untidy = (source: Source): ReadonlyArray<string> => {
  const { path, text } = source
  const mark = unfinished.exec(text)
  const marks = mark === null ? [] : [`${path} holds ${mark[0]}`]
  if (!path.startsWith("src/")) return marks
  const chance = ownClock.test(path) ? null : ambient.exec(text)
  const forced = mayForceTypes.test(path) ? null : forcedType.exec(text)
  const optional = mayHaveDefault.test(path) ? null : defaulted.exec(text)
  return [
    ...directions(source),
    ...names(source),
    ...costlySpans(source),
    ...portData(source),
    ...(forced === null ? [] : [`${path} uses ${forced[0]}`]),
    ...(optional === null ? [] : [`${path} uses ${optional[0]}`]),
    ...(chance === null ? [] : [`${path} uses ${chance[0]}`]),
    ...marks
  ]
}
