"""The content of attachments: in a folder, or in an S3-compatible store."""
