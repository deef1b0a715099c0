"""Files of this machine, sent to be named on cases."""

from pathlib import Path

from aloi.client import Client
from aloi.core.attachment import Attachment
from aloi.service.suites.local_files import read_file


async def add_attachment(client: Client, path: Path) -> Attachment:
    """Send a file; what a case says of it.

    Raises:
        InvalidInput: it cannot be read, or is of no type that is taken, or not what its name says.
        TooLarge: it is larger than a file may be.
    """
    return await client.add_attachment(path.name, read_file(path))
