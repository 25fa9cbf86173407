# The program as one folder: the compiled binary and PostgreSQL beside it. Data is in the volume /var/lib/portlight.
#   docker build -t portlight . && docker run -p 8000:8000 -v portlight:/var/lib/portlight portlight
FROM node:22-bookworm-slim AS build
WORKDIR /src
# All but what .dockerignore names.
COPY . .
RUN sh deploy/build.sh

FROM debian:bookworm-slim
# PostgreSQL's libraries want libstdc++; fping is the way to ping where no socket for it can be opened.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libstdc++6 fping tzdata \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --home-dir /var/lib/portlight --create-home portlight
COPY --from=build /src/dist/portlight /opt/portlight
RUN ln -s /opt/portlight/portlight /usr/local/bin/portlight
USER portlight
WORKDIR /var/lib/portlight
VOLUME /var/lib/portlight
ENV PORTLIGHT_DATA_DIR=/var/lib/portlight PORTLIGHT_LISTEN=0.0.0.0
EXPOSE 8000
# Without --ready: restarting this container does not bring back a database elsewhere.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["portlight", "health"]
ENTRYPOINT ["portlight"]
CMD ["serve"]
