# Both images are arguments: a release builds from its own, which are not public.
ARG BUILDER_IMAGE=docker.io/library/golang:1.26
ARG BASE_IMAGE=registry.access.redhat.com/ubi9/ubi-minimal:latest

FROM ${BUILDER_IMAGE} AS builder
ARG VERSION=unknown
WORKDIR /src
COPY . .
# The binary must not depend on the C library of the image that built it.
RUN CGO_ENABLED=0 make build VERSION="${VERSION}"

FROM ${BASE_IMAGE}
COPY --from=builder /src/bin/cluster-etcd-operator /usr/bin/cluster-etcd-operator
COPY manifests /manifests
USER 65532:65532
ENTRYPOINT ["/usr/bin/cluster-etcd-operator"]
LABEL io.k8s.display-name="cluster-etcd-operator" \
      io.k8s.description="Keeps etcd's quorum while control-plane machines are replaced" \
      io.openshift.release.operator=true
