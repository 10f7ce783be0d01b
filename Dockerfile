# The engine for production (docs/deployment.md). It runs the sources directly, as `npm start` does.
FROM debian:trixie-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates nodejs npm \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json ./
# The package brings its own Node. PostgreSQL is a server of its own in production, so its binaries stay out.
RUN npm ci --include=dev --omit=optional --ignore-scripts && npm rebuild node

FROM debian:trixie-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --home-dir /var/lib/trunkline --create-home trunkline
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
ENV ENVIRONMENT=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/trunkline LOG_FORMAT=json
USER trunkline
VOLUME /var/lib/trunkline
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["/app/node_modules/.bin/node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["/app/node_modules/.bin/node", "--max-semi-space-size=64", "src/main.ts"]
