// After an install: builds the console where its sources and the builder are there. An install without them goes on.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"

const root = join(import.meta.dirname, "..")
const folder = join(root, "dist/console")

/** Smaller files gain nothing. */
const worthCompressing_bytes = 1024

/** Writes the Brotli and gzip forms beside every text file, so that serving them costs nothing. */
const compress = (): void => {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = join(folder, name)
    if (!/\.(js|css|html|svg)$/.test(name) || !statSync(file).isFile()) continue
    const bytes = readFileSync(file)
    if (bytes.length < worthCompressing_bytes) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

/** Production installs have no builder. */
const builder = await import("vite").catch(() => undefined)
// Told on stderr: `npm pack --json` prints its result on stdout.
if (builder === undefined || !existsSync(join(root, "console/index.html"))) {
  console.error("The console is not built: its sources or the builder are not here.")
} else {
  const began_at = performance.now()
  await builder.build({ configFile: join(root, "console/vite.config.ts"), logLevel: "error" })
  compress()
  console.error(`The console is built, in ${Math.round(performance.now() - began_at)} ms.`)
}
