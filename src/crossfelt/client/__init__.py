"""A Python client of the server: REST for the lobby, one WebSocket for each table."""

from crossfelt.client.lobby import Client as Client
from crossfelt.client.table import Answer as Answer
from crossfelt.client.table import TableClient as TableClient
