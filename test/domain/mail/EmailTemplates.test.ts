import { assert, describe, it } from "@effect/vitest"
import { invitationEmail, noAccountEmail, signInEmail } from "../../../src/domain/mail/EmailTemplates.ts"

describe("an email", () => {
  it("has the link in its text and in its HTML", () => {
    const url = "https://voice.example/sign-in?token=abc"
    const { html, text } = signInEmail(url)
    assert.include(text, `Sign in: ${url}`)
    assert.include(html, `href="${url}"`)
    assert.include(html, "for 15 minutes")
    assert.notInclude(noAccountEmail("https://voice.example").text, "token")
  })

  it("escapes markup and line breaks in names", () => {
    const { html, subject } = invitationEmail({
      workspace: "<img src=x>\r\nBcc: all",
      invited_by: '"Ann" & co',
      role: "admin",
      url: "https://voice.example/?a=1&b=2"
    })
    assert.notInclude(html, "<img")
    assert.include(html, "&quot;Ann&quot; &amp; co")
    assert.include(html, "a=1&amp;b=2")
    assert.notMatch(subject, /[\r\n]/)
  })
})
