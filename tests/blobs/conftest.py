"""A server that speaks S3, on the loopback."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto.moto_server.threaded_moto_server import ThreadedMotoServer

ACCESS = {"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """Its address; there is a bucket `files`."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    client: Any = boto3.client(
        "s3", endpoint_url=url, aws_access_key_id="id", aws_secret_access_key="secret", region_name="us-east-1"
    )
    client.create_bucket(Bucket="files")
    yield url
    server.stop()


@pytest.fixture
def s3(s3_server: str) -> dict[str, str]:
    """The environment that leads to it."""
    return {**ACCESS, "AWS_ENDPOINT_URL": s3_server}
