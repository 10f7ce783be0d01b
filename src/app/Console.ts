// The routes of the console: the files that the build wrote, and what its sign-in page offers.
import { Layer } from "effect"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { toUserId } from "../domain/BrandedIds.ts"
import { type ConsoleFile, type ConsoleFiles, ConsolePages } from "../http/pages/ConsolePages.ts"
import { DemoSignIn } from "../http/pages/DemoSignIn.ts"
import { demoOperator, demoOwner } from "../layers/postgres/seed/SeedPeople.ts"
import type { Settings } from "./Settings.ts"

/** The build writes to `dist/console`: beside the compiled engine, and two folders above its sources. */
const folders = ["../console", "../../dist/console"].map((path) => join(import.meta.dirname, path))

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2"
}

const compressed = /\.(?:br|gz)$/

const read = (path: string): Uint8Array | undefined => (existsSync(path) ? readFileSync(path) : undefined)

const fileAt = (path: string): ConsoleFile => {
  const plain = readFileSync(path)
  return {
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    content_type: contentTypes[extname(path)] ?? "application/octet-stream",
    plain,
    gzip: read(`${path}.gz`),
    brotli: read(`${path}.br`)
  }
}

/** The files of the console, in memory. Undefined if it was not built. */
const builtConsole = (): ConsoleFiles | undefined => {
  const folder = folders.find((path) => existsSync(join(path, "index.html")))
  if (folder === undefined) return undefined
  const names = readdirSync(join(folder, "assets")).filter((name) => !compressed.test(name))
  return {
    index: fileAt(join(folder, "index.html")),
    assets: new Map(names.map((name) => [name, fileAt(join(folder, "assets", name))]))
  }
}

export const consoleRoutesOf = ({ environment, oidc_issuer }: Settings["Service"]) =>
  Layer.suspend(() =>
    Layer.merge(
      ConsolePages(builtConsole()),
      DemoSignIn({
        identity_provider: oidc_issuer !== undefined,
        people:
          environment === "development"
            ? { owner: toUserId(demoOwner.id), operator: toUserId(demoOperator.id) }
            : undefined
      })
    )
  )
