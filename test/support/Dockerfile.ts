// Carries out the steps of a Dockerfile in a folder, without Docker: each stage has a folder that stands for its root.
import { Effect } from "effect"
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { basename, isAbsolute, join, relative } from "node:path"
import type { CleanFolder } from "./CleanFolder.ts"

export interface Instruction {
  readonly name: string
  readonly text: string
}

export interface Stage {
  /** Undefined for the last, which is the image. */
  readonly name: string | undefined
  readonly instructions: ReadonlyArray<Instruction>
}

const instructionsOf = (text: string): ReadonlyArray<Instruction> =>
  text
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? []
      return { name, text: rest.trim().replaceAll(/\s+/g, " ") }
    })

export const stagesOf = (text: string): ReadonlyArray<Stage> => {
  const stages: Array<{ name: string | undefined; instructions: Array<Instruction> }> = []
  for (const instruction of instructionsOf(text)) {
    if (instruction.name === "FROM") {
      const [, name] = / AS (\w+)$/.exec(instruction.text) ?? []
      stages.push({ name, instructions: [] })
    } else stages.at(-1)?.instructions.push(instruction)
  }
  return stages
}

/** The value of an instruction that is written as a JSON list. */
export const listOf = ({ instructions }: Stage, name: string): ReadonlyArray<string> => {
  const found = instructions.find((each) => each.name === name)
  return JSON.parse(found?.text ?? "[]") as ReadonlyArray<string>
}

export const environmentOf = ({ instructions }: Stage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    instructions
      .filter(({ name }) => name === "ENV")
      .flatMap(({ text }) => text.split(" ").map((pair) => pair.split("=", 2) as [string, string]))
  )

/** Steps for root, of a system that the test does not have: packages of the base, and the user. */
const isOfTheBase = (text: string): boolean => text.startsWith("apt-get update && apt-get install ")

const copy = (from: string, to: string, ignored: ReadonlySet<string>): void =>
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !ignored.has(relative(process.cwd(), source))
  })

interface Copied {
  readonly sources: ReadonlyArray<string>
  readonly to: string
  readonly stage: string | undefined
}

const copied = (text: string): Copied => {
  const words = text.split(" ")
  const [, stage] = /^--from=(\w+)$/.exec(words[0] ?? "") ?? []
  const paths = words.filter((word) => !word.startsWith("--"))
  return { sources: paths.slice(0, -1), to: paths.at(-1) ?? ".", stage }
}

/** Carries out the stages below a folder, and returns the folder that stands for the root of the image. */
export const carryOut = (folder: CleanFolder, stages: ReadonlyArray<Stage>, ignore: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const ignored = new Set(ignore)
    const rootOf = (name: string | undefined): string => join(folder.path, `stage-${name ?? "image"}`)
    for (const { instructions, name: stage } of stages) {
      const root = rootOf(stage)
      // What the base has.
      mkdirSync(join(root, "usr/local/bin"), { recursive: true })
      let workdir = root
      for (const { name, text } of instructions) {
        if (name === "WORKDIR") mkdirSync((workdir = join(root, text)), { recursive: true })
        if (name === "COPY") {
          const { sources, stage: other, to } = copied(text)
          const target = isAbsolute(to) ? join(root, to) : join(workdir, to)
          for (const source of sources) {
            const from = other === undefined ? join(process.cwd(), source) : join(rootOf(other), source)
            // A folder is copied as what is in it, a file into a folder under its own name.
            const into = to.endsWith("/") && statSync(from).isFile() ? join(target, basename(source)) : target
            copy(from, into, ignored)
          }
        }
        if (name !== "RUN" || isOfTheBase(text)) continue
        const command = text.replaceAll(/(?<=^|[\s=])\/(?=usr\/|app\/)/g, `${root}/`)
        const { code, stderr, stdout } = yield* folder.run("sh", ["-ec", command], { in: workdir })
        if (code !== 0) throw new Error(`RUN ${text} ended with ${code}:\n${stdout}${stderr}`)
      }
    }
    return rootOf(undefined)
  })

export const readDockerfile = () => ({
  stages: stagesOf(readFileSync("Dockerfile", "utf8")),
  ignore: existsSync(".dockerignore") ? readFileSync(".dockerignore", "utf8").split("\n").filter(Boolean) : []
})
