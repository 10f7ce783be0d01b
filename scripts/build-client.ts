// `npm run build`: writes the client to dist/client.
import { gzipSync } from "node:zlib"
import { writeClientBundles } from "./client/ClientBundle.ts"

for (const [name, code] of Object.entries(await writeClientBundles()))
  console.log(`dist/client/${name}: ${code.length} bytes, ${gzipSync(code, { level: 9 }).length} with gzip`)
