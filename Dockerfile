# An image with the program only: docker run --rm -i rapidoku solve <puzzles.txt
#
# docker build --build-arg REVISION="$(git rev-parse --short=12 HEAD)" -t rapidoku .
FROM rust:1.95-slim-bookworm AS build
WORKDIR /rapidoku
COPY . .
ARG REVISION=""
# Smaller than with the level of the profile.
RUN RAPIDOKU_REVISION="$REVISION" cargo build --release --locked --package rapidoku-cli \
    --config 'profile.release.package.rapidoku-cli.opt-level="s"'

FROM debian:bookworm-slim
COPY --from=build /rapidoku/target/release/rapidoku /usr/local/bin/rapidoku
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/rapidoku/
# Files of the host are mounted here.
WORKDIR /data
# nobody
USER 65534
ENTRYPOINT ["rapidoku"]
