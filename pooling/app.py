"""The group `pool`: its commands, gathered."""

from __future__ import annotations

from .cli import app
from .estimate_cli import estimate
from .forecast_cli import forecast
from .simulate_cli import simulate

for command in (simulate, forecast, estimate):
    app.command()(command)
