// Conventional Commits, with subjects that fit into a line of `git log`. The why belongs in the body.
export default {
  extends: ["@commitlint/config-conventional"],
  rules: {
    "header-max-length": [2, "always", 72],
    "subject-case": [0],
    "body-max-line-length": [0],
    "footer-max-line-length": [0]
  }
}
