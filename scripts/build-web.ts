// `npm run build`: writes the browser client, with JsSIP inside, to dist/web.
import { gzipSync } from "node:zlib"
import { writeWebBundle } from "./web/WebBundle.ts"

const { code } = await writeWebBundle()
console.log(`dist/web/trunkline-web.js: ${code.length} bytes, ${gzipSync(code, { level: 9 }).length} with gzip`)
