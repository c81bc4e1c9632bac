# One image for workers and producer. Builds with BuildKit and with the classic builder.
# All three stages must be of one Debian release, for the glibc that the native module is linked against.
ARG RUST_IMAGE=rust:1-slim-trixie
ARG PYTHON_IMAGE=python:3.13-slim-trixie

# The wheel is abi3: Debian's Python can build what the Python of the other stages runs.
FROM ${RUST_IMAGE} AS wheel
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3-venv \
 && rm -rf /var/lib/apt/lists/* \
 && python3 -m venv /opt/maturin \
 && /opt/maturin/bin/pip install --no-cache-dir 'maturin>=1.16,<2'
# The native module first, around empty packages: a change of Python code alone does not build it again.
WORKDIR /src
COPY LICENSE README.md pyproject.toml ./
COPY solver_core/rust solver_core/rust
RUN mkdir worker producer && touch worker/__init__.py producer/__init__.py solver_core/__init__.py \
 && /opt/maturin/bin/maturin build --release --locked --out /tmp/stub
COPY . .
RUN /opt/maturin/bin/maturin build --release --locked --out /wheel

# The environment is made by the same Python that runs it, whose path stands in it. What gridmill depends on has a
# layer of its own, so that a change of the code does not fetch it all again.
FROM ${PYTHON_IMAGE} AS environment
# Optional dependencies, by their names in pyproject.toml, with commas between.
ARG EXTRAS=metrics
COPY pyproject.toml /src/
RUN python3 -c 'import sys, tomllib; project = tomllib.load(open("/src/pyproject.toml", "rb"))["project"]; \
      extras = [need for extra in sys.argv[1].split(",") if extra for need in project["optional-dependencies"][extra]]; \
      print(*project["dependencies"], *extras, sep="\n")' "$EXTRAS" > /src/requirements.txt \
 && python3 -m venv /opt/venv \
 && /opt/venv/bin/pip install --no-cache-dir --requirement /src/requirements.txt
COPY --from=wheel /wheel /wheel
RUN /opt/venv/bin/pip install --no-cache-dir --no-deps /wheel/*.whl \
 && /opt/venv/bin/pip uninstall --yes pip

FROM ${PYTHON_IMAGE}
RUN useradd --uid 1000 --create-home gridmill && install -d -o gridmill -g gridmill /data
COPY --from=environment /opt/venv /opt/venv
COPY docker/as-owner /usr/local/bin/
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1
USER gridmill
WORKDIR /data
ENTRYPOINT ["as-owner", "gridmill"]
CMD ["--help"]
