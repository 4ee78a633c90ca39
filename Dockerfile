# syntax=docker/dockerfile:1
# docker build -t mock-flink . && docker run --rm --init -p 8081:8081 mock-flink
# Give --init (or run tini): a process with id 1 gets no default signal handlers and reaps no orphans. SIGTERM stops the server within a second.

FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json tsconfig.console.json ./
COPY scripts scripts
COPY scenarios scenarios
COPY src src
RUN npm run build

# The command line is one file with all that it needs: no node_modules here.
FROM node:22-bookworm-slim
ENV NODE_ENV=production \
    MOCK_FLINK_HOST=0.0.0.0 \
    MOCK_FLINK_PORT=8081
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=build /build/dist dist
COPY scenarios scenarios
USER node
EXPOSE 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "dist/mock-flink.cjs", "health"]
ENTRYPOINT ["node", "dist/mock-flink.cjs"]
CMD ["serve"]
