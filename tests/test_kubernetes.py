"""The manifests for Kubernetes: each is what its schema wants, and all of them together agree."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from producer.cli import COMMANDS, SOME_ROWS, TROUBLE, WRONG_USE
from tests.conftest import REPOSITORY
from worker.app import QUEUE
from worker.store import PREFIX

KUBERNETES = REPOSITORY / "kubernetes"
FOLDERS = ("base", "keda", "producer")
# Oldest and newest; between them stand all that are looked after.
VERSIONS = ("1.31", "1.37")
Document = dict[str, Any]


def loaded(folder: str) -> list[Document]:
    """The resources that a kustomization names, those of the base it stands on included."""
    found: list[Document] = []
    for name in kustomization(folder)["resources"]:
        path = KUBERNETES / folder / name
        if path.is_dir():
            found += loaded(path.resolve().name)
        else:
            found += yaml.safe_load_all(path.read_text())
    return found


def kustomization(folder: str) -> Document:
    read: Document = yaml.safe_load((KUBERNETES / folder / "kustomization.yaml").read_text())
    return read


ALL = {(one["kind"], one["metadata"]["name"]): one for folder in FOLDERS for one in loaded(folder)}
TAG = kustomization("base")["images"][0]["newTag"]
OWN_KINDS = ("ScaledObject", "TriggerAuthentication")  # KEDA's, of which Kubernetes has no schema


def pods() -> Iterator[tuple[str, Document, Document]]:
    """Name, labels and spec of all pods."""
    for (kind, name), one in ALL.items():
        if kind == "Pod":
            yield name, one["metadata"]["labels"], one["spec"]
        elif kind in ("Deployment", "StatefulSet", "Job"):
            template = one["spec"]["template"]
            yield name, template["metadata"]["labels"], template["spec"]


PODS = {name: (labels, spec) for name, labels, spec in pods()}


def selects(selector: Document, labels: Document) -> bool:
    """Whether a selector is meant for something with these labels."""
    expressions = selector.get("matchExpressions", [])
    assert all(expression["operator"] == "In" for expression in expressions)
    return selector.get("matchLabels", {}).items() <= labels.items() and all(
        labels.get(expression["key"]) in expression["values"] for expression in expressions
    )


def selected(selector: Document) -> set[str]:
    return {name for name, (labels, _) in PODS.items() if selects(selector, labels)}


def policy(name: str) -> Document:
    spec: Document = ALL["NetworkPolicy", name]["spec"]
    return spec


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_belongs_to_a_kustomization(folder: str) -> None:
    files = {path.name for path in (KUBERNETES / folder).glob("*.yaml")} - {"kustomization.yaml"}

    assert files == {name for name in kustomization(folder)["resources"] if name.endswith(".yaml")}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("key", [key for key in ALL if key[0] not in OWN_KINDS], ids="/".join)
def test_a_manifest_is_what_the_schema_wants(key: tuple[str, str], version: str) -> None:
    validator = pytest.importorskip("kubernetes_validate")

    assert validator.validate(ALL[key], version, strict=True) is not None


@pytest.mark.parametrize("folder", FOLDERS)
def test_kustomize_builds_it(folder: str, tmp_path: Path) -> None:
    tools = [["kustomize", "build"], ["kubectl", "kustomize"]]
    tool = next((tool for tool in tools if shutil.which(tool[0])), None)
    if tool is None:
        pytest.skip("neither kustomize nor kubectl is here")
    copy = shutil.copytree(KUBERNETES, tmp_path / "kubernetes")
    (copy / "base/password.txt").write_text("secret")

    built = subprocess.run([*tool, os.fspath(copy / folder)], capture_output=True, text=True, timeout=60, check=False)

    assert built.returncode == 0, built.stderr
    made = {(one["kind"], one["metadata"]["name"]): one for one in yaml.safe_load_all(built.stdout)}
    expected = {(one["kind"], one["metadata"]["name"]) for one in loaded(folder)}
    assert set(made) - {("Secret", "broker")} == expected
    assert all(one["metadata"].get("namespace") == "gridmill" for key, one in made.items() if key[0] != "Namespace")
    if ("Deployment", "worker") in made:
        assert ("replicas" in made["Deployment", "worker"]["spec"]) == (folder == "base")
        assert made["Deployment", "worker"]["spec"]["template"]["spec"]["containers"][0]["image"] == f"gridmill:{TAG}"


@pytest.mark.parametrize("name", PODS)
def test_a_pod_has_no_more_rights_than_it_needs(name: str) -> None:
    spec = PODS[name][1]

    assert ALL["Namespace", "gridmill"]["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["runAsUser"] > 0
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in spec["containers"]:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize("name", PODS)
def test_what_a_pod_mounts_is_there(name: str) -> None:
    spec = PODS[name][1]
    templates = ALL.get(("StatefulSet", name), {"spec": {}})["spec"].get("volumeClaimTemplates", [])
    there = {volume["name"] for volume in spec.get("volumes", [])} | {claim["metadata"]["name"] for claim in templates}

    mounted = {mount["name"] for container in spec["containers"] for mount in container["volumeMounts"]}
    claims = [
        volume["persistentVolumeClaim"]["claimName"]
        for volume in spec["volumes"]
        if len(volume) > 1 and "persistentVolumeClaim" in volume
    ]

    assert mounted == there
    assert all(("PersistentVolumeClaim", claim) in ALL for claim in claims)


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet"])
def test_what_keeps_pods_finds_its_own_and_no_others(kind: str) -> None:
    for (found, name), one in ALL.items():
        if found == kind:
            assert selected(one["spec"]["selector"]) == {name}


def test_the_service_leads_to_the_broker() -> None:
    service = ALL["Service", "redis"]["spec"]
    port = service["ports"][0]
    container = PODS["redis"][1]["containers"][0]

    assert selected({"matchLabels": service["selector"]}) == {"redis"}
    assert {(one["name"], one["containerPort"]) for one in container["ports"]} == {(port["targetPort"], port["port"])}
    assert ALL["StatefulSet", "redis"]["spec"]["serviceName"] == "redis"


def test_a_worker_is_ready_when_it_takes_messages_and_outlives_a_broker_that_is_away() -> None:
    container = PODS["worker"][1]["containers"][0]
    ready, alive = container["readinessProbe"], container["livenessProbe"]

    assert ready["exec"]["command"] == alive["exec"]["command"] == ["python", "-m", "worker.health"]
    assert (REPOSITORY / "worker/health.py").is_file()
    assert alive["periodSeconds"] * alive["failureThreshold"] >= 300


def test_one_secret_is_all_that_anybody_names() -> None:
    generated = {
        one["name"]: [file.split("=")[0] for file in one["files"]] for one in kustomization("base")["secretGenerator"]
    }
    asked = [
        variable["valueFrom"]["secretKeyRef"]
        for _, spec in PODS.values()
        for container in spec["containers"]
        for variable in container.get("env", [])
        if "valueFrom" in variable
    ]
    asked += ALL["TriggerAuthentication", "broker"]["spec"]["secretTargetRef"]

    assert generated == {"broker": ["password"]}
    assert (
        kustomization("base")["generatorOptions"]["disableNameSuffixHash"] is True
    )  # KEDA's reference is not rewritten
    assert {(one["name"], one["key"]) for one in asked} == {("broker", "password")}
    assert "/kubernetes/base/password.txt" in (REPOSITORY / ".gitignore").read_text().splitlines()


def test_no_password_stands_on_a_command_line() -> None:
    for _, spec in PODS.values():
        for container in spec["containers"]:
            words = [*container.get("command", []), *container.get("args", [])]
            # What the shell reads from the script it is given, it does not hand on as an argument.
            assert not any("$(GRIDMILL_PASSWORD)" in word for word in words)
            assert all("<<END" in word for word in words if "$REDISCLI_AUTH" in word)


@pytest.mark.parametrize("name", ["worker", "solve"])
def test_workers_and_producer_know_the_broker_by_the_name_of_its_service(name: str) -> None:
    container = PODS[name][1]["containers"][0]
    variables = {variable["name"]: variable for variable in container["env"]}

    assert variables["GRIDMILL_BROKER"]["value"] == "redis://:$(GRIDMILL_PASSWORD)@redis:6379/0"
    assert list(variables).index("GRIDMILL_PASSWORD") < list(variables).index(
        "GRIDMILL_BROKER"
    )  # else it stays as it is
    assert container["args"][0] in COMMANDS


def test_the_network_lets_workers_and_producers_reach_the_broker_and_nobody_else() -> None:
    broker, clients = policy("redis"), policy("clients")

    assert policy("default-deny") == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert selected(broker["podSelector"]) == {"redis"}
    assert selected(broker["ingress"][0]["from"][0]["podSelector"]) == {"worker", "solve"}
    assert selected(clients["podSelector"]) == {"worker", "solve"}
    assert selected(clients["egress"][0]["to"][0]["podSelector"]) == {"redis"}
    assert [port["port"] for port in broker["ingress"][0]["ports"]] == [6379]
    assert {port["port"] for port in clients["egress"][1]["ports"]} == {53}


def test_workers_are_as_many_as_the_queue_of_this_wire_version_asks_for() -> None:
    scaled = ALL["ScaledObject", "worker"]["spec"]
    trigger = scaled["triggers"][0]

    assert ("Deployment", scaled["scaleTargetRef"]["name"]) in ALL
    assert trigger["metadata"]["listName"] == PREFIX + QUEUE
    assert trigger["metadata"]["address"] == f"redis.{kustomization('keda')['namespace']}.svc.cluster.local:6379"
    assert ("TriggerAuthentication", trigger["authenticationRef"]["name"]) in ALL
    assert selected(policy("keda")["podSelector"]) == {"redis"}
    assert {one["target"]["name"] for one in kustomization("keda")["patches"]} == {scaled["scaleTargetRef"]["name"]}


def test_the_job_is_not_tried_again_where_that_is_no_help() -> None:
    job = ALL["Job", "solve"]["spec"]
    rule = job["podFailurePolicy"]["rules"][0]

    assert rule["onExitCodes"]["values"] == [SOME_ROWS, WRONG_USE]
    assert TROUBLE not in rule["onExitCodes"]["values"]
    assert rule["onExitCodes"]["containerName"] == job["template"]["spec"]["containers"][0]["name"]
    assert job["template"]["spec"]["restartPolicy"] == "Never"  # or Kubernetes takes no such rules


def test_the_job_goes_where_its_volume_is() -> None:
    terms = PODS["solve"][1]["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]

    assert [selected(term["labelSelector"]) for term in terms] == [{"shelf"}]


def test_the_image_is_that_of_this_version() -> None:
    project = (REPOSITORY / "pyproject.toml").read_text()

    for folder in ("base", "producer"):
        tag = kustomization(folder)["images"][0]["newTag"]
        assert f'version = "{tag}"' in project
    assert {container["image"] for _, spec in PODS.values() for container in spec["containers"]} == {
        "gridmill",
        "valkey/valkey:8",
    }
