# The tag moves with security fixes of the base; an automated update can pin it by digest.
ARG PYTHON=3.13-slim-trixie

FROM python:${PYTHON} AS build
COPY requirements/run.lock /build/run.lock
# Exactly the locked files, by hash, put in place by a pip that stays behind.
RUN python -m venv /build/pip \
    && python -m venv --without-pip /opt/venv \
    && /build/pip/bin/pip --python /opt/venv/bin/python install --no-cache-dir --no-compile \
        --require-hashes --requirement /build/run.lock
COPY gate /build/gate
# Copied rather than built: no build backend is fetched. Compiled once here, because a run
# starts in half the time when it finds .pyc files, and cannot keep those it makes itself.
RUN cp -r /build/gate "$(/opt/venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
    && /opt/venv/bin/python -m compileall -q /opt/venv

FROM python:${PYTHON}
COPY --from=build /opt/venv /opt/venv
COPY LICENSE entrypoint.py /opt/agent-eval-gate/
# No USER: the runner's command files and the workspace belong to a user that only it knows, and
# it expects the root of the container to write them.
# Absolute paths, and -I: the working directory is the workspace, whose content is under test.
ENTRYPOINT ["/opt/venv/bin/python", "-I", "/opt/agent-eval-gate/entrypoint.py"]
