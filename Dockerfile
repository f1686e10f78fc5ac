# One small image for the server and the bots: the compiled rules, no compiler, no root.
FROM python:3.12-slim AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# The versions that were tested; hashes are left out because the project's own wheel has none.
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels . \
    && sed -n 's/^\([a-z0-9-]*==[^ ;]*\).*/\1/p' requirements/lock.txt > /wheels/constraints.txt

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --constraint /wheels/constraints.txt /wheels/*.whl \
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
