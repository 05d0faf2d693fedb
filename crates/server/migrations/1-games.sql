-- Games between people over a link. The same text serves SQLite and PostgreSQL.

-- A game, or the invitation to one. What can be told from its events is repeated here only where it is searched for.
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    -- When the time of the side to move is up; 0 if no clock runs.
    wake_at BIGINT NOT NULL,
    plies BIGINT NOT NULL,
    finished BIGINT NOT NULL,
    -- A hash of the inviter's network address, for as long as the game is open.
    address TEXT NOT NULL,
    -- What the inviter chose, and how things stand, as JSON.
    start TEXT NOT NULL,
    summary TEXT NOT NULL,
    -- The rematch, or nothing.
    next TEXT NOT NULL
);
CREATE INDEX games_by_wake ON games (wake_at);
CREATE INDEX games_by_address ON games (address);

-- Seat 0 is the inviter's. An owner is the hash of the secret in a browser's cookie.
CREATE TABLE seats (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seat BIGINT NOT NULL,
    owner TEXT NOT NULL,
    PRIMARY KEY (game, seat)
);
CREATE INDEX seats_by_owner ON seats (owner);

-- Everything that happened. No number can be taken twice.
CREATE TABLE events (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    json TEXT NOT NULL,
    -- The command that led to it, as its sender called it, or nothing.
    command TEXT NOT NULL,
    PRIMARY KEY (game, seq)
);

-- When a server last ran, and when none did.
CREATE TABLE alive (
    one BIGINT PRIMARY KEY,
    at BIGINT NOT NULL
);
CREATE TABLE outages (
    since BIGINT PRIMARY KEY,
    until BIGINT NOT NULL
);
