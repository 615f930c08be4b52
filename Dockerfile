# A tag, which moves with security fixes of the base; an automated update may pin it by digest.
ARG PYTHON=3.13-slim-trixie

FROM python:${PYTHON} AS build
COPY requirements/build.lock requirements/run.lock /build/
# pip and the build backend, locked by hash too, stay behind in a place of their own: one
# dependency has no wheel, and pip would fetch a backend for it that nobody locked.
RUN python -m venv /build/tools \
    && /build/tools/bin/pip install --no-cache-dir --require-hashes \
        --requirement /build/build.lock \
    && /build/tools/bin/pip wheel --no-cache-dir --no-build-isolation --require-hashes \
        --wheel-dir /build/wheels --requirement /build/run.lock \
    && python -m venv --without-pip /opt/venv \
    && /build/tools/bin/pip --python /opt/venv/bin/python install --no-cache-dir --no-compile \
        --no-deps --no-index /build/wheels/*.whl
# What no run reads: tests, stubs, headers, scripts, the translator of Fortran.
RUN find /opt/venv -depth -type d \( -name tests -o -name test -o -name f2py \
        -o -name include -o -name _examples \) -exec rm -r {} + \
    && find /opt/venv -type f \( -name '*.pyi' -o -name '*.pxd' -o -name '*.pyx' -o -name '*.a' \
        -o -name '*.h' -o -name '*.c' \) -delete \
    && find /opt/venv/bin -mindepth 1 ! -name 'python*' -delete
# Copied rather than built: there is nothing to build. Readable by whoever the container runs
# as, whatever the modes are where it was checked out.
COPY gate /build/gate
COPY LICENSE entrypoint.py /opt/agent-eval-gate/
RUN site="$(/opt/venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
    && cp -r /build/gate "$site" \
    && chmod -R a+rX "$site/gate" /opt/agent-eval-gate
# Compiled here, once: a run starts in half the time when it finds its .pyc files, and cannot
# keep those that it makes itself. They hold whatever becomes of the files' times. Sources of
# dependencies are then read by nobody; ours stay, for the traceback of a defect.
RUN site="$(/opt/venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
    && /opt/venv/bin/python -m compileall -q -b --invalidation-mode unchecked-hash -x /gate/ "$site" \
    && find "$site" -path "$site/gate" -prune -o -name '*.py' -exec rm {} + \
    && /opt/venv/bin/python -m compileall -q --invalidation-mode unchecked-hash "$site/gate"

FROM python:${PYTHON}
# The official base comes without the .pyc files of its own library: that made a run half as
# long again.
RUN python -m compileall -q "$(python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')" -x \
    '/((site|dist)-packages|test|idlelib|ensurepip|tkinter|turtledemo|pydoc_data|unittest|venv)/'
COPY --from=build /opt /opt
# Where a runner mounts the workspace, and a local `docker run -v "$PWD:/github/workspace"` too.
WORKDIR /github/workspace
# No USER: command files and workspace belong to a user that only the runner knows, and it
# expects the container's root to write them.
# Absolute paths and -I, because the working directory holds what is under test: no module in
# it, and no PYTHON* variable of a workflow, has a say in what is run.
ENTRYPOINT ["/opt/venv/bin/python", "-I", "/opt/agent-eval-gate/entrypoint.py"]

ARG SOURCE="" VERSION="" REVISION=""
LABEL org.opencontainers.image.title="agent-eval-gate" \
      org.opencontainers.image.description="A CI gate for AI agents: may this change merge?" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
