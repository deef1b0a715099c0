"""Traces of other programs: OTLP as it comes over HTTP, read into our spans.

`json_wire` and `protobuf_wire` read bytes into raw spans; `spans` makes ours of them, with OpenInference's attributes
told in the names of the GenAI conventions (`openinference`); `whole` reads an execution from all spans of a trace.
"""
