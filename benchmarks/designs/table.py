"""Every row of the table of coverage; each other module here has those of its topic in ROWS and P_VALUES."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from benchmarks import designs
from benchmarks.designs.design import Design, PValueDesign

NAMES = [module.name for module in iter_modules(designs.__path__) if module.name not in ("design", "table")]
MODULES = [import_module(f"benchmarks.designs.{name}") for name in NAMES]
TABLE: Mapping[str, Design | PValueDesign] = {
    row.name: row for module in MODULES for column in ("ROWS", "P_VALUES") for row in getattr(module, column, ())
}
