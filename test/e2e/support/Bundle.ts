// Bundles a Node package and the modules that it needs into one script for a browser.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const manifestOf = (file: string): { readonly path: string; readonly browser?: unknown } => {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      const path = join(folder, "package.json")
      return { path, ...(JSON.parse(readFileSync(path, "utf8")) as object) }
    } catch {
      if (folder === dirname(folder)) return { path: file }
    }
  }
}

/** The file of a module, or the `browser` file of its manifest if it has one. */
const resolve = (name: string, from: string): string => {
  // With the slash, Node does not resolve to a built-in module of the same name.
  const found = createRequire(from).resolve(name.startsWith(".") || name.includes("/") ? name : `${name}/`)
  const { browser, path } = manifestOf(found)
  return !name.startsWith(".") && typeof browser === "string" ? join(dirname(path), browser) : found
}

/** Returns the script. The exports of the package become the global variable `global`. */
export const bundle = (name: string, global: string): string => {
  const modules = new Map<string, string>()
  const add = (file: string): void => {
    if (modules.has(file)) return
    modules.set(file, "")
    const text = readFileSync(file, "utf8")
    if (file.endsWith(".json")) return void modules.set(file, `module.exports = ${text}`)
    const needed = text.replaceAll(/\brequire\((["'])([^"']+)\1\)/g, (_, _quote: string, wanted: string) => {
      const other = resolve(wanted, file)
      add(other)
      return `require(${JSON.stringify(other)})`
    })
    modules.set(file, needed)
  }
  const entry = resolve(name, import.meta.filename)
  add(entry)
  const table = [...modules]
    .map(([file, text]) => `${JSON.stringify(file)}: (module, exports, require) => {${text}\n}`)
    .join(",\n")
  return `{
const modules = {${table}}
const loaded = {}
const require = (file) => {
  if (loaded[file]) return loaded[file].exports
  const module = loaded[file] = { exports: {} }
  modules[file](module, module.exports, require)
  return module.exports
}
globalThis.${global} = require(${JSON.stringify(entry)})
}`
}
