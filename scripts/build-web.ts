// `npm run build`: writes the browser client, with JsSIP inside, to dist/web.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { bundleWeb, webBundleFolder } from "./web/WebBundle.ts"

const { code, licences, map } = await bundleWeb()
mkdirSync(webBundleFolder, { recursive: true })
writeFileSync(join(webBundleFolder, "trunkline-web.js"), code)
writeFileSync(join(webBundleFolder, "trunkline-web.js.map"), map)
writeFileSync(join(webBundleFolder, "trunkline-web.licences.txt"), licences)
console.log(`dist/web/trunkline-web.js: ${code.length} bytes, ${gzipSync(code, { level: 9 }).length} with gzip`)
