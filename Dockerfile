# syntax=docker/dockerfile:1
# The single-file program, which unpacks its PostgreSQL into the volume /var/lib/portlight.
#   docker build -t portlight --build-arg BUILD_COMMIT="$(git rev-parse HEAD)" \
#     --build-arg SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)" .
#   docker run -p 127.0.0.1:8000:8000 -v portlight:/var/lib/portlight --read-only --tmpfs /tmp:exec portlight
# docs/how-to/install.md has the command with everything that a permanent installation needs.
FROM node:22-bookworm-slim AS build
WORKDIR /src
# Everything except what .dockerignore lists.
COPY . .
ARG BUILD_COMMIT=""
ARG SOURCE_DATE_EPOCH=""
RUN sh deploy/build.sh \
  && name="portlight-$(node -p "require('./package.json').version")-linux-$(node -p process.arch)" \
  && mkdir /out \
  && mv "dist/$name" /out/portlight \
  && mv "dist/$name.cdx.json" "dist/$name.THIRD-PARTY-LICENSES" LICENSE /out/

FROM debian:bookworm-slim
# PostgreSQL's ICU needs libstdc++; fping is used to ping if no ICMP socket can be opened.
RUN apt-get update \
  && apt-get install -y --no-install-recommends fping libstdc++6 tzdata \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --system --gid 10001 portlight \
  && useradd --system --uid 10001 --gid portlight --home-dir /var/lib/portlight --create-home portlight
COPY --from=build /out/ /opt/portlight/
RUN ln -s /opt/portlight/portlight /usr/local/bin/portlight
# By number, so that Kubernetes can verify that it is not root.
USER 10001:10001
WORKDIR /var/lib/portlight
VOLUME /var/lib/portlight
ENV PORTLIGHT_DATA_DIR=/var/lib/portlight PORTLIGHT_LISTEN=0.0.0.0
EXPOSE 8000
# Without --ready, because restarting this container does not help if an external database is down.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["portlight", "health"]
ENTRYPOINT ["portlight"]
CMD ["serve"]
