"""Programs that use real agent SDKs and send real traces: each asks the model at `MODEL_URL`, which wants two tools.

They are configured by the variables that every OpenTelemetry exporter reads: `OTEL_EXPORTER_OTLP_ENDPOINT` and so on.
"""
