// `npm run pack`: packs both packages into dist/packages, after a build.
import { packages, packed } from "./bundles/Packed.ts"

for (const { file, files } of packed(packages)) console.log(`${file}: ${files.length} files`)
