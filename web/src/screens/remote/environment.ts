const PLAIN = /^[\w.\-/:]+$/;

/** What an OpenTelemetry exporter is told by, for a shell: where to send, by which key, and as which target. */
export function exporterVariables(address: string, target: string): string {
  return [
    `export OTEL_SERVICE_NAME=${quoted(target)}`,
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${quoted(address)}`,
    'export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20YOUR_API_KEY"',
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
  ].join('\n');
}

/** A value of which a shell reads nothing; the name of a target may come from anywhere. */
function quoted(value: string): string {
  return PLAIN.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
