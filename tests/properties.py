"""Hypothesis as these tests use it: no example fails because the machine is busy."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, assume, given, note, settings
from hypothesis import strategies as st

__all__ = ["HealthCheck", "Phase", "assume", "given", "note", "settings", "st"]

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
