"""Plays whole games against the engine through pydraughts, a client that nobody here wrote.

Usage: hub_client.py PROGRAM GAMES. Every answer is checked by pydraughts' own rules; one illegal move, one game
that does not end, one clock that runs out, one answer that does not come or comes long after the time for a move fails
the run.
"""

import random
import signal
import sys
import time

from draughts import Board, Move
from draughts.engine import HubEngine

SEED = 8532
MOVE_SECONDS = 0.02
# What an answer may be late by in a game with a time for each move. The engine needs a few milliseconds; the rest is for a
# machine that has other work, and far less than an engine takes that forgot its limit.
LATE_SECONDS = 2.0
# A clock for the game, by which moves are short and a machine under load is not late.
CLOCK_SECONDS = 10.0
INCREMENT_SECONDS = 0.1
# An engine that is late by this much is taken for hanging; machines under load may be late by less.
PATIENCE_SECONDS = 20
MAX_PLIES = 400


def hub_position(board):
    """The position string of the protocol, made from the FEN."""
    turn, *sides = board.fen.split(":")
    squares = ["e"] * 32
    for side in sides:
        letter = side[0]
        for piece in filter(None, side[1:].split(",")):
            king = piece.startswith("K")
            squares[int(piece.lstrip("K")) - 1] = letter.upper() if king else letter.lower()
    return turn + "".join(squares)


def limits(game, clock):
    """Each kind of limit has its turn."""
    kinds = [{"movetime": MOVE_SECONDS}, {"nodes": 2000}, {"depth": 7},
             {"my_time": clock, "inc": INCREMENT_SECONDS}]
    return kinds[game % len(kinds)]


def question(game, board, played):
    """Every other four games tell how the position came about, so that the engine knows what has been on the board."""
    if game // 4 % 2 == 1 and played:
        return {"fen": hub_position(Board(variant="english")), "moves": " ".join(played)}
    return {"fen": hub_position(board)}


def ask(engine, game, board, played, clock):
    """The engine's answer, and what its clock shows after it if the game is on one."""
    by = limits(game, clock)
    started = time.monotonic()
    signal.alarm(PATIENCE_SECONDS)
    answer, _ = engine.go(**question(game, board, played), **by)
    signal.alarm(0)
    used = time.monotonic() - started
    play.slowest = max(play.slowest, used)
    play.moves += 1
    if "movetime" in by and used > MOVE_SECONDS + LATE_SECONDS:
        sys.exit(f"game {game}: {answer} took {used:.3f} s instead of {MOVE_SECONDS} s, in {board.fen}")
    if "my_time" in by:
        clock -= used
        if clock < 0:
            sys.exit(f"game {game}: {answer} came {-clock:.3f} s after the clock had run out, in {board.fen}")
        play.least_clock = min(play.least_clock, clock)
        clock += INCREMENT_SECONDS
    return answer, clock


def play(engine, game, dice):
    """The engine against itself in even games, against random moves in odd ones."""
    board = Board(variant="english")
    engine.send("new-game")
    played = []
    clocks = [CLOCK_SECONDS, CLOCK_SECONDS]
    while not board.is_over() and len(played) < MAX_PLIES:
        legal = {move.hub_move: move for move in board.legal_moves()}
        side = len(played) % 2
        if game % 2 == 1 and side == game // 2 % 2:
            move = legal[dice.choice(sorted(legal))]
        else:
            answer, clocks[side] = ask(engine, game, board, played, clocks[side])
            move = Move(board, hub_move=answer)
            if move.hub_move not in legal:
                sys.exit(f"illegal move {answer} in {board.fen}; legal are {sorted(legal)}")
        board.push(move)
        played.append(move.hub_move)
    if not board.is_over():
        sys.exit(f"game {game} did not end in {MAX_PLIES} plies: {board.fen}")
    return board.winner()


play.slowest, play.moves, play.least_clock = 0.0, 0, CLOCK_SECONDS


def main():
    program, games = sys.argv[1], int(sys.argv[2])
    dice = random.Random(SEED)
    print(f"hub_client: seed {SEED}")
    engine = HubEngine([program, "hub"])
    if "english" not in engine.variants:
        sys.exit(f"the engine does not offer English draughts: {engine.variants}")
    engine.configure({"variant": "english", "hash": "16"})
    engine.init()
    engine.ping()
    results = {}
    for game in range(games):
        winner = play(engine, game, dice)
        results[winner] = results.get(winner, 0) + 1
    engine.quit()
    engine.p.communicate(timeout=PATIENCE_SECONDS)
    print(f"hub_client: {games} games, {play.moves} moves of the engine, none illegal, none missing; "
          f"slowest answer {play.slowest:.3f} s, least on a clock {play.least_clock:.3f} s; winners {results}")


main()
