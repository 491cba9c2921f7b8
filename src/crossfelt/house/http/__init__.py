"""REST: lobby, accounts, games, histories, advice."""
