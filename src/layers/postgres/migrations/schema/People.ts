// People, sign-in links and sessions.
export const people: ReadonlyArray<string> = [
  `CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL CONSTRAINT users_email UNIQUE CHECK (email = lower(email)),
    email_verified_at timestamptz,
    idp_issuer text,
    idp_subject text,
    created_at timestamptz NOT NULL,
    CONSTRAINT users_idp UNIQUE (idp_issuer, idp_subject),
    CHECK ((idp_issuer IS NULL) = (idp_subject IS NULL))
  )`,
  `CREATE TABLE magic_links (
    secret_hash text PRIMARY KEY,
    user_id uuid REFERENCES users,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
  )`,
  "CREATE INDEX magic_links_age ON magic_links (expires_at)",
  `CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    token_hash text NOT NULL UNIQUE,
    user_id uuid NOT NULL REFERENCES users,
    workspace_id uuid REFERENCES workspaces,
    generation int,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ip text,
    user_agent text,
    CHECK ((workspace_id IS NULL) = (generation IS NULL))
  )`,
  "CREATE INDEX sessions_of_user ON sessions (user_id, created_at)",
  "CREATE INDEX sessions_age ON sessions (expires_at)"
]
