# The engine for production (docs/deployment.md). It runs the sources directly, as `npm start` does. To pin the base image,
# pass its digest: --build-arg BASE=debian:trixie-slim@sha256:…
ARG BASE=debian:trixie-slim
FROM ${BASE} AS build
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates nodejs npm \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --include=dev --ignore-scripts && npm rebuild node
COPY scripts/build-client-types.ts scripts/build-console.ts scripts/
COPY scripts/client scripts/client
COPY console console
COPY src src
RUN node_modules/.bin/node scripts/build-client-types.ts \
  && node_modules/.bin/node scripts/build-console.ts && test -f dist/console/index.html
# Node comes with a package for development. Of those, only its program goes into the image. PostgreSQL is a server of its
# own in production, so its binaries, which are optional, stay out.
RUN cp -L node_modules/.bin/node /usr/local/bin/trunkline-node \
  && npm prune --omit=dev --omit=optional --ignore-scripts

FROM ${BASE}
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --home-dir /var/lib/trunkline --create-home trunkline
WORKDIR /app
COPY --from=build /usr/local/bin/trunkline-node /usr/local/bin/node
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist/console ./dist/console
COPY --from=build /app/src ./src
COPY docs ./docs
COPY package.json ./
ENV ENVIRONMENT=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/trunkline LOG_FORMAT=json
USER trunkline
VOLUME /var/lib/trunkline
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["node", "--max-semi-space-size=64", "src/main.ts"]
