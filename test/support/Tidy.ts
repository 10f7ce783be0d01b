// The rules of the house that a linter does not know: who may import whom, names, and where time and chance come from.
import { basename, dirname, join, normalize } from "node:path"

export interface Source {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

interface Room {
  /** Folders of src that it may import from. */
  readonly folders: ReadonlyArray<string>
  readonly packages: RegExp
}

const rooms: Readonly<Record<string, Room>> = {
  domain: { folders: ["domain"], packages: /^effect$/ },
  actors: { folders: ["domain", "actors"], packages: /^effect(\/(cluster|rpc))?$/ },
  http: { folders: ["domain", "actors", "http"], packages: /^effect(\/(http|http-api|encoding|socket))?$/ },
  layers: { folders: ["domain", "actors", "layers"], packages: /./ }
}
const everywhere: Room = { folders: ["domain", "actors", "http", "layers", "app"], packages: /./ }
const compositions = /^src\/((main|index|testing)\.ts$|app\/)/

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

/** Named after a path of the API, a number, or a family of errors, and not after an export. */
const namedOtherwise = /^src\/(main|index|testing)\.ts$|\/migrations\/|^src\/http\/(api|handlers)\/|Errors\.ts$/

const importsOf = (text: string) =>
  [
    ...text.matchAll(
      /^(?:import|export)\b[^"';]*?\bfrom\s+["']([^"']+)["']|^import\s+["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm
    )
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? "")

const directions = ({ path, text }: Source): ReadonlyArray<string> => {
  const room = compositions.test(path) ? everywhere : rooms[path.split("/")[1] ?? ""]
  if (room === undefined) return [`${path} is in no room of the house`]
  return importsOf(text).flatMap((specifier) => {
    if (!specifier.startsWith(".")) return room.packages.test(specifier) ? [] : [`${path} imports package ${specifier}`]
    const target = normalize(join(dirname(path), specifier))
    const folder = target.split("/")[1] ?? ""
    const allowed = room.folders.includes(folder) && (room === everywhere || !compositions.test(target))
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

/** What breaks a rule in one file. */
export const untidy = (source: Source): ReadonlyArray<string> => {
  const { path, text } = source
  const mark = unfinished.exec(text)
  const marks = mark === null ? [] : [`${path} holds ${mark[0]}`]
  if (!path.startsWith("src/")) return marks
  const chance = /^src\/(layers|app)\//.test(path) ? null : ambient.exec(text)
  return [...directions(source), ...names(source), ...(chance === null ? [] : [`${path} uses ${chance[0]}`]), ...marks]
}
