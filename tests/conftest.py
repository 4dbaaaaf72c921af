"""Settings of all tests: the same examples on every run, however slow the first compilation is."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "torres",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("torres")
