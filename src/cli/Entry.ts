#!/usr/bin/env node
// The file that the command runs. It refuses a Node that is too old before anything else is loaded, because the rest
// fails there with a stack trace. An old Node must be able to parse this file, so it has no newer syntax.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

// As `engines` of package.json says.
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`✗ trunkline needs Node 22.19 or newer; this is Node ${process.versions.node}.\n`)
  // Wrong usage, as in CommandFailure.ts.
  process.exitCode = 2
} else {
  const loader = process.getBuiltinModule("node:module")
  // Deno has none.
  if ("enableCompileCache" in loader) loader.enableCompileCache()
  void import("./Main.ts")
}
