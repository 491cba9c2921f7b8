"""A small Python client of the house: REST for the lobby, one WebSocket for a table."""

from crossfelt.client.lobby import Client as Client
from crossfelt.client.table import Answer as Answer
from crossfelt.client.table import TableClient as TableClient
