# Every target is documented by the text behind its `##`; `make help` prints it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

GO ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
VERSION_VARIABLE := github.com/openshift/cluster-etcd-operator/pkg/cmd/version.version
# Time spent on each fuzz target by `make test-fuzz`.
FUZZTIME ?= 60s
# The model keeps every state that it has seen; without a limit the collector
# lets the heap double before it starts to work.
MODEL_MEMORY ?= 4GiB
# Walks in each world, and where they start: a fixed seed makes two runs of the
# same revision tell the same. 0 draws one, and a failure prints it.
WALKS ?= 300
WALK_SEED ?= 1

.PHONY: help
help: ## Print the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' Makefile

.PHONY: build
build: ## Build the operator into bin/
	$(GO) build -trimpath -ldflags '-X $(VERSION_VARIABLE)=$(VERSION)' -o bin/ ./cmd/...

# A module of its own: what a server needs stays out of our go.mod and vendor/.
.PHONY: tools
tools: ## Build what tests run but we do not ship (etcd) into bin/tools/
	$(GO) -C hack/etcd build -trimpath -o ../../bin/tools/etcd go.etcd.io/etcd/server/v3

.PHONY: verify
verify: ## Run every static check, list all failures at the end
	@GO=$(GO) hack/verify.sh

.PHONY: lint
lint: ## Run the checks that look at source code only (gofmt, vet, staticcheck, shellcheck)
	@GO=$(GO) hack/verify.sh gofmt vet staticcheck shellcheck

.PHONY: update
update: ## Rewrite what verify compares: formatting, go.mod, vendor/, generated documents
	@GO=$(GO) hack/update.sh

.PHONY: test
test: test-unit test-race test-model test-integration test-lab test-lab-further ## Run all tests but the long ones

# The enumeration and the model print what they covered; that is part of the
# result, so it is neither cached nor hidden. The import rules read more than
# the test cache knows of.
.PHONY: test-unit
test-unit: ## Run unit tests, import rules and the exhaustive enumeration of small worlds
	$(GO) test ./pkg/... ./cmd/... ./bindata/... ./test/manifests/... ./test/explain/... ./test/crash/... ./hack/...
	$(GO) test -count=1 ./test/architecture/...
	$(GO) test -count=1 -v ./test/exhaustive/...

# What these tests look at is outside of what the test cache knows.
.PHONY: test-integration
test-integration: tools lab-parts ## Run clients and controllers against real etcd processes and a real API server
	$(GO) test -count=1 -p 1 -parallel 4 -timeout 10m ./test/integration/...

.PHONY: test-race
test-race: ## Run the unit tests under the race detector
	$(GO) test -race -short ./pkg/... ./cmd/... ./test/crash/...

.PHONY: test-model
test-model: ## Explore sequences of moves with the model checker, default size
	GOMEMLIMIT=$(MODEL_MEMORY) $(GO) test -count=1 -v -timeout 20m -skip '^TestModelFull$$' ./test/model/... -rapid.checks=$(WALKS) -rapid.seed=$(WALK_SEED) -rapid.nofailfile

.PHONY: test-model-full
test-model-full: ## Explore the larger worlds with the model checker as well (a quarter of an hour)
	MODEL_FULL=1 GOMEMLIMIT=$(MODEL_MEMORY) $(GO) test -count=1 -v -timeout 12h -run '^TestModelFull$$' ./test/model/...

.PHONY: test-exhaustive-full
test-exhaustive-full: ## Enumerate the small worlds with none left out as alike another one (minutes)
	EXHAUSTIVE_FULL=1 $(GO) test -count=1 -v -timeout 2h ./test/exhaustive/...

.PHONY: test-fuzz
test-fuzz: ## Run every fuzz target for FUZZTIME (default 60s) each
	@GO=$(GO) FUZZTIME=$(FUZZTIME) hack/fuzz.sh

.PHONY: test-all
test-all: test test-exhaustive-full test-model-full test-lab-full test-fuzz ## Run everything that tests, the local control plane included

.PHONY: mutate
mutate: ## Break the code in small ways and see that a test notices
	@GO=$(GO) hack/mutate.sh

.PHONY: bench
bench: ## Run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./pkg/...

.PHONY: clean
clean: ## Remove what the build left in this folder
	rm -rf bin

# The local control plane is a module of its own, with parts that take about
# 20 minutes to build for the first time.
.PHONY: lab-parts
lab-parts: ## Build the local control plane: API server, kubelet, etcd, Machine API controllers
	$(MAKE) -C lab build

.PHONY: demo lab test-lab test-lab-further test-lab-full selftest campaign
demo: ## Replace a machine under load on the local control plane, watch it, and judge what happened
lab: ## Start the local control plane with the operator, and show it until Ctrl-C
test-lab: ## Play the short scenarios on the local control plane with the operator
test-lab-further: ## Play further situations on the local control plane with the operator
test-lab-full: ## Play every scenario, six of them with three seeds, and test the local control plane itself
selftest: ## Break the operator's rules, one at a time, and see that the scenarios notice
campaign: ## Play random walks of faults on the local control plane for half an hour
demo lab test-lab test-lab-further test-lab-full selftest campaign:
	$(MAKE) -C lab $@
