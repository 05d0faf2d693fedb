-- An event is stored only behind its predecessor, and names stand beside the log.

-- How many events a game has: a change is made only if this is the number that it follows.
ALTER TABLE games ADD COLUMN seq BIGINT NOT NULL DEFAULT 0;
UPDATE games SET seq = (SELECT COUNT(*) FROM events WHERE events.game = games.id);
-- Addresses were hashed without a key.
UPDATE games SET address = '';
CREATE INDEX games_by_updated ON games (updated);

ALTER TABLE seats ADD COLUMN name TEXT NOT NULL DEFAULT '';

-- What all servers on this database share.
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- How many games an address started on a day since 1970.
CREATE TABLE starts (
    address TEXT NOT NULL,
    day BIGINT NOT NULL,
    games BIGINT NOT NULL,
    PRIMARY KEY (address, day)
);
