import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { signature } from "../../src/layers/http-client/Signatures.ts"

const page = readFileSync("docs/webhooks.md", "utf8")

/** The verifier as the page shows it. */
const sample = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^\`]*verify[^\`]*)\`\`\``).exec(page)?.[1] ?? ""

interface Language {
  readonly command: ReadonlyArray<string>
  readonly file: string
  /** A program that reads `[[body, header, secret], …]` as JSON and prints a JSON array of verdicts. */
  readonly program: (verifier: string) => string
}

const languages: Record<string, Language> = {
  python: {
    command: ["python3"],
    file: "verify.py",
    program: (verifier) =>
      `import json, sys\n${verifier}\nprint(json.dumps([verify(b.encode(), h, s) for b, h, s in json.load(sys.stdin)]))\n`
  },
  php: {
    command: ["php"],
    file: "verify.php",
    program: (verifier) =>
      `<?php\n${verifier}\n$cases = json_decode(stream_get_contents(STDIN));\necho json_encode(array_map(fn($c) => verify(...$c), $cases));\n`
  },
  go: {
    command: ["go", "run"],
    file: "verify.go",
    program: (verifier) => {
      const packages = [
        "crypto/hmac",
        "crypto/sha256",
        "encoding/hex",
        "encoding/json",
        "fmt",
        "math",
        "os",
        "strconv",
        "strings",
        "time"
      ]
      return `package main\nimport (\n${packages.map((name) => `"${name}"`).join("\n")}\n)\n${verifier}
func main() {
	var cases [][3]string
	json.NewDecoder(os.Stdin).Decode(&cases)
	verdicts := []bool{}
	for _, c := range cases {
		verdicts = append(verdicts, verify([]byte(c[0]), c[1], c[2]))
	}
	out, _ := json.Marshal(verdicts)
	fmt.Println(string(out))
}
`
    }
  }
}

const isInstalled = (command: string): boolean => spawnSync(command, ["--version"]).error === undefined

const [secret, old] = [
  "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
  "whsec_ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoM="
]
const body = `{ "name":"Zoë ☎",\t"cost_minor": 4.50e2 }\n`

const cases = (now: number): ReadonlyArray<readonly [readonly [string, string, string], boolean]> => {
  const signed = signature("timestamped", [secret], body, now)
  const rotating = signature("timestamped", [secret, old], body, now)
  return [
    [[body, signed, secret], true],
    [[body, rotating, secret], true],
    [[body, rotating, old], true],
    [[`${body} `, signed, secret], false],
    [[body, signed, old], false],
    [[body, signed.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")), secret], false],
    [[body, signature("timestamped", [secret], body, now - 400), secret], false],
    ...["", "x", "t=,v1=", "t=é,v1=é", `t=${now}`, `t=${now},v1=é`, `t=${"9".repeat(5_000)},v1=00`].map(
      (header) => [[body, header, secret], false] as const
    )
  ]
}

describe("the verifier of the page", () => {
  for (const [name, { command, file, program }] of Object.entries(languages)) {
    it(`is there in ${name}`, () => assert.include(sample(name), "hmac"))

    it.skipIf(!isInstalled(command[0]!))(
      `in ${name} takes what is genuine and refuses what is not`,
      () => {
        const folder = mkdtempSync(join(tmpdir(), "verifier-"))
        try {
          const path = join(folder, file)
          writeFileSync(path, program(sample(name)))
          const expected = cases(Math.floor(Date.now() / 1_000))
          const { stderr, stdout } = spawnSync(command[0]!, [...command.slice(1), path], {
            input: JSON.stringify(expected.map(([given]) => given)),
            encoding: "utf8"
          })
          assert.strictEqual(
            stdout.trim().replaceAll(" ", ""),
            JSON.stringify(expected.map(([, verdict]) => verdict)),
            stderr
          )
        } finally {
          rmSync(folder, { recursive: true })
        }
      },
      60_000
    )
  }
})
