# One small image for the server and the bots: the compiled rules, no compiler, no root.
FROM python:3.12-slim AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
COPY --from=build /wheels /wheels
# The versions that were tested, by their hashes; our own wheel was just made and has none.
COPY requirements/play.txt /wheels/
RUN pip install --no-cache-dir --require-hashes --requirement /wheels/play.txt \
    && pip install --no-cache-dir --no-deps --no-index /wheels/*.whl \
    && pip check \
    && rm -rf /wheels \
    && python -c "import rules.kernel._compiled.simulator" \
    && useradd --create-home --uid 10001 daide \
    && install --directory --owner=daide --mode=0700 /data
USER daide
WORKDIR /data
VOLUME /data
EXPOSE 16713 9100
ENTRYPOINT ["daide"]
CMD ["serve", "--host=0.0.0.0", "--store=/data/games.db"]
