"""The group `pool`: its commands, gathered."""

from __future__ import annotations

from cranfield.cli.build.pool import app
from cranfield.cli.build.pool_estimate import estimate
from cranfield.cli.build.pool_forecast import forecast
from cranfield.cli.build.pool_simulate import simulate

for command in (simulate, forecast, estimate):
    app.command()(command)
