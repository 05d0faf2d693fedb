// The connection to the server: when it is tried again, and when not.
import assert from "node:assert/strict";
import { mock, test } from "node:test";

/** The sockets that were opened, the latest last. @type {FakeSocket[]} */
const sockets = [];

/** A socket whose other end is the test. */
class FakeSocket extends EventTarget {
  static OPEN = 1;
  readyState = FakeSocket.OPEN;

  constructor() {
    super();
    sockets.push(this);
  }

  /** What was said into it. */
  sent = [];
  isClosed = false;

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.isClosed = true;
  }

  hear(told) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(told) }));
  }

  end(code) {
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

/** What the tab keeps. @type {Map<string, string>} */
const tab = new Map();
const page = Object.assign(new EventTarget(), { hidden: false });
Object.assign(globalThis, {
  WebSocket: FakeSocket,
  document: page,
  sessionStorage: { getItem: (key) => tab.get(key) ?? null, setItem: (key, text) => tab.set(key, text), removeItem: (key) => tab.delete(key) },
  window: globalThis,
  location: { protocol: "http:", host: "localhost" },
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
});
const { Connection } = await import("../online/connection.js");

/** A line, the sentences that the player is told, whether it was up or down, and why commands waited, each time that it changed. */
function line() {
  const sentences = [];
  const states = [];
  const notices = [];
  const say = (sentence) => sentences.push(sentence);
  const hooks = {
    have: () => 0,
    onWelcome: () => {},
    onAck: () => {},
    onWaiting: () => notices.push(link.notice),
    onConnection: (isUp) => states.push(isUp),
    onRefused: (_, sentence) => say(sentence),
    onWithdrawn: say,
  };
  const link = new Connection("game", hooks);
  return { link, sentences, states, notices, socket: sockets.at(-1) };
}

/** A line that the server has answered. */
function welcomed() {
  const opened = line();
  opened.socket.hear(WELCOME);
  return opened;
}

const WELCOME = { v: 1, type: "welcome", records: [] };
const FULL = "The server cannot save moves at the moment; your move is waiting.";
const MOVE = { type: "move", move: "11-15" };
const happens = (name) => page.dispatchEvent(new Event(name));

mock.timers.enable({ apis: ["setTimeout", "Date"] });

test("a line that is cut is tried again", () => {
  const { link, socket } = line();
  socket.end(1006);
  mock.timers.tick(1_000);
  assert.notEqual(sockets.at(-1), socket);
  link.close();
});

test("who is turned away is told why and does not try again, whatever happens to the network", () => {
  for (const withdrawn of [false, true]) {
    const { link, sentences, socket } = line();
    socket.hear({ v: 1, type: "error", error: "load the page again", withdrawn });
    socket.end(4000);
    mock.timers.tick(60_000);
    happens("online");
    assert.deepEqual(sentences, ["load the page again"]);
    assert.equal(sockets.at(-1), socket);
    assert.equal(link.isClosed, true, "nobody is told to wait");
  }
});

test("the pauses before the next try double up to fifteen seconds, and no two lines keep the same time", (t) => {
  for (const [random, pauses] of [[0, [250, 500, 1_000, 2_000, 4_000, 7_500, 7_500]], [0.5, [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]]]) {
    t.mock.method(Math, "random", () => random);
    const { link } = line();
    for (const pause of pauses) {
      const socket = sockets.at(-1);
      socket.end(1006);
      mock.timers.tick(pause - 1);
      assert.equal(sockets.at(-1), socket, `not before ${pause} ms`);
      mock.timers.tick(1);
      assert.notEqual(sockets.at(-1), socket, `after ${pause} ms`);
    }
    link.close();
  }
});

test("when the network goes the line is down at once, and when it comes it is tried at once", () => {
  const { link, states, socket } = welcomed();
  happens("offline");
  assert.deepEqual(states, [true, false]);
  assert.ok(socket.isClosed);
  happens("online");
  assert.notEqual(sockets.at(-1), socket);
  sockets.at(-1).hear(WELCOME);
  assert.deepEqual(states, [true, false, true]);
  link.close();
});

test("a line that died without a word is dropped when the network or the tab is back, one that was just heard is kept", () => {
  for (const event of ["online", "visibilitychange"]) {
    const { link, socket } = welcomed();
    mock.timers.tick(1_500);
    happens(event);
    assert.equal(sockets.at(-1), socket);
    mock.timers.tick(1_500);
    happens(event);
    assert.notEqual(sockets.at(-1), socket);
    assert.ok(socket.isClosed);
    const latest = sockets.at(-1);
    socket.end(1006);
    mock.timers.tick(1_000);
    assert.equal(sockets.at(-1), latest, "the end of the old line is not the end of the new one");
    link.close();
  }
});

test("a command that is not answered is said again on another line, under its id", () => {
  const { link, states, socket } = welcomed();
  const id = link.send(MOVE);
  mock.timers.tick(5_000);
  assert.deepEqual(states, [true, false]);
  mock.timers.tick(1_000);
  const next = sockets.at(-1);
  assert.notEqual(next, socket);
  next.hear(WELCOME);
  assert.deepEqual(next.sent, socket.sent);
  next.hear({ v: 1, type: "ack", id });
  mock.timers.tick(6_000);
  assert.equal(sockets.at(-1), next, "what is answered is not waited for");
  link.close();
});

test("a command that has to wait is kept as long as the server says so, and says why until it is answered", () => {
  const { link, states, notices, socket } = welcomed();
  const id = link.send(MOVE);
  for (let i = 0; i < 3; i++) {
    mock.timers.tick(4_000);
    socket.hear({ v: 1, type: "waiting", id, notice: FULL });
    mock.timers.tick(15_000);
    socket.hear({ v: 1, type: "ping", now: 0 });
  }
  assert.deepEqual(states, [true], "it is not a dead line");
  assert.deepEqual([...link.pending.keys()], [id]);
  assert.equal(link.notice, FULL);
  socket.hear({ v: 1, type: "ack", id });
  assert.deepEqual(notices, [FULL, FULL, FULL, null]);
  link.close();
});

test("a line on which the server no longer says that a command has to wait is dead", () => {
  const { link, states, socket } = welcomed();
  const id = link.send(MOVE);
  socket.hear({ v: 1, type: "waiting", id, notice: FULL });
  mock.timers.tick(19_999);
  assert.deepEqual(states, [true]);
  mock.timers.tick(1);
  assert.deepEqual(states, [true, false]);
  assert.equal(link.notice, null, "nobody knows what another line will say");
  link.close();
  tab.clear();
});

test("a command that the server says nothing about is not waited for because of another one", () => {
  const { link, states, socket } = welcomed();
  const id = link.send(MOVE);
  socket.hear({ v: 1, type: "waiting", id, notice: FULL });
  link.send({ type: "resign" });
  mock.timers.tick(5_000);
  assert.deepEqual(states, [true, false]);
  link.close();
  tab.clear();
});

test("what is answered already does not wait", () => {
  const { link, notices, socket } = welcomed();
  socket.hear({ v: 1, type: "waiting", id: "old", notice: FULL });
  assert.deepEqual([link.notice, notices], [null, []]);
  link.close();
});

test("a command that was not answered before a reload is said after it, under its id, until it is answered", () => {
  for (const answer of ["ack", "refused"]) {
    const { link, socket } = welcomed();
    const id = link.send(MOVE);
    link.close();
    const { link: again, socket: next } = line();
    assert.deepEqual([...again.pending], [[id, MOVE]]);
    next.hear(WELCOME);
    assert.deepEqual(next.sent, socket.sent);
    next.hear({ v: 1, type: answer, id, error: "Why not." });
    again.close();
    assert.deepEqual([...tab], []);
  }
});

test("a line works where nothing can be kept, and where something odd was kept", (t) => {
  tab.set("crownhead.pending.game", "odd");
  const { link: odd } = line();
  assert.equal(odd.pending.size, 0);
  odd.close();
  t.mock.method(sessionStorage, "setItem", () => {
    throw new Error("full");
  });
  const { link, socket } = welcomed();
  link.send(MOVE);
  assert.equal(socket.sent.length, 1);
  link.close();
});
