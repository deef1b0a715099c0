"""How traces are packed: DEFLATE with a preset dictionary of what stands in every trace.

A packed text is a byte that says the format, four bytes of CRC-32 of the text, and a raw DEFLATE stream (RFC 1951).
"""

import zlib

FORMAT = 1
# A stored text that was never packed is a JSON object.
PLAIN = ord("{")
HEAD = 5
# What format 1 was packed with. It is frozen for ever, each byte of it: a better one is that of format 2, and this one
# stays to read what is stored. What is most often found stands last, where it is cheapest to point at.
DICTIONARY = (
    b'"gen_ai.provider.name":"openai","gen_ai.response.model":"gpt-4o-mini","gen_ai.response.finish_reasons":["stop"]'
    b'"gen_ai.agent.name":"gen_ai.conversation.id":"gen_ai.tool.definitions":[{"type":"function","name":"description":'
    b'"retrieval""embeddings""static""generated""reasoning"'
    b'"aloi.simulation.misfit":"aloi.trace.wait":"aloi.trace.awaited":"aloi.trace.own":["'
    b'{"span_id":"","name":"POST ","attributes":{"http.request.method":"POST","server.address":"'
    b'","aloi.trace.sent":true,"http.response.status_code":200}}'
    b'{"type":"file","name":"","mime_type":"image/png"}"true,false,null'
    b'},"error":"it was still going on when the execution ended"}],"shows_tools":false,"left_out":'
    b'{"gen_ai.operation.name":"invoke_workflow"}},'
    b'"attributes":{"gen_ai.operation.name":"workflow_step","aloi.step.name":"","aloi.step.kind":"prompt",'
    b'"aloi.step.tries":2,"aloi.step.waiting":true,"aloi.step.skipped":true,"aloi.step.input":{"","aloi.step.output":"'
    b'{"trace_id":"","spans":[{"span_id":"","name":"invoke_agent","start_ns":,"end_ns":,"attributes":'
    b'{"gen_ai.operation.name":"invoke_agent","gen_ai.request.model":"","gen_ai.system_instructions":'
    b'[{"type":"text","content":"You are a "}]}},'
    b'[{"role":"system","parts":[{"type":"text","content":""}]},'
    b'{"span_id":"","parent_id":"","name":"execute_tool ","start_ns":,"end_ns":,"attributes":'
    b'{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"","gen_ai.tool.call.id":"call_'
    b'","gen_ai.tool.call.arguments":{"":""},"aloi.provenance":"real","gen_ai.tool.call.result":""}},'
    b'{"span_id":"","parent_id":"","name":"chat gpt-4o-mini","start_ns":,"end_ns":,"attributes":'
    b'"gen_ai.input.messages":[{"role":"tool","parts":[{"type":"tool_call_response","id":"call_","response":"'
    b'"}]}],"gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"tool_call","id":"call_","name":"'
    b'","arguments":{"query":"}}],"finish_reason":"tool_call"}],"finish_reason":"stop"}],'
    b'"gen_ai.usage.input_tokens":1,"gen_ai.usage.output_tokens":1,"aloi.cost":0.000'
    b'{"trace_id":"","spans":[{"span_id":"","name":"chat ","start_ns":179,"end_ns":179,"attributes":'
    b'{"gen_ai.operation.name":"chat","gen_ai.request.model":"","gen_ai.input.messages":[{"role":"user","parts":'
    b'[{"type":"text","content":""}]}],"gen_ai.usage.input_tokens":1,"gen_ai.usage.output_tokens":1,'
    b'"gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"text","content":""}]}]}}]}'
)
# A short text is packed with a small window and little memory: setting up more takes longer than packing it.
SHORT = 5_500
SHORT_WINDOW, SHORT_MEMORY = -13, 6
LONG_WINDOW, LONG_MEMORY = -15, 8
LEVEL = 6


def pack_text(text: str) -> bytes:
    """A text without lone surrogates, packed."""
    raw = text.encode()
    window, memory = (SHORT_WINDOW, SHORT_MEMORY) if len(raw) <= SHORT else (LONG_WINDOW, LONG_MEMORY)
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, window, memory, zdict=DICTIONARY)
    return bytes([FORMAT]) + zlib.crc32(raw).to_bytes(4) + packer.compress(raw) + packer.flush()


def unpack_text(stored: bytes | str) -> bytes:
    """The UTF-8 of a text that `pack_text` packed, or of a JSON object as it was stored before there was packing.

    Raises:
        ValueError: it is damaged, or of a later version.
    """
    if isinstance(stored, str):
        return stored.encode()
    if stored[:1] == bytes([PLAIN]):
        return stored
    if stored[:1] != bytes([FORMAT]):
        raise ValueError("its format is not known to this version")
    unpacker = zlib.decompressobj(LONG_WINDOW, zdict=DICTIONARY)
    try:
        raw = unpacker.decompress(stored[HEAD:])
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not unpacker.eof or unpacker.unused_data or zlib.crc32(raw).to_bytes(4) != stored[1:HEAD]:
        raise ValueError("its checksum is not right")
    return raw
