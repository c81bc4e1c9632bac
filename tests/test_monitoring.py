"""The compose file's profile `monitoring`: its parts fit each other, and what the exporter tells."""

import itertools
import json
import re
from typing import Any

import fakeredis
import pytest
import yaml

from producer.commands import metrics as metrics_command
from producer.metrics import ClusterCollector
from tests.conftest import REPOSITORY
from worker.store import Store

MONITORING = REPOSITORY / "monitoring"
GRAFANA = MONITORING / "grafana"
COMPOSE = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = {
    name: service for name, service in COMPOSE["services"].items() if service.get("profiles") == ["monitoring"]
}
DASHBOARD = json.loads((GRAFANA / "dashboards/gridmill.json").read_text())
SOURCE = yaml.safe_load((GRAFANA / "provisioning/datasources/prometheus.yml").read_text())["datasources"][0]
PROMETHEUS = yaml.safe_load((MONITORING / "prometheus.yml").read_text())
QUERIES = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]


def exported() -> set[str]:
    """The names under which Prometheus knows the metrics."""
    client = fakeredis.FakeRedis()
    families = ClusterCollector(Store(client)).collect()
    names = {family.name + ("_total" if family.type == "counter" else "") for family in families}
    client.close()
    return names | {"gridmill_broker_memory_bytes", "gridmill_broker_memory_max_bytes"}  # not told by a fake


def test_prometheus_scrapes_the_exporter_where_it_listens() -> None:
    port = next(option.default for option in metrics_command.command.params if option.name == "port")

    targets = [
        target for job in PROMETHEUS["scrape_configs"] for one in job["static_configs"] for target in one["targets"]
    ]

    assert targets == [f"metrics:{port}"]
    assert SERVICES["metrics"]["command"] == ["metrics", "--address", "0.0.0.0"]
    assert set(SERVICES["metrics"]["networks"]) & set(SERVICES["prometheus"]["networks"])


def test_the_exporter_gives_up_before_prometheus_does() -> None:
    assert float(PROMETHEUS["global"]["scrape_timeout"].removesuffix("s")) > metrics_command.BROKER_S


@pytest.mark.parametrize("query", QUERIES)
def test_the_dashboard_asks_for_metrics_that_there_are(query: str) -> None:
    asked = set(re.findall(r"gridmill_\w+", query))

    assert asked
    assert asked <= exported()


def test_the_dashboard_shows_every_metric() -> None:
    assert {name for query in QUERIES for name in re.findall(r"gridmill_\w+", query)} >= exported() - {
        "gridmill_prefixes_total"  # how many there are to a board is nobody's concern
    }


def test_rates_are_taken_of_counters_and_of_nothing_else() -> None:
    for query in QUERIES:
        rated = re.findall(r"(?:rate|increase)\((gridmill_\w+)", query)
        assert all(name.endswith("_total") for name in rated)
        assert set(rated) == {name for name in re.findall(r"gridmill_\w+", query) if name.endswith("_total")}


def test_panels_stand_beside_each_other_and_have_numbers_of_their_own() -> None:
    panels = DASHBOARD["panels"]
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x, y in itertools.product(
            range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"])
        )
    ]

    assert len(cells) == len(set(cells))
    assert all(0 <= x < 24 for x, _ in cells)
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert all(len({target["refId"] for target in panel["targets"]}) == len(panel["targets"]) for panel in panels)


def test_every_panel_asks_the_data_source_that_is_provisioned() -> None:
    asked = {
        (source["type"], source["uid"])
        for panel in DASHBOARD["panels"]
        for source in (panel["datasource"], *(target["datasource"] for target in panel["targets"]))
    }

    assert asked == {(SOURCE["type"], SOURCE["uid"])}
    assert SOURCE["url"] == "http://prometheus:9090"
    assert SOURCE["jsonData"]["timeInterval"] == PROMETHEUS["global"]["scrape_interval"]


def test_grafana_finds_the_dashboard_where_the_provider_looks() -> None:
    provider = yaml.safe_load((GRAFANA / "provisioning/dashboards/gridmill.yml").read_text())["providers"][0]
    mounts = dict(volume.split(":")[:2] for volume in SERVICES["grafana"]["volumes"])
    home = SERVICES["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]

    assert mounts["./monitoring/grafana/dashboards"] == provider["options"]["path"]
    assert home == f"{provider['options']['path']}/gridmill.json"


def test_what_is_mounted_is_there() -> None:
    for service in SERVICES.values():
        for source in (volume.split(":")[0] for volume in service["volumes"]):
            assert (REPOSITORY / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]


def test_ports_are_published_for_this_host_alone_and_on_a_network_that_can_publish() -> None:
    publishing = {name: service for name, service in SERVICES.items() if "ports" in service}

    assert set(publishing) == {"prometheus", "grafana", "flower"}
    for service in publishing.values():
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
        assert any(not (COMPOSE["networks"][network] or {}).get("internal") for network in service["networks"])
    assert not any("ports" in service for name, service in COMPOSE["services"].items() if name not in SERVICES)


def test_no_password_stands_on_a_command_line() -> None:
    for service in SERVICES.values():
        assert "PASSWORD" not in json.dumps([service.get("command"), service.get("entrypoint")])
