// The line to the server: when it is tried again, and when there is no use.
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

  send() {}

  close() {}

  hear(told) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(told) }));
  }

  end(code) {
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

const page = Object.assign(new EventTarget(), { hidden: false });
Object.assign(globalThis, {
  WebSocket: FakeSocket,
  document: page,
  window: globalThis,
  location: { protocol: "http:", host: "localhost" },
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
});
const { Link } = await import("../online/link.js");

/** A line, and the sentences that the player is told. */
function line() {
  const sentences = [];
  const say = (sentence) => sentences.push(sentence);
  const hooks = { have: () => 0, onLine: () => {}, onRefused: (_, sentence) => say(sentence), onWithdrawn: say };
  return { link: new Link("game", hooks), sentences, socket: sockets.at(-1) };
}

mock.timers.enable({ apis: ["setTimeout"] });

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
    page.dispatchEvent(new Event("online"));
    assert.deepEqual(sentences, ["load the page again"]);
    assert.equal(sockets.at(-1), socket);
    assert.equal(link.isClosed, true, "nobody is told to wait");
  }
});
