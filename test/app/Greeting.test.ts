import { assert, describe, it } from "@effect/vitest"
import { greeting, type GreetingFacts } from "../../src/app/Greeting.ts"

const facts = {
  base_url: "http://127.0.0.1:8080",
  pbx_gateway: "simulator",
  ari_url: "http://127.0.0.1:18088/ari",
  ari_carrier: "carrier",
  has_demo: true,
  data_dir: "/data",
  api_key_file: "/data/api-key",
  demo: { api_key: "key", number: { id: "number-1", number: "+254207900001" } }
} as const satisfies { readonly [K in keyof GreetingFacts]: unknown }
const greet = (more: Partial<GreetingFacts> = {}) => greeting({ ...facts, demo: facts.demo as never, ...more })

describe("the greeting", () => {
  it("prints the key once, and a call that reads it from its file", () => {
    const text = greet()
    assert.strictEqual(text.split(/\bkey$/m).length, 2)
    assert.include(text, `-H "Authorization: Bearer $(cat '/data/api-key')"`)
    assert.include(text, "TRUNKLINE_API_KEY_FILE='/data/api-key'")
  })

  it("shows a call to a simulated phone and the demo with the simulator", () => {
    const text = greet()
    assert.include(text, "simulated phone")
    assert.include(text, "+99900000001")
    assert.include(text, "Or watch one: npm run demo")
  })

  it.each(["asterisk", "none"] as const)("offers no simulated phone and no demo with %s", (pbx_gateway) => {
    const text = greet({ pbx_gateway })
    assert.notInclude(text, "simulated phone")
    assert.notInclude(text, "+99900000001")
    assert.include(text, '"to":"NUMBER"')
    assert.include(text, "npm run demo needs PBX_GATEWAY=simulator")
  })

  it("names the Asterisk and the endpoint that carries calls", () => {
    const text = greet({ pbx_gateway: "asterisk" })
    assert.include(text, "Asterisk at http://127.0.0.1:18088/ari")
    assert.include(text, "its endpoint carrier")
    assert.include(text, "It rings a real phone")
  })

  it("says in the package how to place a call by its command, and nothing of npm run demo", () => {
    const text = greet({ has_demo: false })
    assert.include(text, 'trunkline call +99900000001 --say "Hello"')
    for (const pbx_gateway of ["simulator", "asterisk", "none"] as const)
      assert.notInclude(greet({ has_demo: false, pbx_gateway }), "npm run demo")
  })

  it("names the workspace, its number, the data and how to stop", () => {
    const text = greet()
    assert.include(text, "Demo (development), +254207900001")
    assert.include(text, "/data; Ctrl-C stops the engine")
  })

  it("shows no key where nothing is seeded", () => {
    const text = greet({ demo: undefined })
    assert.include(text, "trunkline is ready")
    assert.notInclude(text, "API key")
  })
})
