# SPDX-License-Identifier: MIT
"""The kinds of bundles: one class each, with the same five verbs."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from regretless.bundles.bundle_manifest import Manifest, Precision
from regretless.policies.policy import Policy
from regretless.policies.strategy_table import StrategyTable

if TYPE_CHECKING:
    from regretless.bundles.bundle import Bundle, BundleFacts

_KINDS = {
    "table": "regretless.bundles.table_bundle:TableBundles",
    "networks": "regretless.bundles.network_bundle:NetworkBundles",
    "tree": "regretless.bundles.tree_bundle:TreeBundles",
    "values": "regretless.bundles.values_bundle:ValuesBundles",
}


@dataclass(frozen=True)
class Description:
    """The contents of a bundle, for people."""

    size: str
    """Such as `936 infosets`."""
    facts: dict[str, str]
    """Further facts, by name."""
    summary: list[str]
    """The first lines of a model card."""
    coverage: str
    """A sentence on the infosets that have an answer."""


class Kind(Protocol):
    """The verbs of a kind of bundles."""

    def read(self, bundle: "Bundle") -> Any:
        """The contents of a bundle, checked; InputError names what is wrong."""

    def policy(self, bundle: "Bundle", device: str) -> Policy:
        """A policy that plays the strategy."""

    def table(self, bundle: "Bundle") -> StrategyTable:
        """The strategy by infoset, as far as the game is small enough; for comparisons."""

    def describe(self, manifest: Manifest) -> Description: ...

    def copy(
        self, bundle: "Bundle", path: Path, precision: Precision | None, facts: "BundleFacts"
    ) -> "Bundle":
        """Writes the strategy again, rounded to a precision; None: as it is."""


def find_kind(name: str) -> Kind:
    """The kind of that name, imported when it is first used."""
    module, _, kind = _KINDS[name].partition(":")
    return cast(Kind, getattr(import_module(module), kind)())
